"""What is shown of cells without any value: shapes, and counts of numbers or years in equal steps.


shape("山田 太郎")      # CC CC
shape("090-1234-5678")  # 999-9999-9999
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import lru_cache

import polars as pl

from tokumei.core.written.dates import Style
from tokumei.tables.look.column_cells import ColumnCells

_KINDS = {"0-9": "9", "A-Z": "A", "a-z": "a", "ぁ-ゖ": "あ", "ァ-ヺ": "ア", "ー-ー": "ア"}
_SIGNS = {
    sign: kind for ends, kind in _KINDS.items() for sign in range(ord(ends[0]), ord(ends[2]) + 1)
}
_OTHER_LETTER = re.compile(r"[^\W\d_9Aaあア]")
_RUN = re.compile(r"([Aaあア])\1{4,}|(C)\2{4,}|(9)\3{12,}")
_LONGEST = 28
_SAMPLE = 2_000
STEPS = 16


def shape(cell: str) -> str:
    """A cell (after NFKC) as its shape; long runs are shortened."""
    return _shortened(_OTHER_LETTER.sub("C", cell.translate(_SIGNS)))


@lru_cache(1024)
def _shortened(kinds: str) -> str:
    kinds = _RUN.sub(lambda run: run[0][:2] + "+", " ".join(kinds.split()))
    return kinds if len(kinds) <= _LONGEST else kinds[: _LONGEST - 1] + "…"


def top_shapes(cells: ColumnCells, most: int = 3) -> list[tuple[str, float]]:
    """The most frequent shapes with their shares of the filled cells."""
    text, weights = (series.head(_SAMPLE) for series in cells.sample)
    counts: Counter[str] = Counter()
    for cell, weight in zip(text.to_list(), weights.to_list(), strict=True):
        counts[shape(cell)] += weight
    total = max(int(weights.sum()), 1)
    return [(form, count / total) for form, count in counts.most_common(most)]


def bins_of(cells: ColumnCells, kind: str, role: str, style: Style) -> tuple[int, ...]:
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
    places = ((values - low) / (high - low) * STEPS).floor().clip(0, STEPS - 1).cast(pl.Int64)
    sums = pl.DataFrame({"place": places, "n": weights}).group_by("place").agg(pl.col("n").sum())
    found = dict(sums.iter_rows())
    return tuple(found.get(step, 0) for step in range(STEPS))
