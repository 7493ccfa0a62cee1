"""Formats a hierarchy as an indented outline.

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

MAX_ENDS = 200
_SHOWN_COUNTS = (200, 100, 50, 30, 20, 15, 10, 8, 6, 5, 4, 3, 2)


@dataclass(frozen=True)
class OutlineLine:
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
    hierarchy: Hierarchy, *, counts: np.ndarray | None = None, most: int = MAX_ENDS
) -> list[OutlineLine]:
    """The lines of the tree, at most about `most` of them ends; `counts`: rows per leaf."""
    tree = _OutlineTree(hierarchy, counts)
    if len(hierarchy.leaves) <= most:
        shown = [most] * hierarchy.height
    else:
        shown = [1] * hierarchy.height
        for level in reversed(range(hierarchy.height)):
            candidates = ([*shown[:level], size, *shown[level + 1 :]] for size in _SHOWN_COUNTS)
            shown = next(
                (candidate for candidate in candidates if tree.ends(candidate, most) <= most), shown
            )
    return list(tree.lines(hierarchy.height, 0, shown))


def count_leaf_rows(hierarchy: Hierarchy, values: pl.Series) -> np.ndarray:
    """How many rows each leaf has; a value without a leaf is an error."""
    return np.bincount(hierarchy.leaf_codes(values), minlength=len(hierarchy.leaves))


class _OutlineTree:
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
        pending, end_count = [(self.hierarchy.height, 0)], 0
        while pending and end_count <= most:
            level, node = pending.pop()
            if level == 0:
                end_count += 1
                continue
            parts, hidden = self.shown(level, node, shown)
            end_count += len(hidden) > 0
            pending += [(level - 1, int(part)) for part in parts]
        return end_count

    def lines(self, level: int, node: int, shown: list[int]) -> Iterator[OutlineLine]:
        """The node and what is shown below it."""
        below = list(self._lines_below(level, node, shown)) if level else []
        span = sum(line.span for line in below if line.depth == self._depth(level) + 1)
        yield OutlineLine(
            self._depth(level),
            self.hierarchy.label(level, node),
            int(self.leaves[level][node]),
            None if self.rows is None else int(self.rows[level][node]),
            span=max(span, 1),
        )
        yield from below

    def _lines_below(self, level: int, node: int, shown: list[int]) -> Iterator[OutlineLine]:
        parts, hidden = self.shown(level, node, shown)
        for part in parts:
            yield from self.lines(level - 1, int(part), shown)
        if len(hidden):
            yield OutlineLine(
                self._depth(level) + 1,
                "",
                int(self.leaves[level - 1][hidden].sum()),
                None if self.rows is None else int(self.rows[level - 1][hidden].sum()),
                more=len(hidden),
            )

    def _depth(self, level: int) -> int:
        return self.hierarchy.height - level
