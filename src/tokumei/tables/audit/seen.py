"""All that an attacker sees: the release, the people who may be in it, and a reference.

    seen = Seen(columns, targets=400, reference=200, model="together")
    seen.people.times               # how many of the known people share each distinct row

Who is a member is nowhere in it, and the targets come in random order. Equal rows are told apart
by nothing, so that every search goes over distinct rows that count several times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from tokumei.tables.audit.columns import Column
from tokumei.tables.data.codes import number_tuples

Model = Literal["together", "alone"]
FEWEST_MEASURED = 2
"""Beside generalized columns, fewer columns of single values have no distances worth a look."""


@dataclass(frozen=True, eq=False)
class Distinct:
    """Distinct rows: the place of every row in them, where each first stands, and how often."""

    place: np.ndarray
    first: np.ndarray
    times: np.ndarray

    @classmethod
    def of(cls, codes: Sequence[np.ndarray], rows: int) -> Distinct:
        """Of rows of codes; without a column all are alike."""
        place, count = np.zeros(rows, dtype=np.int64), min(rows, 1)
        if codes and rows:
            sizes = [int(one.max()) + 1 for one in codes]
            place, count = number_tuples([one.astype(np.int64) for one in codes], sizes)
        first = np.zeros(count, dtype=np.int64)
        first[place[::-1]] = np.arange(rows - 1, -1, -1)
        return cls(place, first, np.bincount(place, minlength=count))

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True, eq=False)
class Seen:
    """The columns that the attacker knows; known are the targets, the reference, and bystanders.

    Bystanders are on the attacker's list like the targets, but nobody asks about them.

    together: the attacker has a list of people with all members in it, and they compete for the
    released rows. alone: the attacker looks at one target at a time, beside the reference.
    """

    columns: tuple[Column, ...]
    targets: int
    reference: int
    rows: int
    model: Model = "together"
    bystanders: int = 0

    @property
    def exact(self) -> bool:
        """Whether every cell of the release is a single value."""
        return not any(column.general for column in self.columns)

    @cached_property
    def measured(self) -> Seen | None:
        """What distances can be measured by: the columns of single values.

        Cells that stand for several have none; one such column does not hide the others.
        """
        if self.exact:
            return self
        single = [one for column in self.columns if (one := column.single()) is not None]
        return replace(self, columns=tuple(single)) if len(single) >= FEWEST_MEASURED else None

    @property
    def together(self) -> bool:
        """Whether the targets compete."""
        return self.model == "together"

    @cached_property
    def people(self) -> Distinct:
        """The known people."""
        known = [column.known for column in self.columns]
        return Distinct.of(known, self.targets + self.reference + self.bystanders)

    @cached_property
    def classes(self) -> Distinct:
        """The released rows."""
        return Distinct.of([column.released for column in self.columns], self.rows)

    @cached_property
    def target_times(self) -> np.ndarray:
        """How many targets have each of the people's distinct rows."""
        return np.bincount(self.people.place[: self.targets], minlength=len(self.people))

    @cached_property
    def reference_times(self) -> np.ndarray:
        """How many people of the reference have each of the people's distinct rows."""
        place = self.people.place[self.targets : self.targets + self.reference]
        return np.bincount(place, minlength=len(self.people))

    @property
    def rivals(self) -> np.ndarray:
        """How many of the people an attacker takes into account have each distinct row."""
        return self.people.times if self.together else self.reference_times

    def of_targets(self, scores: np.ndarray) -> np.ndarray:
        """Figures of the people's distinct rows as those of the targets."""
        return np.asarray(scores[self.people.place[: self.targets]])
