"""A hierarchy as lines that a person can take in: `*` first, below each node its parts.

for line in outline(hierarchy, counts=rows_per_leaf, most=200): ...

Where there is too much to show, nodes show only their first parts and one line tells how many more
there are; the levels near `*` are shown as fully as possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.tables.hierarchies.hierarchy import Hierarchy

MOST = 200
_SHOWN = (200, 100, 50, 30, 20, 15, 10, 8, 6, 5, 4, 3, 2)


@dataclass(frozen=True)
class Line:
    """One node, or (`more` > 0) so many nodes that are not shown.

    `depth` is 0 for `*`; `span` counts the end lines (shown leaves and "more" lines) below it.
    """

    depth: int
    label: str
    leaves: int
    rows: int | None
    more: int = 0
    span: int = 1


def outline(
    hierarchy: Hierarchy, *, counts: np.ndarray | None = None, most: int = MOST
) -> list[Line]:
    """The lines of the tree, at most about `most` of them ends; `counts`: rows per leaf."""
    tree = _Tree(hierarchy, counts)
    if len(hierarchy.leaves) <= most:
        shown = [most] * hierarchy.height
    else:
        shown = [1] * hierarchy.height
        for level in reversed(range(hierarchy.height)):
            tries = ([*shown[:level], size, *shown[level + 1 :]] for size in _SHOWN)
            shown = next((some for some in tries if tree.ends(some, most) <= most), shown)
    return list(tree.lines(hierarchy.height, 0, shown))


def row_counts(hierarchy: Hierarchy, values: pl.Series) -> np.ndarray:
    """How many rows each leaf has; a value without a leaf is an error."""
    return np.bincount(hierarchy.leaf_codes(values), minlength=len(hierarchy.leaves))


class _Tree:
    """Children, leaves and rows of every node."""

    def __init__(self, hierarchy: Hierarchy, counts: np.ndarray | None) -> None:
        self.hierarchy = hierarchy
        self.leaves = [np.bincount(places) for places in hierarchy.up]
        self.rows = None
        if counts is not None:
            self.rows = [np.bincount(p, weights=counts).astype(np.int64) for p in hierarchy.up]
        parents = [hierarchy.parents(level) for level in range(hierarchy.height)]
        self._order = [np.argsort(of, kind="stable") for of in parents]
        self._starts = [np.concatenate([[0], np.cumsum(np.bincount(of))]) for of in parents]

    def shown(self, level: int, node: int, shown: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """The parts of a node to show, and those to hide: `shown` tells how many, by level."""
        start, end = self._starts[level - 1][node : node + 2]
        parts, size = self._order[level - 1][start:end], shown[level - 1]
        # One line saved by "1 more" would only hide what it stands for.
        cut = size if len(parts) > size + 1 else len(parts)
        return parts[:cut], parts[cut:]

    def ends(self, shown: list[int], most: int) -> int:
        """How many ends the tree has if so many parts are shown; more than `most`: stops there."""
        waiting, found = [(self.hierarchy.height, 0)], 0
        while waiting and found <= most:
            level, node = waiting.pop()
            if level == 0:
                found += 1
                continue
            parts, hidden = self.shown(level, node, shown)
            found += len(hidden) > 0
            waiting += [(level - 1, int(part)) for part in parts]
        return found

    def lines(self, level: int, node: int, shown: list[int]) -> Iterator[Line]:
        """The node and what is shown below it."""
        below = list(self._below(level, node, shown)) if level else []
        span = sum(line.span for line in below if line.depth == self._depth(level) + 1)
        yield Line(
            self._depth(level),
            self.hierarchy.label(level, node),
            int(self.leaves[level][node]),
            None if self.rows is None else int(self.rows[level][node]),
            span=max(span, 1),
        )
        yield from below

    def _below(self, level: int, node: int, shown: list[int]) -> Iterator[Line]:
        parts, hidden = self.shown(level, node, shown)
        for part in parts:
            yield from self.lines(level - 1, int(part), shown)
        if len(hidden):
            yield Line(
                self._depth(level) + 1,
                "",
                int(self.leaves[level - 1][hidden].sum()),
                None if self.rows is None else int(self.rows[level - 1][hidden].sum()),
                more=len(hidden),
            )

    def _depth(self, level: int) -> int:
        return self.hierarchy.height - level
