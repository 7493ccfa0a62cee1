"""What every released cell stands for in a hierarchy: leaves, NCP and level."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import CellShape, canonicalize_column
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.leaf_lookup import NULL_LEAVES, missing_leaf_error

UNKNOWN_LEAF = -1
"""Instead of a leaf: rows are not side by side with their originals."""


def hierarchy_spans(
    hierarchy: Hierarchy, released: pl.Series, true_leaf: np.ndarray | None
) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
    """The span of every row; leaves, NCP and level / height of every span.

    Cells that stand for nothing in the hierarchy are an InputError; without the true leaves, so
    are labels that stand for different leaves on different levels.
    """
    cells = _fill_missing(hierarchy, canonicalize_column(released))
    if true_leaf is None:
        true_leaf = np.full(len(cells), UNKNOWN_LEAF)
    rows = pl.DataFrame({"cell": cells, "leaf": true_leaf}, strict=False)
    pairs = rows.unique(maintain_order=True).sort("cell", "leaf")
    reader = _SpanReader(hierarchy)
    node = reader.read(pairs["cell"], pairs["leaf"].to_numpy(), released)
    numbered = pairs.with_columns(span=pl.Series(node, dtype=pl.Int64))
    joined = rows.join(numbered, on=["cell", "leaf"], how="left", maintain_order="left")
    spans = tuple(reader.spans)
    span_sizes = np.array([len(leaves) for leaves in spans], dtype=np.float64)
    losses = (span_sizes - 1) / max(len(hierarchy.leaves) - 1, 1)
    levels = np.array(reader.levels) / max(hierarchy.height, 1)
    return joined["span"].to_numpy(), spans, losses, levels


def _fill_missing(hierarchy: Hierarchy, cells: pl.Series) -> pl.Series:
    """Missing cells as the hierarchy's leaf for them, if it has one."""
    null_leaves = set(hierarchy.leaves.filter(hierarchy.leaves.is_in(NULL_LEAVES)))
    name = next((name for name in NULL_LEAVES if name in null_leaves), None)
    return cells if name is None else cells.fill_null(name)


class _SpanReader:
    """Collects the spans that occur; a span is a node (level, place) or a cell's text."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.labels = [canonicalize_column(names).to_list() for names in hierarchy.names]
        self.lowest: dict[str, tuple[int, int]] = {}
        for level in reversed(range(len(self.labels))):
            self.lowest |= {label: (level, node) for node, label in enumerate(self.labels[level])}
        self.written = ColumnReader(hierarchy.column, lambda: canonicalize_column(hierarchy.leaves))
        self.spans: list[np.ndarray] = []
        self.levels: list[int] = []
        self._span_numbers: dict[tuple[int, int] | str, int] = {}

    def read(self, cells: pl.Series, leaves: np.ndarray, released: pl.Series) -> list[int]:
        """The span of every pair of a cell and the true leaf behind it."""
        spans = [self._find_span(c, int(f)) for c, f in zip(cells, leaves, strict=True)]
        unknown = {cell for cell, span in zip(cells, spans, strict=True) if span is None}
        if unknown:
            released_texts = canonicalize_column(released)
            is_unknown = released_texts.is_in([c for c in unknown if c is not None]).fill_null(
                None in unknown
            )
            raise missing_leaf_error(
                self.hierarchy.column, released.filter(is_unknown), self.hierarchy.leaves
            )
        return [span for span in spans if span is not None]

    def _find_span(self, cell: str | None, leaf: int) -> int | None:
        if cell is None:
            return None
        if cell not in self.lowest:
            return self._parse_span(cell)
        up = self.hierarchy.up
        if leaf == UNKNOWN_LEAF:
            return self._unambiguous_span(cell)
        above = (
            (level, int(up[level, leaf]))
            for level in range(self.lowest[cell][0], len(up))
            if self.labels[level][up[level, leaf]] == cell
        )
        level, node = next(above, self.lowest[cell])
        return self._register_span((level, node), np.flatnonzero(up[level] == node), level)

    def _unambiguous_span(self, label: str) -> int:
        """The lowest node with a label, whichever row it stands in."""
        up, (lowest, first) = self.hierarchy.up, self.lowest[label]
        leaves = np.flatnonzero(up[lowest] == first)
        for level in range(lowest, len(up)):
            nodes = [node for node, name in enumerate(self.labels[level]) if name == label]
            if any(not np.array_equal(np.flatnonzero(up[level] == n), leaves) for n in nodes):
                column = self.hierarchy.column
                raise InputError(
                    "{column}: '{label}' stands for different values on different levels of its "
                    "hierarchy, so rows are needed beside their originals: use --engine local",
                    column=column,
                    label=label,
                )
        return self._register_span((lowest, first), leaves, lowest)

    def _parse_span(self, text: str) -> int | None:
        """A range, a set, or `*`; None for anything else, or if it covers nothing."""
        cell = self.written.read(text)
        if cell.shape in (CellShape.PLAIN, CellShape.UNREAD):
            return None
        missing_leaf = self.hierarchy.leaves.is_in(NULL_LEAVES).to_numpy() & (None in cell.members)
        leaves = np.flatnonzero(self.written.covered(cell) | missing_leaf)
        if not len(leaves):
            return None
        nodes = self.hierarchy.up[:, leaves]
        lowest = int(np.argmax((nodes == nodes[:, :1]).all(axis=1)))  # one node above all of them
        return self._register_span(text, leaves, lowest)

    def _register_span(self, key: tuple[int, int] | str, leaves: np.ndarray, level: int) -> int:
        if key not in self._span_numbers:
            self._span_numbers[key] = len(self.spans)
            self.spans.append(leaves)
            self.levels.append(level)
        return self._span_numbers[key]
