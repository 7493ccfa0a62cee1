"""The case of an audit: a release, its members, a control group, and column roles.

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
from tokumei.tables.audit.attacker_view import AttackerModel, AttackerObservation
from tokumei.tables.audit.released_columns import ReleasedColumn, read_released_columns
from tokumei.tables.data.schema import COLUMN_NOUN
from tokumei.tables.hierarchies.hierarchy import Hierarchy

MAX_PEOPLE = 60_000
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

    def seen(
        self, names: Sequence[str], drawn: DrawnTargets, model: AttackerModel
    ) -> AttackerObservation:
        """What an attacker sees who knows some columns."""
        return AttackerObservation(
            tuple(self.read(names, drawn.people(self, names))),
            len(drawn.targets),
            len(drawn.reference),
            self.release.height,
            model,
            len(drawn.bystanders),
        )

    def read(self, names: Sequence[str], people: pl.DataFrame) -> list[ReleasedColumn]:
        """Columns of the release beside those of some people."""
        row_frames = self.release, self.members
        return read_released_columns(names, *row_frames, people, self.hierarchies, self.name)

    def with_members_as_release(self) -> AuditCase:
        """The same with the members themselves as release."""
        return replace(self, release=self.members, hierarchies={})


@dataclass(frozen=True, eq=False)
class DrawnTargets:
    """Which people an audit asks about and whom it takes for known, in random order.

    Rows of members, then control; `reference` are rows of the reference. `bystanders` are members
    and controls beyond the targets: they compete, too.
    """

    targets: np.ndarray
    reference: np.ndarray
    bystanders: np.ndarray
    member: np.ndarray

    @classmethod
    def of(cls, case: AuditCase, most: int, *, rng: Randomness) -> DrawnTargets:
        """At most so many of each; as many bystanders as there is room for."""
        member_count, control_count = case.members.height, case.control.height
        chosen, remaining = [], []
        for side, start, count in (
            ("members", 0, member_count),
            ("control", member_count, control_count),
        ):
            order = rng.child(side).generator.permutation(count) + start
            chosen.append(order[:most])
            remaining.append(order[most:])
        targets = rng.child("order").generator.permutation(np.concatenate(chosen))
        height = 0 if case.reference is None else case.reference.height
        reference = rng.child("reference").generator.permutation(height)[: 2 * most]
        other_people = rng.child("rest").generator.permutation(np.concatenate(remaining))
        bystander_room = max(0, MAX_PEOPLE - len(targets) - len(reference))
        return cls(targets, reference, other_people[:bystander_room], targets < member_count)

    def people(self, case: AuditCase, names: Sequence[str]) -> pl.DataFrame:
        """The columns of all known people: targets, reference, bystanders."""
        all_people = pl.concat([case.members.select(names), case.control.select(names)])
        parts = [all_people[self.targets]]
        if case.reference is not None:
            parts.append(case.reference.select(names)[self.reference])
        return pl.concat([*parts, all_people[self.bystanders]])


def resolve_columns(
    case_columns: Sequence[str], requested: Sequence[str] | None, context: str
) -> list[str]:
    """The columns given, which must be there; all if none is."""
    for name in requested or ():
        if name not in case_columns:
            raise UnknownNameError(COLUMN_NOUN, name, list(case_columns), where=context)
    chosen = list(dict.fromkeys(requested)) if requested is not None else list(case_columns)
    if not chosen:
        raise UsageError("release and people share no column")
    return chosen
