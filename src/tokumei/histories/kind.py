"""The kind `histories`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.text import Text
from tokumei.histories.registry import anonymizers, attackers, formats, measures, rules

HISTORIES = Kind(
    name="histories",
    noun="history",
    title=Text("Purchase histories", "購買履歴"),
    home="tokumei.histories",
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "sample": Verb("tokumei.histories.ask.make:SampleHistory", ("pws2018", "table")),
        "anonymize": Verb("tokumei.histories.ask.make:AnonymizeHistory"),
        "publish": Verb("tokumei.histories.ask.publish:PublishHistory", ("pws2018",)),
        "attack": Verb("tokumei.histories.ask.assess:AttackHistory"),
        "check": Verb("tokumei.histories.ask.publish:CheckHistory"),
        "measure utility": Verb("tokumei.histories.ask.assess:MeasureHistory"),
        "measure safety": Verb("tokumei.histories.ask.assess:SafetyOfHistory"),
        "advise": Verb("tokumei.histories.ask.sweep:AdviseHistory"),
        "sweep": Verb("tokumei.histories.ask.sweep:SweepHistory", first=True),
        "ledger add": Verb("tokumei.histories.ask.ledger:AddHistory"),
        "ledger check": Verb("tokumei.histories.ask.ledger:CheckLedgerOfHistory"),
        "unicity": Verb("tokumei.histories.ask.inputs:UnicityOfHistory"),
        "categories": Verb("tokumei.histories.ask.category_study:CategoriesOfHistory"),
        "categories study": Verb("tokumei.histories.ask.category_study:StudyCategories"),
    },
    sources=(
        "tokumei.histories.data.history:History",
        "tokumei.histories.data.release:HistoryRelease",
        "tokumei.histories.spark.reading:SparkHistory",
        "tokumei.histories.spark.flow:SparkHistoryRelease",
    ),
    recipe_key="history",
    recipe_home="tokumei.histories.recipe:HistoryRecipe",
    judges={"pws2018": "tokumei.histories.judge:HistoryJudge"},
    ledger_home="tokumei.histories.ledger:release_contribution",
    advice_home="tokumei.histories.advising:history_adviser",
    conformity={"pws2018": "tokumei.histories.contest_files:history_dossier"},
)
