"""Nearest rows of tables with categories and numbers.

    found, distances = nearest(targets, release, 10)
    first, found, distances = within(targets, release, reach)

The distance of two rows is √(Σ weight · (difference of numbers)² + how many codes differ). Numbers
stay as they are and have weights, so that equal differences are equal distances to the last bit.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.loading import load
from tokumei.kernels.nearest.distance_bounds import build_marks
from tokumei.kernels.threads import interruptible_ranges
from tokumei.kernels.validation import require_array, require_arrays, require_that

STEPS = 512
"""Rows at a stretch: in between, Ctrl-C is heard."""


class MixedPoints(NamedTuple):
    """Rows of codes and numbers, and what the square of a difference weighs in each column."""

    codes: Annotated[np.ndarray, "int32[rows, columns]"]
    numbers: Annotated[np.ndarray, "float64[rows, axes]"]
    weights: Annotated[np.ndarray, "float64[axes]"]

    @property
    def rows(self) -> int:
        """How many rows."""
        return len(self.codes)

    def take(self, rows: np.ndarray) -> MixedPoints:
        """Some of the rows."""
        return MixedPoints(self.codes[rows], self.numbers[rows], self.weights)


def find_nearest(
    points: MixedPoints, others: MixedPoints, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """The `most` nearest others of every row (all if there are fewer) and their distances.

    The nearest come first, of equally near ones the first.
    """
    sizes = _require_comparable(points, others)
    require_that(most > 0 and others.rows > 0, "nobody to be near")
    shape = sizes["rows"], min(most, others.rows)
    found, squares = np.empty(shape, np.int32), np.empty(shape)
    order = shuffled_order(others.rows)
    others = others.take(order)
    kernel, marks = load("nearest"), build_marks(*points[:2], *others)
    for begin, end in interruptible_ranges(points.rows, STEPS):
        kernel.nearest(*points[:2], *others, *marks, order, begin, end, found, squares)
    return found, np.sqrt(squares)


def find_within_reach(
    points: MixedPoints, others: MixedPoints, reach: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every row the others with a distance of at most their own reach, and the distances.

    The lists of all rows stand in one; row i has those from `first[i]` to below `first[i + 1]`.
    """
    sizes = _require_comparable(points, others)
    require_array("reach", reach, "float64[others]", {**sizes, "others": others.rows})
    first = np.zeros(points.rows + 1, np.int64)
    size = 2 * others.rows + 1
    found: np.ndarray = np.empty(size, np.int32)
    squares: np.ndarray = np.empty(size)
    row = 0
    # What a root loses must not exclude the very row that gives the reach.
    squared = reach * reach * (1 + 1e-12)
    kernel, marks = load("nearest"), build_marks(*points[:2], *others)
    while True:
        row = kernel.find_within_reach_of(
            *points[:2], *others, *marks, squared, row, first, found, squares
        )
        if row == points.rows:
            return first, found[: first[-1]].copy(), np.sqrt(squares[: first[-1]])
        found = np.append(found, np.empty_like(found))
        squares = np.append(squares, np.empty_like(squares))


class ReleasedCells(NamedTuple):
    """Released rows: codes and what an equal one says, numbers and whether there is one."""

    codes: Annotated[np.ndarray, "int32[rows, columns]"]
    gains: Annotated[np.ndarray, "float32[rows, columns]"]
    numbers: Annotated[np.ndarray, "float32[rows, axes]"]
    told: Annotated[np.ndarray, "float32[rows, axes]"]


class PersonCells(NamedTuple):
    """People: codes and numbers, column by column."""

    codes: Annotated[np.ndarray, "int32[columns, people]"]
    numbers: Annotated[np.ndarray, "float32[axes, people]"]


def copy_log_likelihoods(cells: ReleasedCells, owners: PersonCells) -> np.ndarray:
    """For released rows and people the gains of equal codes, less the squared gaps of numbers."""
    sizes = require_arrays(owners, require_arrays(cells))
    logs = np.empty((sizes["rows"], sizes["people"]), np.float32)
    codes, gains, numbers, told = cells
    load("nearest").fill_copy_likelihoods(
        codes, gains, owners.codes, numbers, told, owners.numbers, logs
    )
    return logs


def shuffled_order(rows: int) -> np.ndarray:
    """An order in which near rows come early: sorted ones would all stand at one place."""
    return np.random.default_rng(rows).permutation(rows).astype(np.int32)


def _require_comparable(points: MixedPoints, others: MixedPoints) -> dict[str, int]:
    sizes, other = require_arrays(points), require_arrays(others)
    same = all(sizes[name] == other[name] for name in ("columns", "axes"))
    same = same and np.array_equal(points.weights, others.weights)
    require_that(same, "others: need the same columns and weights")
    for side in (points, others):
        require_that(np.isfinite(side.numbers).all(), "numbers: must be finite")
    return sizes
