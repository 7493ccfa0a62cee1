"""Released cells of a column with a hierarchy, as nodes of it.

A label may stand on several levels (`30-39` where a level changes nothing). A row's cell is then
the lowest node with that label above the row's true value; if none is above it (the value was
changed), the lowest node with that label. Cells that are no labels may be `[a;b]`, `{x;y}` or `*`.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, Shape, canonical, number, parse_cell
from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.missing import NULL_LEAVES, missing_error

UNKNOWN = -1
"""Instead of a leaf: rows are not side by side with their originals."""


def hierarchy_spans(
    hierarchy: Hierarchy, released: pl.Series, true_leaf: np.ndarray | None
) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
    """The span of every row; leaves, NCP and level / height of every span.

    Cells that stand for nothing in the hierarchy are an InputError; without the true leaves, so
    are labels that stand for different leaves on different levels.
    """
    cells = _filled(hierarchy, canonical(released))
    if true_leaf is None:
        true_leaf = np.full(len(cells), UNKNOWN)
    rows = pl.DataFrame({"cell": cells, "leaf": true_leaf}, strict=False)
    pairs = rows.unique(maintain_order=True).sort("cell", "leaf")
    reader = _Reader(hierarchy)
    node = reader.read(pairs["cell"], pairs["leaf"].to_numpy(), released)
    numbered = pairs.with_columns(span=pl.Series(node, dtype=pl.Int64))
    joined = rows.join(numbered, on=["cell", "leaf"], how="left", maintain_order="left")
    spans = tuple(reader.spans)
    wide = np.array([len(leaves) for leaves in spans], dtype=np.float64)
    losses = (wide - 1) / max(len(hierarchy.leaves) - 1, 1)
    levels = np.array(reader.levels) / max(hierarchy.height, 1)
    return joined["span"].to_numpy(), spans, losses, levels


def _filled(hierarchy: Hierarchy, cells: pl.Series) -> pl.Series:
    """Missing cells as the hierarchy's leaf for them, if it has one."""
    held = set(hierarchy.leaves.filter(hierarchy.leaves.is_in(NULL_LEAVES)))
    name = next((name for name in NULL_LEAVES if name in held), None)
    return cells if name is None else cells.fill_null(name)


class _Reader:
    """Collects the spans that occur; a span is a node (level, place) or a cell's text."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.labels = [canonical(names).to_list() for names in hierarchy.names]
        self.lowest: dict[str, tuple[int, int]] = {}
        for level in reversed(range(len(self.labels))):
            self.lowest |= {label: (level, node) for node, label in enumerate(self.labels[level])}
        self.spans: list[np.ndarray] = []
        self.levels: list[int] = []
        self._numbers: dict[tuple[int, int] | str, int] = {}

    def read(self, cells: pl.Series, leaves: np.ndarray, released: pl.Series) -> list[int]:
        """The span of every pair of a cell and the true leaf behind it."""
        found = [self._span(c, int(f)) for c, f in zip(cells, leaves, strict=True)]
        unknown = {cell for cell, span in zip(cells, found, strict=True) if span is None}
        if unknown:
            shown = canonical(released)
            bad = shown.is_in([c for c in unknown if c is not None]).fill_null(None in unknown)
            raise missing_error(self.hierarchy.column, released.filter(bad), self.hierarchy.leaves)
        return [span for span in found if span is not None]

    def _span(self, cell: str | None, leaf: int) -> int | None:
        if cell is None:
            return None
        if cell not in self.lowest:
            return self._written(cell)
        up = self.hierarchy.up
        if leaf == UNKNOWN:
            return self._only(cell)
        above = (
            (level, int(up[level, leaf]))
            for level in range(self.lowest[cell][0], len(up))
            if self.labels[level][up[level, leaf]] == cell
        )
        level, node = next(above, self.lowest[cell])
        return self._number((level, node), np.flatnonzero(up[level] == node), level)

    def _only(self, label: str) -> int:
        """The lowest node with a label, whichever row it stands in."""
        up, (lowest, first) = self.hierarchy.up, self.lowest[label]
        leaves = np.flatnonzero(up[lowest] == first)
        for level in range(lowest, len(up)):
            nodes = [node for node, name in enumerate(self.labels[level]) if name == label]
            if any(not np.array_equal(np.flatnonzero(up[level] == n), leaves) for n in nodes):
                raise _ambiguous(self.hierarchy.column, label)
        return self._number((lowest, first), leaves, lowest)

    def _written(self, text: str) -> int | None:
        """An interval, a set, or `*`; None for anything else, or if it covers nothing."""
        cell = parse_cell(text)
        if text == STAR:
            return self._number(text, np.arange(len(self.labels[0])), self.hierarchy.height)
        if cell.shape is Shape.PLAIN:
            return None
        inside = np.array([_covers(cell.low, cell.high, cell.members, x) for x in self.labels[0]])
        leaves = np.flatnonzero(inside)
        return self._number(text, leaves, self._level(leaves)) if len(leaves) else None

    def _level(self, leaves: np.ndarray) -> int:
        """The lowest level with one node above all of them."""
        nodes = self.hierarchy.up[:, leaves]
        return int(np.argmax((nodes == nodes[:, :1]).all(axis=1)))

    def _number(self, key: tuple[int, int] | str, leaves: np.ndarray, level: int) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.spans)
            self.spans.append(leaves)
            self.levels.append(level)
        return self._numbers[key]


def _covers(low: float, high: float, members: frozenset[str], leaf: str) -> bool:
    return leaf in members if members else low <= number(leaf) <= high


def _ambiguous(column: str, label: str) -> InputError:
    return InputError(
        f"{column}: '{label}' stands for different values on different levels of its "
        "hierarchy, so rows are needed beside their originals: use --engine local",
        f"{column}: '{label}' は階層の段によって表す値が異なるため、"
        "元の行と並べる必要があります。--engine local を使ってください",
    )
