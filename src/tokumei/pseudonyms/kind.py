"""The kind `pseudonyms`."""

from __future__ import annotations

from tokumei.core.command import CommandSpec
from tokumei.core.data_kind import DataKind
from tokumei.core.lazy_imports import LazyObject
from tokumei.core.messages import Message
from tokumei.pseudonyms.registry import anonymizers, attackers, claim_checks, formats, measures

PSEUDONYMS = DataKind(
    name="pseudonyms",
    noun="history",
    title=Message("Pseudonyms over time"),
    home="tokumei.pseudonyms",
    services=LazyObject("tokumei.pseudonyms.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    claim_checks=claim_checks,
    formats=formats,
    commands={
        "sample": CommandSpec(LazyObject("tokumei.pseudonyms.commands.anonymize", "SamplePeriods")),
        "anonymize": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.anonymize", "AnonymizePseudonyms")
        ),
        "publish": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.anonymize", "PublishPseudonyms")
        ),
        "attack": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.attack_and_check", "AttackPseudonyms")
        ),
        "check": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.attack_and_check", "CheckPseudonyms")
        ),
        "measure utility": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.measure", "MeasurePseudonyms")
        ),
        "measure safety": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.measure", "ScorePseudonymGuess")
        ),
        "unicity": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.knowledge", "MeasurePseudonymUnicity")
        ),
        "knowledge": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.knowledge", "DrawPseudonymKnowledge"),
            first=True,
        ),
        "lifetime": CommandSpec(
            LazyObject("tokumei.pseudonyms.commands.lifetime", "PseudonymLifetimeCommand"),
            first=True,
        ),
    },
    sources=(
        LazyObject("tokumei.pseudonyms.data.period_history", "PeriodHistory"),
        LazyObject("tokumei.pseudonyms.data.pseudonym_table", "PeriodRelease"),
        LazyObject("tokumei.pseudonyms.data.purchase_text_cells", "PeriodRows"),
    ),
    recipe_key="periods",
    recipe_class=LazyObject("tokumei.pseudonyms.recipe", "PeriodRecipe"),
    judges={"pws2017": LazyObject("tokumei.pseudonyms.judge.period_judge", "PeriodJudge")},
    make_adviser=LazyObject("tokumei.pseudonyms.advice", "period_adviser"),
    make_assessment=LazyObject("tokumei.assessment.assess_release", "assess_period_data"),
    conformity={"pws2017": LazyObject("tokumei.pseudonyms.conformity", "period_dossier")},
)
