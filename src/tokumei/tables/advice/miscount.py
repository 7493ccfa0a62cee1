"""Miscount: the share of people counted in a wrong cell of a table of counts.

    miscount_share(case, ("age", "sex"))        # 0: every count is right; 1: none is

Whoever counts a generalized release spreads each row evenly over the values that its cells may
stand for. With x the original's joint shares, y those of the release and g the share of rows left
out, the figure is (Σ|x − y| + g) / 2: how much would have to be moved or added.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_column, positions_in
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.comparison import Comparison

GAP_MARKER = "\0"
MAX_CELLS = 2_000_000
"""Larger tables are not spread: their cells would hold less than a person each."""


def miscount_share(case: Comparison, names: Sequence[str]) -> float | None:
    """The share of people in a wrong cell, or in none; None: too many cells to count."""
    if not {*names} <= {*case.released.schema.names}:
        return 1.0
    frames = (case.original.frame, case.released.frame)
    sizes = [[frame[name].n_unique() for frame in frames] for name in names]
    if prod(map(max, sizes)) > MAX_CELLS or max(map(prod, sizes)) > MAX_CELLS:
        return None
    columns = [_SpreadColumn.of(case, name) for name in names]
    before = _count_cells(
        [column.before for column in columns], [len(column.values) for column in columns]
    )
    after = _count_cells(
        [column.after for column in columns], [len(column.cells) for column in columns]
    )
    for column in columns:  # each turn replaces the first axis by the values it stands for
        after = np.tensordot(after, column.shares, axes=(0, 0))
    rows = case.original.rows
    suppressed_share = 1 - case.released.rows / rows
    return float((np.abs(before - after).sum() / rows + suppressed_share) / 2)


class _SpreadColumn:
    """A column: its values, its released cells, and how each cell is spread over values."""

    def __init__(self, original: pl.Series, released: pl.Series, reader: ColumnReader) -> None:
        texts = canonicalize_column(released)
        self.values, self.cells = reader.values, texts.unique().sort(nulls_last=False)
        self.before = _encode_texts(canonicalize_column(original), self.values)
        self.after = _encode_texts(texts, self.cells)
        is_covered = np.array(
            [reader.covered(reader.read(text)) for text in self.cells], dtype=float
        )
        # What no value explains is spread over all of them: it tells nothing.
        is_covered[is_covered.sum(axis=1) == 0] = 1.0
        self.shares = is_covered / is_covered.sum(axis=1, keepdims=True)

    @classmethod
    def of(cls, case: Comparison, name: str) -> _SpreadColumn:
        original, released = case.original.frame[name], case.released.frame[name]
        reader = case.readers.get(name) or ColumnReader.of(original, released)
        return cls(original, released, reader)


def _encode_texts(texts: pl.Series, names: pl.Series) -> np.ndarray:
    """Places in a list that may hold a gap, which is a value like any other."""
    return positions_in(texts.fill_null(GAP_MARKER), names.fill_null(GAP_MARKER))


def _count_cells(codes: Sequence[np.ndarray], sizes: Sequence[int]) -> np.ndarray:
    flat = np.ravel_multi_index(tuple(codes), tuple(sizes))
    return np.bincount(flat, minlength=int(np.prod(sizes))).reshape(sizes).astype(float)
