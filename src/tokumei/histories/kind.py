"""The kind `histories`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.text import Text
from tokumei.histories.registry import anonymizers, attackers, formats, measures, rules

HISTORIES = Kind(
    name="histories",
    noun="history",
    title=Text("Purchase histories", "購買履歴"),
    home="tokumei.histories",
    services=LazyObject("tokumei.histories.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "sample": Verb(
            LazyObject("tokumei.histories.ask.make", "SampleHistory"), ("pws2018", "table")
        ),
        "anonymize": Verb(LazyObject("tokumei.histories.ask.make", "AnonymizeHistory")),
        "publish": Verb(
            LazyObject("tokumei.histories.ask.publish", "PublishHistory"), ("pws2018",)
        ),
        "attack": Verb(LazyObject("tokumei.histories.ask.assess", "AttackHistory")),
        "check": Verb(LazyObject("tokumei.histories.ask.publish", "CheckHistory")),
        "measure utility": Verb(LazyObject("tokumei.histories.ask.assess", "MeasureHistory")),
        "measure safety": Verb(LazyObject("tokumei.histories.ask.assess", "SafetyOfHistory")),
        "advise": Verb(LazyObject("tokumei.histories.ask.sweep", "AdviseHistory")),
        "sweep": Verb(LazyObject("tokumei.histories.ask.sweep", "SweepHistory"), first=True),
        "ledger add": Verb(LazyObject("tokumei.histories.ask.ledger", "AddHistory")),
        "ledger check": Verb(LazyObject("tokumei.histories.ask.ledger", "CheckLedgerOfHistory")),
        "unicity": Verb(LazyObject("tokumei.histories.ask.inputs", "UnicityOfHistory")),
        "categories": Verb(
            LazyObject("tokumei.histories.ask.category_study", "CategoriesOfHistory")
        ),
        "categories study": Verb(
            LazyObject("tokumei.histories.ask.category_study", "StudyCategories")
        ),
    },
    sources=(
        LazyObject("tokumei.histories.data.history", "History"),
        LazyObject("tokumei.histories.data.release", "HistoryRelease"),
        LazyObject("tokumei.histories.spark.reading", "SparkHistory"),
        LazyObject("tokumei.histories.spark.flow", "SparkHistoryRelease"),
    ),
    recipe_key="history",
    recipe_class=LazyObject("tokumei.histories.recipe", "HistoryRecipe"),
    judges={"pws2018": LazyObject("tokumei.histories.judge", "HistoryJudge")},
    make_contribution=LazyObject("tokumei.histories.ledger", "release_contribution"),
    make_adviser=LazyObject("tokumei.histories.advising", "history_adviser"),
    conformity={"pws2018": LazyObject("tokumei.histories.contest_files", "history_dossier")},
)
