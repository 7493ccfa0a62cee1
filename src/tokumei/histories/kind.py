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
        "sample": Verb("tokumei.histories.ask.sample:SampleHistory", ("pws2018", "table")),
        "anonymize": Verb("tokumei.histories.ask.anonymize:AnonymizeHistory"),
        "publish": Verb("tokumei.histories.ask.publish:PublishHistory", ("pws2018",)),
        "attack": Verb("tokumei.histories.ask.attack:AttackHistory", ("pws2018",)),
    },
    sources=(
        "tokumei.histories.data.history:History",
        "tokumei.histories.data.release:HistoryRelease",
        "tokumei.histories.spark.reading:SparkHistory",
        "tokumei.histories.spark.flow:SparkHistoryRelease",
    ),
)
