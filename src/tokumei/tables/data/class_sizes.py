"""How many rows share all their cells, counted without what any method knows of its classes.

class_sizes(public.select("age", "sex")).min()
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import polars as pl

_BITS = 62
_WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.Date)


def class_sizes(frame: pl.DataFrame) -> np.ndarray:
    """For every distinct row, in no order, how many rows are equal to it."""
    packed = _packed(frame)
    if len(packed) == 1 and isinstance(packed[0], np.ndarray):
        return np.unique(packed[0], return_counts=True)[1]
    vectors = pl.DataFrame([pl.Series(str(j), column) for j, column in enumerate(packed)])
    return vectors.group_by(vectors.columns).len("rows")["rows"].to_numpy()


def _packed(frame: pl.DataFrame) -> list[Any]:
    """The same vectors in fewer columns: codes share a number as long as its bits last."""
    packed: list[Any] = []
    room = 0
    for series in frame:
        found = _coded(series)
        if found is None:
            packed.append(series)
            room = 0
            continue
        codes, most = found
        bits = max(most.bit_length(), 1)
        if bits > room:
            packed.append(np.zeros(len(codes), dtype=np.int64))
            room = _BITS
        packed[-1] <<= bits
        packed[-1] += codes
        room -= bits
    return packed


def _coded(series: pl.Series) -> tuple[np.ndarray, int] | None:
    """Whole numbers from 0 for the values of the column, and the largest; None: it is too large."""
    if series.dtype == pl.String:
        series = series.cast(pl.Categorical(pl.Categories.random()))
    if not (isinstance(series.dtype, pl.Categorical) or series.dtype in _WHOLE):
        return None
    numbers = series.to_physical()
    low, high = (cast("int", end or 0) for end in (numbers.min(), numbers.max()))
    if high - low >= 2**_BITS - 1:
        return None
    missing = int(numbers.null_count() > 0)
    if low or missing:
        numbers = (numbers.cast(pl.Int64) - low + missing).fill_null(0)
    return numbers.to_numpy(), high - low + missing
