"""What is audited: a release, the people behind it, others, and the roles of columns.

drawn = Drawn.of(case, 10_000, rng=rng)                 # who is asked about
seen = case.seen(case.known, drawn, "together")         # what an attacker sees of them
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.columns import Column, read_columns
from tokumei.tables.audit.seen import Model, Seen
from tokumei.tables.data.schema import COLUMN
from tokumei.tables.hierarchies.hierarchy import Hierarchy

MOST_PEOPLE = 60_000
"""People an attacker compares the release with."""


@dataclass(frozen=True, eq=False)
class AuditCase:
    """Who was in the release, who was not, and who else is known to an attacker.

    `columns` are those that the release shares with the people; `known` those of them that the
    attacker knows of a target.
    """

    release: pl.DataFrame = field(repr=False)
    members: pl.DataFrame = field(repr=False)
    control: pl.DataFrame = field(repr=False)
    reference: pl.DataFrame | None = field(repr=False)
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    known: tuple[str, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict, repr=False)
    left_out: tuple[str, ...] = ()
    """Columns of the people that the release does not have."""
    name: str = "release"
    """What messages call the release."""

    @property
    def columns(self) -> list[str]:
        """The columns on both sides."""
        return [name for name in self.members.columns if name in self.release.columns]

    def seen(self, names: Sequence[str], drawn: Drawn, model: Model) -> Seen:
        """What an attacker sees who knows some columns."""
        return Seen(
            tuple(self.read(names, drawn.people(self, names))),
            len(drawn.targets),
            len(drawn.reference),
            self.release.height,
            model,
            len(drawn.bystanders),
        )

    def read(self, names: Sequence[str], people: pl.DataFrame) -> list[Column]:
        """Columns of the release beside those of some people."""
        both = self.release, self.members
        return read_columns(names, *both, people, self.hierarchies, self.name)

    def of_members(self) -> AuditCase:
        """The same with the members themselves as release."""
        return replace(self, release=self.members, hierarchies={})


@dataclass(frozen=True, eq=False)
class Drawn:
    """Which people an audit asks about and whom it takes for known, in random order.

    Rows of members, then control; `reference` are rows of the reference. `bystanders` are members
    and controls beyond the targets: they compete, too.
    """

    targets: np.ndarray
    reference: np.ndarray
    bystanders: np.ndarray
    member: np.ndarray

    @classmethod
    def of(cls, case: AuditCase, most: int, *, rng: Randomness) -> Drawn:
        """At most so many of each; as many bystanders as there is room for."""
        m, c = case.members.height, case.control.height
        chosen, rest = [], []
        for side, start, count in (("members", 0, m), ("control", m, c)):
            order = rng.child(side).generator.permutation(count) + start
            chosen.append(order[:most])
            rest.append(order[most:])
        targets = rng.child("order").generator.permutation(np.concatenate(chosen))
        height = 0 if case.reference is None else case.reference.height
        reference = rng.child("reference").generator.permutation(height)[: 2 * most]
        others = rng.child("rest").generator.permutation(np.concatenate(rest))
        room = max(0, MOST_PEOPLE - len(targets) - len(reference))
        return cls(targets, reference, others[:room], targets < m)

    def people(self, case: AuditCase, names: Sequence[str]) -> pl.DataFrame:
        """The columns of all known people: targets, reference, bystanders."""
        both = pl.concat([case.members.select(names), case.control.select(names)])
        parts = [both[self.targets]]
        if case.reference is not None:
            parts.append(case.reference.select(names)[self.reference])
        return pl.concat([*parts, both[self.bystanders]])


def chosen_columns(
    case_columns: Sequence[str], given: Sequence[str] | None, what: str
) -> list[str]:
    """The columns given, which must be there; all if none is."""
    for name in given or ():
        if name not in case_columns:
            raise UnknownNameError(COLUMN, name, list(case_columns), where=what)
    chosen = list(dict.fromkeys(given)) if given is not None else list(case_columns)
    if not chosen:
        raise UsageError(
            "release and people share no column", "公開データと人のデータに共通の列がありません"
        )
    return chosen
