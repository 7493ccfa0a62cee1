"""Distances between people and released rows.

Numbers are measured in standard deviations of release and reference, and one category that differs
counts 1. Numbers with a heavy tail have a second space, in which they are logarithms: neither wins
always.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tokumei.kernels.near import Points, nearest
from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.seen import Seen

NEAREST = 10
DIGITS = 9
TINY = 1e-100
"""Numbers that are smaller, or as large, are scaled first: their squares would not exist."""
SKEWED = 3.0
EPSILON = 1e-3
"""What is added to a distance before its logarithm is taken."""
TIE = 1e-6
"""What a second score counts where the first is equal."""


@dataclass(frozen=True, eq=False)
class Near:
    """The nearest rows (places, distances) of some rows; `sure`: all that are as far are there.

    Of rows as far as the first that is not there some would be chosen by their codes, which say
    nothing.
    """

    found: np.ndarray
    far: np.ndarray
    sure: np.ndarray

    @classmethod
    def of(cls, points: Points, others: Points) -> Near:
        """Searched; distances that differ by less than a rounding are equal."""
        found, far = nearest(points, others, NEAREST + 1)
        far = np.round(far, DIGITS, out=far)
        sure = far < (far[:, NEAREST:] if far.shape[1] > NEAREST else np.inf)
        return cls(found[:, :NEAREST], far[:, :NEAREST], sure[:, :NEAREST])

    def take(self, rows: np.ndarray) -> Near:
        """Of some of the rows."""
        return Near(self.found[rows], self.far[rows], self.sure[rows])

    def times(self, times: np.ndarray) -> np.ndarray:
        """How often the rows are there; once where others are as far."""
        return np.where(self.sure, times[self.found], 1)


@dataclass(frozen=True, eq=False)
class Space:
    """Distinct people and distinct released rows as points; what several attacks ask of them."""

    seen: Seen
    people: Points
    release: Points

    @cached_property
    def asked(self) -> np.ndarray:
        """The distinct rows of the targets, among those of the people."""
        return np.flatnonzero(self.seen.target_times)

    @cached_property
    def referred(self) -> np.ndarray:
        """The distinct rows of the reference, among those of the people."""
        return np.flatnonzero(self.seen.reference_times)

    @cached_property
    def target_release(self) -> Near:
        """The released rows nearest to every target."""
        return Near.of(self.people.take(self.asked), self.release)

    @cached_property
    def target_reference(self) -> Near:
        """The people of the reference nearest to every target."""
        return self._in_reference(self.people.take(self.asked))

    @cached_property
    def release_reference(self) -> Near:
        """The people of the reference nearest to every released row."""
        return self._in_reference(self.release)

    @cached_property
    def release_people(self) -> Near:
        """The known people nearest to every released row."""
        return Near.of(self.release, self.people)

    def of_targets(self, scores: np.ndarray) -> np.ndarray:
        """Scores of the targets' distinct rows as those of the targets."""
        everyone = np.zeros(len(self.seen.people))
        everyone[self.asked] = scores
        return self.seen.of_targets(everyone)

    def _in_reference(self, points: Points) -> Near:
        near = Near.of(points, self.people.take(self.referred))
        return replace(near, found=self.referred[near.found])


def spaces_of(seen: Seen) -> dict[str, Space]:
    """The plain space and, where numbers have a heavy tail, that of logarithms.

    None where too few columns have single values.
    """
    if (near := seen.measured) is None:
        return {}
    found = {"": _space(near, logarithms=False)}
    if any(_heavy(column) for column in near.columns if column.numeric):
        found["-log"] = _space(near, logarithms=True)
    return found


def scaled(
    column: Column, seen: Seen, *, logarithms: bool = False
) -> tuple[np.ndarray, np.ndarray, float]:
    """A column of numbers by value and by cell, a missing one as the median, and their spread."""
    value, cell = column.value_numbers, column.cell_numbers
    if logarithms and _heavy(column):
        value, cell = np.log1p(value), np.log1p(cell)
    public = np.concatenate(
        [cell[column.released], value[column.known[seen.targets : seen.targets + seen.reference]]]
    )
    public = public[~np.isnan(public)]
    known = value[column.known]
    # Where the public side does not vary, the people say how far is far.
    base = public if len(public) and np.ptp(public) > 0 else known[~np.isnan(known)]
    if not len(base):
        return np.zeros(len(value)), np.zeros(len(cell)), 1.0
    fill = float(np.median(base))
    largest = float(np.abs(base).max()) or 1.0
    spread = float((base / largest).std()) * largest
    value, cell = (np.where(np.isnan(one), fill, one) for one in (value, cell))
    spread = spread if spread > 0 else 1.0
    if TINY < spread < 1 / TINY:
        return value, cell, spread
    return value / spread, cell / spread, 1.0


def people_points(seen: Seen) -> Points:
    """The distinct people as points, whatever the release looks like."""
    return _points(seen, 0, logarithms=False)


def _space(seen: Seen, *, logarithms: bool) -> Space:
    people, release = (_points(seen, side, logarithms=logarithms) for side in (0, 1))
    return Space(seen, people, release)


def _points(seen: Seen, side: int, *, logarithms: bool) -> Points:
    """Distinct people (side 0) or released rows (1): categories, numbers, what is missing."""
    rows = (seen.people.first, seen.classes.first)[side]
    codes, numbers, weights = list[np.ndarray](), list[np.ndarray](), list[float]()
    for column in seen.columns:
        places = (column.known, column.released)[side][rows]
        if not column.numeric:
            codes.append(places)
            continue
        *both, spread = scaled(column, seen, logarithms=logarithms)
        numbers.append(both[side][places])
        weights.append(spread**-2)
        if column.missing:
            raw = (column.value_numbers, column.cell_numbers)[side]
            codes.append(np.isnan(raw)[places])
    matrices = _matrix(codes, len(rows), np.int32), _matrix(numbers, len(rows), np.float64)
    return Points(*matrices, np.array(weights, dtype=np.float64))


def _matrix(columns: list[np.ndarray], rows: int, kind: type) -> np.ndarray:
    if not columns:
        return np.zeros((rows, 0), dtype=kind)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(kind))


def _heavy(column: Column) -> bool:
    """Whether logarithms exist and the numbers are skewed beyond 3."""
    sides = column.cell_numbers[column.released], column.value_numbers[column.known]
    both = np.concatenate(sides)
    both = both[~np.isnan(both)]
    if len(both) < 3 or both.min() <= -1 or np.ptp(both) == 0:
        return False
    both = (both - both.min()) / np.ptp(both)
    return bool((((both - both.mean()) / both.std()) ** 3).mean() > SKEWED)
