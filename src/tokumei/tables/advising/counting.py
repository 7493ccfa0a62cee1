"""How well a table of counts can still be made: the share of people who end in a wrong cell.

    miscounted(case, ("age", "sex"))        # 0: every count is right; 1: none is

Whoever counts a generalized release spreads each row evenly over the values that its cells may
stand for. With x the original's joint shares, y those of the release and g the share of rows left
out, the figure is (Σ|x − y| + g) / 2: how much would have to be moved or added.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
import polars as pl

from tokumei.core.cells import canonical, codes_in
from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.data.comparison import Comparison

GAP = "\0"
MOST_CELLS = 2_000_000
"""Larger tables are not spread: their cells would hold less than a person each."""


def miscounted(case: Comparison, names: Sequence[str]) -> float | None:
    """The share of people in a wrong cell, or in none; None: too many cells to count."""
    if not {*names} <= {*case.released.schema.names}:
        return 1.0
    frames = (case.original.frame, case.released.frame)
    sizes = [[frame[name].n_unique() for frame in frames] for name in names]
    if prod(map(max, sizes)) > MOST_CELLS or max(map(prod, sizes)) > MOST_CELLS:
        return None
    columns = [_Spread.of(case, name) for name in names]
    before = _table([one.before for one in columns], [len(one.values) for one in columns])
    after = _table([one.after for one in columns], [len(one.cells) for one in columns])
    for one in columns:  # each turn replaces the first axis by the values it stands for
        after = np.tensordot(after, one.shares, axes=(0, 0))
    rows = case.original.rows
    left_out = 1 - case.released.rows / rows
    return float((np.abs(before - after).sum() / rows + left_out) / 2)


class _Spread:
    """A column: its values, its released cells, and how each cell is spread over values."""

    def __init__(self, original: pl.Series, released: pl.Series, reader: ColumnReader) -> None:
        texts = canonical(released)
        self.values, self.cells = reader.values, texts.unique().sort(nulls_last=False)
        self.before = _places(canonical(original), self.values)
        self.after = _places(texts, self.cells)
        inside = np.array([reader.covered(reader.read(text)) for text in self.cells], dtype=float)
        # What no value explains is spread over all of them: it tells nothing.
        inside[inside.sum(axis=1) == 0] = 1.0
        self.shares = inside / inside.sum(axis=1, keepdims=True)

    @classmethod
    def of(cls, case: Comparison, name: str) -> _Spread:
        original, released = case.original.frame[name], case.released.frame[name]
        reader = case.readers.get(name) or ColumnReader.of(original, released)
        return cls(original, released, reader)


def _places(texts: pl.Series, names: pl.Series) -> np.ndarray:
    """Places in a list that may hold a gap, which is a value like any other."""
    return codes_in(texts.fill_null(GAP), names.fill_null(GAP))


def _table(codes: Sequence[np.ndarray], sizes: Sequence[int]) -> np.ndarray:
    flat = np.ravel_multi_index(tuple(codes), tuple(sizes))
    return np.bincount(flat, minlength=int(np.prod(sizes))).reshape(sizes).astype(float)
