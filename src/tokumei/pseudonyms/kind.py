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
        "sample": Verb("tokumei.pseudonyms.ask.sample:SamplePseudonyms"),
        "anonymize": Verb("tokumei.pseudonyms.ask.anonymize:AnonymizePseudonyms"),
        "publish": Verb("tokumei.pseudonyms.ask.publish:PublishPseudonyms"),
        "attack": Verb("tokumei.pseudonyms.ask.attack:AttackPseudonyms", ("pws2017",)),
    },
    sources=(
        "tokumei.pseudonyms.data.history:PeriodHistory",
        "tokumei.pseudonyms.data.release:PeriodRelease",
    ),
)
