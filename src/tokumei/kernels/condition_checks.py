"""Checks whether classes fulfil conditions such as l-diversity.

checks = Checks.of(demands, starts, values, counts, rows)
check_classes(checks, class_of)      # one truth value per class
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_arrays, require_that

DISTINCT, ENTROPY, RECURSIVE, SHARE = range(4)
EQUAL, ORDERED, HIERARCHICAL, BASIC, ENHANCED, DELTA = range(4, 10)
NEED = 10
"""A class with the value at this place of its column has at least so many rows."""


class ConditionArrays(NamedTuple):
    """Conditions as arrays, each on the values `first` … `end` − 1 (those of one column).

    `totals[v]`: rows of the release with value v; `rows`: its rows. A hierarchy of `heights[d]`
    levels begins at `parents[trees[d]]`: on each level, the parent of every node of the one below.
    """

    kinds: Annotated[np.ndarray, "int64[d] 0..11"]
    limits: Annotated[np.ndarray, "float64[d, 2]"]
    first: Annotated[np.ndarray, "int64[d] 0..v+1"]
    end: Annotated[np.ndarray, "int64[d] 0..v+1"]
    rows: Annotated[np.ndarray, "int64[d]"]
    totals: Annotated[np.ndarray, "int64[v]"]
    heights: Annotated[np.ndarray, "int64[d] 0.."]
    trees: Annotated[np.ndarray, "int64[d] 0.."]
    parents: Annotated[np.ndarray, "int64[p] 0.."]


class Checks(NamedTuple):
    """What each tuple holds: `values[starts[t] : starts[t + 1]]`, the `counts` of each, its `rows`.

    `table` (all 0 before and after) and `present` are room to count in.
    """

    demands: ConditionArrays
    starts: Annotated[np.ndarray, "int64[t+1] 0..entries+1"]
    values: Annotated[np.ndarray, "int64[entries] 0..v"]
    counts: Annotated[np.ndarray, "int64[entries] 1.."]
    rows: Annotated[np.ndarray, "int64[t]"]
    table: Annotated[np.ndarray, "int64[v]"]
    present: Annotated[np.ndarray, "int64[v]"]

    @classmethod
    def of(
        cls,
        demands: ConditionArrays,
        starts: np.ndarray,
        values: np.ndarray,
        counts: np.ndarray,
        rows: np.ndarray,
    ) -> Checks:
        """With the room they need."""
        size = len(demands.totals)
        starts, values, counts, rows = (
            np.ascontiguousarray(array, np.int64) for array in (starts, values, counts, rows)
        )
        table, present = np.zeros(size, np.int64), np.empty(size, np.int64)
        return cls(demands, starts, values, counts, rows, table, present)


_NO_VALUES = np.zeros(0, np.int64)
NO_CHECKS = Checks.of(
    ConditionArrays(
        _NO_VALUES,
        np.zeros((0, 2)),
        _NO_VALUES,
        _NO_VALUES,
        _NO_VALUES,
        _NO_VALUES,
        _NO_VALUES,
        _NO_VALUES,
        _NO_VALUES,
    ),
    *(np.zeros(1, np.int64), _NO_VALUES, _NO_VALUES, _NO_VALUES),
)
"""Everything holds."""


def check_classes(checks: Checks, class_of: np.ndarray) -> np.ndarray:
    """Which of the classes 0 … n − 1 fulfil all conditions; class −1 is not looked at."""
    order = np.argsort(class_of, kind="stable")
    number = int(class_of.max(initial=-1)) + 1
    starts = np.searchsorted(class_of[order], np.arange(number + 1))
    held = np.empty(number, np.bool_)
    compiled = to_compiled_checks(checks, len(class_of))
    load("equivalence_classes").check_stretches(compiled, order, starts, held.view(np.uint8))
    return held


def to_compiled_checks(checks: Checks, tuples: int) -> object:
    """The checks as compiled code takes them, of tuples 0 … tuples − 1."""
    demands = checks.demands
    sizes = require_arrays(checks, require_arrays(demands))
    require_that(not len(demands.kinds) or sizes["t"] >= tuples, "checks: too few tuples")
    for d in np.flatnonzero(demands.kinds == HIERARCHICAL):
        width = demands.end[d] - demands.first[d]
        first = demands.trees[d]
        nodes = demands.parents[first : first + demands.heights[d] * width]
        good = len(nodes) == demands.heights[d] * width and (nodes < width).all()
        require_that(good, "parents: a hierarchy is cut off")
    needs = demands.kinds == NEED
    places = demands.first[needs] + demands.limits[needs, 0]
    require_that((places < demands.end[needs]).all(), "limits: no such value")
    require_that((demands.limits[needs, 0] >= 0).all(), "limits: no such value")
    require_array("table", checks.table, "int64[v] 0..1", sizes)
    size = sizes["v"]
    room = np.empty(size, np.int64), np.empty((3, size))
    return load("equivalence_classes").Checks(*demands, *checks[1:], *room)
