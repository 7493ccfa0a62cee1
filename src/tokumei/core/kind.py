"""What a kind of data is: tables, histories, pseudonyms over time, and whatever comes next.

    kind = kinds.get("histories")
    kind.attackers.names()

The command line, recipes, sweeps, the contest's judge and conformity know only `Kind`, never which
one. A kind is a folder whose `kind.py` makes this one object, and a line in `tokumei/kinds.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokumei.core.ask import Verb
from tokumei.core.registry import Registry
from tokumei.core.text import Text


@dataclass(frozen=True)
class Kind:
    """A kind of data: what it is called and what can be done to it, by name.

    `noun` is the word of the command line (`tokumei anonymize table`); kinds may share one, their
    formats then tell them apart. `verbs` are its commands. `sources` names the classes of data
    (module:Class) that are of this kind.
    """

    name: str
    noun: str
    title: Text
    anonymizers: Registry[Any]
    attackers: Registry[Any]
    measures: Registry[Any]
    rules: Registry[Any]
    verbs: Mapping[str, Verb] = field(default_factory=dict)
    sources: tuple[str, ...] = ()

    @property
    def registries(self) -> dict[str, Registry[Any]]:
        """Everything that has a name, by the word for it."""
        return {
            "anonymizers": self.anonymizers,
            "attackers": self.attackers,
            "measures": self.measures,
            "rules": self.rules,
        }
