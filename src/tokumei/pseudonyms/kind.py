"""The kind `pseudonyms`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.text import Text
from tokumei.pseudonyms.registry import anonymizers, attackers, formats, measures, rules

PSEUDONYMS = Kind(
    name="pseudonyms",
    noun="history",
    title=Text("Pseudonyms over time", "期間ごとの仮名"),
    home="tokumei.pseudonyms",
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "sample": Verb("tokumei.pseudonyms.ask.make:SamplePseudonyms"),
        "anonymize": Verb("tokumei.pseudonyms.ask.make:AnonymizePseudonyms"),
        "publish": Verb("tokumei.pseudonyms.ask.make:PublishPseudonyms"),
        "attack": Verb("tokumei.pseudonyms.ask.attack:AttackPseudonyms"),
        "check": Verb("tokumei.pseudonyms.ask.attack:CheckPseudonyms"),
        "measure utility": Verb("tokumei.pseudonyms.ask.measure:MeasurePseudonyms"),
        "measure safety": Verb("tokumei.pseudonyms.ask.measure:SafetyOfPseudonyms"),
        "unicity": Verb("tokumei.pseudonyms.ask.knowledge:UnicityOfPseudonyms"),
        "knowledge": Verb("tokumei.pseudonyms.ask.knowledge:KnowledgeOfPseudonyms", first=True),
        "lifetime": Verb("tokumei.pseudonyms.ask.lifetime:LifetimeOfPseudonyms", first=True),
    },
    sources=(
        "tokumei.pseudonyms.data.history:PeriodHistory",
        "tokumei.pseudonyms.data.pseudonym_table:PeriodRelease",
        "tokumei.pseudonyms.data.rows:PeriodRows",
    ),
    recipe_key="periods",
    recipe_home="tokumei.pseudonyms.recipe:PeriodRecipe",
    judges={"pws2017": "tokumei.pseudonyms.judge.judge:PeriodJudge"},
    advice_home="tokumei.pseudonyms.advising:period_adviser",
    conformity={"pws2017": "tokumei.pseudonyms.conformity:period_dossier"},
)
