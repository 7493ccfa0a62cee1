"""The kind `pseudonyms`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.lazy import LazyObject
from tokumei.core.text import Text
from tokumei.pseudonyms.registry import anonymizers, attackers, formats, measures, rules

PSEUDONYMS = Kind(
    name="pseudonyms",
    noun="history",
    title=Text("Pseudonyms over time", "期間ごとの仮名"),
    home="tokumei.pseudonyms",
    services=LazyObject("tokumei.pseudonyms.flow", "SERVICES"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "sample": Verb(LazyObject("tokumei.pseudonyms.ask.make", "SamplePseudonyms")),
        "anonymize": Verb(LazyObject("tokumei.pseudonyms.ask.make", "AnonymizePseudonyms")),
        "publish": Verb(LazyObject("tokumei.pseudonyms.ask.make", "PublishPseudonyms")),
        "attack": Verb(LazyObject("tokumei.pseudonyms.ask.attack", "AttackPseudonyms")),
        "check": Verb(LazyObject("tokumei.pseudonyms.ask.attack", "CheckPseudonyms")),
        "measure utility": Verb(LazyObject("tokumei.pseudonyms.ask.measure", "MeasurePseudonyms")),
        "measure safety": Verb(LazyObject("tokumei.pseudonyms.ask.measure", "SafetyOfPseudonyms")),
        "unicity": Verb(LazyObject("tokumei.pseudonyms.ask.knowledge", "UnicityOfPseudonyms")),
        "knowledge": Verb(
            LazyObject("tokumei.pseudonyms.ask.knowledge", "KnowledgeOfPseudonyms"), first=True
        ),
        "lifetime": Verb(
            LazyObject("tokumei.pseudonyms.ask.lifetime", "LifetimeOfPseudonyms"), first=True
        ),
    },
    sources=(
        LazyObject("tokumei.pseudonyms.data.history", "PeriodHistory"),
        LazyObject("tokumei.pseudonyms.data.pseudonym_table", "PeriodRelease"),
        LazyObject("tokumei.pseudonyms.data.rows", "PeriodRows"),
    ),
    recipe_key="periods",
    recipe_class=LazyObject("tokumei.pseudonyms.recipe", "PeriodRecipe"),
    judges={"pws2017": LazyObject("tokumei.pseudonyms.judge.judge", "PeriodJudge")},
    make_adviser=LazyObject("tokumei.pseudonyms.advising", "period_adviser"),
    conformity={"pws2017": LazyObject("tokumei.pseudonyms.conformity", "period_dossier")},
)
