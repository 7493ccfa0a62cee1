"""Shapes of cells and histograms, which show no value.


shape("山田 太郎")      # CC CC
shape("090-1234-5678")  # 999-9999-9999
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

import polars as pl

from tokumei.core.parsing.dates import DateStyle
from tokumei.tables.profiling.column_cells import ColumnCells

_CHARACTER_RANGES = {
    "0-9": "9",
    "A-Z": "A",
    "a-z": "a",
    "ぁ-ゖ": "あ",
    "ァ-ヺ": "ア",
    "ー-ー": "ア",
}
_SHAPE_TABLE = {
    sign: kind
    for ends, kind in _CHARACTER_RANGES.items()
    for sign in range(ord(ends[0]), ord(ends[2]) + 1)
}
_OTHER_LETTER = re.compile(r"[^\W\d_9Aaあア]")
_LONG_RUN = re.compile(r"([Aaあア])\1{4,}|(C)\2{4,}|(9)\3{12,}")
_MAX_SHAPE_LENGTH = 28
_SAMPLE_SIZE = 2_000
HISTOGRAM_BINS = 16


def cell_shape(cell: str) -> str:
    """A cell (after NFKC) as its shape; long runs are shortened."""
    return _shorten_shape(_OTHER_LETTER.sub("C", cell.translate(_SHAPE_TABLE)))


@lru_cache(1024)
def _shorten_shape(symbols: str) -> str:
    symbols = _LONG_RUN.sub(lambda run: run[0][:2] + "+", " ".join(symbols.split()))
    return symbols if len(symbols) <= _MAX_SHAPE_LENGTH else symbols[: _MAX_SHAPE_LENGTH - 1] + "…"


def top_shapes(cells: ColumnCells, max_shapes: int = 3) -> list[tuple[str, float]]:
    """The most frequent shapes with their shares of the filled cells."""
    text, weights = (series.head(_SAMPLE_SIZE) for series in cells.sample)
    counts: Counter[str] = Counter()
    for cell, weight in zip(text.to_list(), weights.to_list(), strict=True):
        counts[cell_shape(cell)] += weight
    total = max(int(weights.sum()), 1)
    return [(shape_text, count / total) for shape_text, count in counts.most_common(max_shapes)]


def histogram_counts(cells: ColumnCells, kind: str, role: str, style: DateStyle) -> tuple[int, ...]:
    """How many cells lie in each of the steps between the smallest and largest value."""
    if role in ("identifier", "person") or not cells.total:
        return ()
    if kind == "numeric":
        values = cells.numbers.values
    elif kind == "date":
        values = cells.days(style)["day"].to_physical().cast(pl.Float64)
    else:
        return ()
    weights, values = cells.weights.filter(values.is_not_null()), values.drop_nulls()
    if not len(values):
        return ()
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    if low == high:
        return ()
    if math.isinf(high - low):  # more than a float holds; halves are not
        values, low, high = values / 2, low / 2, high / 2
    bin_numbers = (
        ((values - low) / (high - low) * HISTOGRAM_BINS)
        .floor()
        .clip(0, HISTOGRAM_BINS - 1)
        .cast(pl.Int64)
    )
    sums = (
        pl.DataFrame({"place": bin_numbers, "n": weights}).group_by("place").agg(pl.col("n").sum())
    )
    bin_counts = dict(sums.iter_rows())
    return tuple(bin_counts.get(step, 0) for step in range(HISTOGRAM_BINS))
