"""The kind `histories`."""

from __future__ import annotations

from tokumei.core.command import CommandSpec
from tokumei.core.data_kind import DataKind
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.histories.registry import anonymizers, attackers, claim_checks, formats, measures

HISTORIES = DataKind(
    name="histories",
    noun="history",
    title=Message("Purchase histories"),
    home="tokumei.histories",
    services=LazyObject("tokumei.histories.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    claim_checks=claim_checks,
    formats=formats,
    commands={
        "sample": CommandSpec(
            LazyObject("tokumei.histories.commands.anonymize", "SampleHistory"),
            ("pws2018", "table"),
        ),
        "anonymize": CommandSpec(
            LazyObject("tokumei.histories.commands.anonymize", "AnonymizeHistory")
        ),
        "publish": CommandSpec(
            LazyObject("tokumei.histories.commands.publish", "PublishHistory"), ("pws2018",)
        ),
        "attack": CommandSpec(
            LazyObject("tokumei.histories.commands.attack_and_measure", "AttackHistory")
        ),
        "check": CommandSpec(LazyObject("tokumei.histories.commands.publish", "CheckHistory")),
        "measure utility": CommandSpec(
            LazyObject("tokumei.histories.commands.attack_and_measure", "MeasureHistory")
        ),
        "measure safety": CommandSpec(
            LazyObject("tokumei.histories.commands.attack_and_measure", "ScoreHistoryGuess")
        ),
        "advise": CommandSpec(LazyObject("tokumei.histories.commands.sweep", "AdviseHistory")),
        "sweep": CommandSpec(
            LazyObject("tokumei.histories.commands.sweep", "SweepHistory"), first=True
        ),
        "ledger add": CommandSpec(
            LazyObject("tokumei.histories.commands.ledger", "AddHistoryToLedger")
        ),
        "ledger check": CommandSpec(
            LazyObject("tokumei.histories.commands.ledger", "CheckHistoryLedger")
        ),
        "unicity": CommandSpec(
            LazyObject("tokumei.histories.commands.history_file", "MeasureHistoryUnicity")
        ),
        "categories": CommandSpec(
            LazyObject("tokumei.histories.commands.category_study", "CategoriesOfHistory")
        ),
        "categories study": CommandSpec(
            LazyObject("tokumei.histories.commands.category_study", "StudyCategories")
        ),
    },
    sources=(
        LazyObject("tokumei.histories.data.history", "History"),
        LazyObject("tokumei.histories.data.release", "HistoryRelease"),
        LazyObject("tokumei.histories.spark.reading", "SparkHistory"),
        LazyObject("tokumei.histories.spark.anonymize", "SparkHistoryRelease"),
    ),
    recipe_key="history",
    recipe_class=LazyObject("tokumei.histories.recipe", "HistoryRecipe"),
    judges={"pws2018": LazyObject("tokumei.histories.judge", "HistoryJudge")},
    make_contribution=LazyObject(
        "tokumei.histories.ledger_contribution", "build_ledger_contribution"
    ),
    make_adviser=LazyObject("tokumei.histories.advice", "history_adviser"),
    make_assessment=LazyObject("tokumei.assessment.assess_release", "assess_history_data"),
    conformity={"pws2018": LazyObject("tokumei.histories.contest_files", "history_dossier")},
)
