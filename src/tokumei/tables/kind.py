"""The kind `tables`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.text import Text
from tokumei.tables.registry import anonymizers, attackers, formats, measures, rules

TABLES = Kind(
    name="tables",
    noun="table",
    title=Text("Tables", "表"),
    home="tokumei.tables",
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    formats=formats,
    verbs={
        "sample": Verb("tokumei.tables.ask.sample:SampleTable", ("table",)),
        "anonymize": Verb("tokumei.tables.ask.anonymize:AnonymizeTable", ("table",)),
        "attack": Verb("tokumei.tables.ask.attack:AttackTable", ("table",)),
    },
    sources=(
        "tokumei.tables.data.table:Table",
        "tokumei.tables.data.release:Release",
    ),
)
