"""Distances between people and released rows.

Numbers are measured in standard deviations of release and reference, and one category that differs
counts 1. Numbers with a heavy tail have a second space, in which they are logarithms: neither wins
always.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tokumei.kernels.nearest import MixedPoints, find_nearest
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.released_columns import ReleasedColumn

NEIGHBOUR_COUNT = 10
DISTANCE_DECIMALS = 9
TINY = 1e-100
"""Numbers that are smaller, or as large, are scaled first: their squares would not exist."""
MIN_SKEWNESS = 3.0
DISTANCE_EPSILON = 1e-3
"""What is added to a distance before its logarithm is taken."""
TIE_WEIGHT = 1e-6
"""What a second score counts where the first is equal."""


@dataclass(frozen=True, eq=False)
class NearestRows:
    """The nearest rows (places, distances) of some rows; `sure`: all that are as far are there.

    Of rows as far as the first that is not there some would be chosen by their codes, which say
    nothing.
    """

    found: np.ndarray
    far: np.ndarray
    sure: np.ndarray

    @classmethod
    def of(cls, points: MixedPoints, others: MixedPoints) -> NearestRows:
        """Searched; distances that differ by less than a rounding are equal."""
        neighbours, distances = find_nearest(points, others, NEIGHBOUR_COUNT + 1)
        distances = np.round(distances, DISTANCE_DECIMALS, out=distances)
        is_complete = distances < (
            distances[:, NEIGHBOUR_COUNT:] if distances.shape[1] > NEIGHBOUR_COUNT else np.inf
        )
        return cls(
            neighbours[:, :NEIGHBOUR_COUNT],
            distances[:, :NEIGHBOUR_COUNT],
            is_complete[:, :NEIGHBOUR_COUNT],
        )

    def take(self, rows: np.ndarray) -> NearestRows:
        """Of some of the rows."""
        return NearestRows(self.found[rows], self.far[rows], self.sure[rows])

    def times(self, times: np.ndarray) -> np.ndarray:
        """How often the rows are there; once where others are as far."""
        return np.where(self.sure, times[self.found], 1)


@dataclass(frozen=True, eq=False)
class DistanceSpace:
    """Distinct people and distinct released rows as points; what several attacks ask of them."""

    seen: AttackerObservation
    people: MixedPoints
    release: MixedPoints

    @cached_property
    def asked(self) -> np.ndarray:
        """The distinct rows of the targets, among those of the people."""
        return np.flatnonzero(self.seen.target_times)

    @cached_property
    def reference_rows(self) -> np.ndarray:
        """The distinct rows of the reference, among those of the people."""
        return np.flatnonzero(self.seen.reference_times)

    @cached_property
    def target_release(self) -> NearestRows:
        """The released rows nearest to every target."""
        return NearestRows.of(self.people.take(self.asked), self.release)

    @cached_property
    def target_reference(self) -> NearestRows:
        """The people of the reference nearest to every target."""
        return self._nearest_in_reference(self.people.take(self.asked))

    @cached_property
    def release_reference(self) -> NearestRows:
        """The people of the reference nearest to every released row."""
        return self._nearest_in_reference(self.release)

    @cached_property
    def release_people(self) -> NearestRows:
        """The known people nearest to every released row."""
        return NearestRows.of(self.release, self.people)

    def scores_of_targets(self, scores: np.ndarray) -> np.ndarray:
        """Scores of the targets' distinct rows as those of the targets."""
        person_scores = np.zeros(len(self.seen.people))
        person_scores[self.asked] = scores
        return self.seen.scores_of_targets(person_scores)

    def _nearest_in_reference(self, points: MixedPoints) -> NearestRows:
        nearest_rows = NearestRows.of(points, self.people.take(self.reference_rows))
        return replace(nearest_rows, found=self.reference_rows[nearest_rows.found])


def build_spaces(seen: AttackerObservation) -> dict[str, DistanceSpace]:
    """The plain space and, where numbers have a heavy tail, that of logarithms.

    None where too few columns have single values.
    """
    if (measured_view := seen.measured) is None:
        return {}
    spaces = {"": _build_space(measured_view, logarithms=False)}
    if any(_is_heavy_tailed(column) for column in measured_view.columns if column.numeric):
        spaces["-log"] = _build_space(measured_view, logarithms=True)
    return spaces


def scale_column(
    column: ReleasedColumn, seen: AttackerObservation, *, logarithms: bool = False
) -> tuple[np.ndarray, np.ndarray, float]:
    """A column of numbers by value and by cell, a missing one as the median, and their spread."""
    value, cell = column.value_numbers, column.cell_numbers
    if logarithms and _is_heavy_tailed(column):
        value, cell = np.log1p(value), np.log1p(cell)
    public_values = np.concatenate(
        [cell[column.released], value[column.known[seen.targets : seen.targets + seen.reference]]]
    )
    public_values = public_values[~np.isnan(public_values)]
    known = value[column.known]
    # Where the public side does not vary, the people say how far is far.
    base_values = (
        public_values
        if len(public_values) and np.ptp(public_values) > 0
        else known[~np.isnan(known)]
    )
    if not len(base_values):
        return np.zeros(len(value)), np.zeros(len(cell)), 1.0
    median = float(np.median(base_values))
    largest = float(np.abs(base_values).max()) or 1.0
    spread = float((base_values / largest).std()) * largest
    value, cell = (np.where(np.isnan(numbers), median, numbers) for numbers in (value, cell))
    spread = spread if spread > 0 else 1.0
    if TINY < spread < 1 / TINY:
        return value, cell, spread
    return value / spread, cell / spread, 1.0


def people_points(seen: AttackerObservation) -> MixedPoints:
    """The distinct people as points, whatever the release looks like."""
    return _encode_points(seen, 0, logarithms=False)


def _build_space(seen: AttackerObservation, *, logarithms: bool) -> DistanceSpace:
    people, release = (_encode_points(seen, side, logarithms=logarithms) for side in (0, 1))
    return DistanceSpace(seen, people, release)


def _encode_points(seen: AttackerObservation, side: int, *, logarithms: bool) -> MixedPoints:
    """Distinct people (side 0) or released rows (1): categories, numbers, what is missing."""
    rows = (seen.people.first, seen.classes.first)[side]
    codes, numbers, weights = list[np.ndarray](), list[np.ndarray](), list[float]()
    for column in seen.columns:
        places = (column.known, column.released)[side][rows]
        if not column.numeric:
            codes.append(places)
            continue
        *scaled_sides, spread = scale_column(column, seen, logarithms=logarithms)
        numbers.append(scaled_sides[side][places])
        weights.append(spread**-2)
        if column.missing:
            side_numbers = (column.value_numbers, column.cell_numbers)[side]
            codes.append(np.isnan(side_numbers)[places])
    matrices = (
        _stack_columns(codes, len(rows), np.int32),
        _stack_columns(numbers, len(rows), np.float64),
    )
    return MixedPoints(*matrices, np.array(weights, dtype=np.float64))


def _stack_columns(columns: list[np.ndarray], rows: int, kind: type) -> np.ndarray:
    if not columns:
        return np.zeros((rows, 0), dtype=kind)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(kind))


def _is_heavy_tailed(column: ReleasedColumn) -> bool:
    """Whether logarithms exist and the numbers are skewed beyond 3."""
    sides = column.cell_numbers[column.released], column.value_numbers[column.known]
    all_numbers = np.concatenate(sides)
    all_numbers = all_numbers[~np.isnan(all_numbers)]
    if len(all_numbers) < 3 or all_numbers.min() <= -1 or np.ptp(all_numbers) == 0:
        return False
    all_numbers = (all_numbers - all_numbers.min()) / np.ptp(all_numbers)
    return bool(
        (((all_numbers - all_numbers.mean()) / all_numbers.std()) ** 3).mean() > MIN_SKEWNESS
    )
