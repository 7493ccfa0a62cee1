"""Merges classes that violate a condition with others, or suppresses them.

budget = merge(Trees.of(ups, costs), merging, checks, failing, budget)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.condition_checks import Checks, to_compiled_checks
from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_arrays, require_that

MERGES_PER_STRETCH = 256
"""Merges at a stretch: in between, Ctrl-C is heard."""


class HierarchyTrees(NamedTuple):
    """All hierarchies in one array: the node and cost of leaf c of column j on level l stand at
    `starts[j, l] + c`; levels above the top repeat the top."""

    nodes: Annotated[np.ndarray, "int64[places]"]
    cost: Annotated[np.ndarray, "float64[places]"]
    starts: Annotated[np.ndarray, "int64[columns, levels] 0..places"]

    @classmethod
    def of(cls, ups: Sequence[np.ndarray], costs: Sequence[np.ndarray]) -> HierarchyTrees:
        """From levels × leaves of every column."""
        levels, place = np.arange(max(map(len, ups))), 0
        starts = np.zeros((len(ups), len(levels)), dtype=np.int64)
        for j, up in enumerate(ups):
            starts[j] = place + np.minimum(levels, len(up) - 1) * up.shape[1]
            place += up.size
        return cls(
            np.concatenate([up.ravel() for up in ups]).astype(np.int64),
            np.concatenate([cost.ravel() for cost in costs]).astype(np.float64),
            starts,
        )


class Merging(NamedTuple):
    """Classes: a leaf and a level per column, rows, cost of a row; tuples as linked lists.

    `first[c]` is a tuple of class c, `after[t]` the next one (−1: none), `last[c]` the last.
    """

    leaf: Annotated[np.ndarray, "int64[classes, columns] 0.."]
    level: Annotated[np.ndarray, "int64[classes, columns] 0..levels"]
    rows: Annotated[np.ndarray, "int64[classes]"]
    cost: Annotated[np.ndarray, "float64[classes]"]
    first: Annotated[np.ndarray, "int64[classes] 0..t"]
    last: Annotated[np.ndarray, "int64[classes] 0..t"]
    after: Annotated[np.ndarray, "int64[t] -1..t"]

    def some(self, classes: np.ndarray) -> Merging:
        """Only these classes."""
        leaf, level, rows, cost, first, last = (array[classes] for array in self[:-1])
        return Merging(leaf, level, rows, cost, first, last, self.after)


def merge(
    trees: HierarchyTrees, merging: Merging, checks: Checks, failing: np.ndarray, budget: int
) -> int:
    """Merge or suppress until none fails; classes that are gone have no rows. The budget left."""
    compiled, sizes = _to_compiled(trees, merging)
    require_array("failing", failing, "bool[classes]", sizes)
    conditions = to_compiled_checks(checks, sizes["t"])
    while failing.any():
        budget = load("equivalence_classes").merge(
            compiled, conditions, failing.view(np.uint8), budget, MERGES_PER_STRETCH
        )
    return budget


def write_numbers(
    trees: HierarchyTrees, merging: Merging, numbers: np.ndarray, class_of: np.ndarray
) -> None:
    """Write the number of each class that is left to its tuples."""
    compiled, sizes = _to_compiled(trees, merging)
    require_array("numbers", numbers, "int64[classes]", sizes)
    require_array("class_of", class_of, "int64[t]", sizes)
    load("equivalence_classes").write_numbers(compiled, numbers, class_of)


def _to_compiled(trees: HierarchyTrees, merging: Merging) -> tuple[object, dict[str, int]]:
    """Both as compiled code takes them; every column has one top, which holds all boxes."""
    sizes = require_arrays(merging, require_arrays(trees))
    if sizes["classes"]:
        most = trees.starts.max(axis=1) + merging.leaf.max(axis=0)
        require_that((most < sizes["places"]).all(), "leaf: no such leaf")
        top = trees.nodes[trees.starts[:, -1] + merging.leaf]
        require_that((top == top[:1]).all(), "nodes: a column has two tops")
    room = np.empty(sizes["classes"]), np.empty(sizes["t"], np.int64)
    return load("equivalence_classes").Merging(*trees, *merging, *room), sizes
