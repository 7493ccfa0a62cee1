"""The kind `histories`."""

from __future__ import annotations

from tokumei.core.ask import Verb
from tokumei.core.kind import Kind
from tokumei.core.text import Text
from tokumei.histories.registry import anonymizers, attackers, measures, rules

HISTORIES = Kind(
    name="histories",
    noun="history",
    title=Text("Purchase histories", "購買履歴"),
    anonymizers=anonymizers,
    attackers=attackers,
    measures=measures,
    rules=rules,
    verbs={
        "attack": Verb("tokumei.histories.ask.attack:AttackHistory", ("pws2018",)),
    },
)
