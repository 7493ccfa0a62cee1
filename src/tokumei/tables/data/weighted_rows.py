"""Counts rows: those that a row stands for, and those that share all their cells.

    counts = row_count_column(frame)           # None: every row stands for itself
    class_sizes(public.select("age", "sex")).min()

The column `tokumei_rows` of a frame says how many rows each row counts for. So the distinct rows of
a table that is too large for this machine can be handled like a table.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import polars as pl

from tokumei.files.frame_conversion import COUNT_COLUMN as COUNT_COLUMN


def row_count_column(frame: pl.DataFrame) -> pl.Series | None:
    """How many rows each row stands for, if the frame says so."""
    return frame[COUNT_COLUMN] if COUNT_COLUMN in frame.columns else None


def total_rows(frame: pl.DataFrame) -> int:
    """How many rows the frame stands for."""
    counts = row_count_column(frame)
    return frame.height if counts is None else int(counts.sum())


def row_counts(frame: pl.DataFrame) -> np.ndarray | None:
    """How many rows each row stands for, as an array; None: every row for itself."""
    counts = row_count_column(frame)
    return None if counts is None else counts.cast(pl.Int64).to_numpy()


def count_class_rows(
    codes: np.ndarray, counts: np.ndarray | None, *, classes: int = 0
) -> np.ndarray:
    """How many rows every class has; sums stay exact in floats up to 2^53 rows."""
    if counts is None:
        return np.bincount(codes, minlength=classes)
    return np.bincount(codes, counts, minlength=classes).astype(np.int64)


_PACKED_BITS = 62
_INTEGER_TYPES = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.Date)


def class_sizes(frame: pl.DataFrame) -> np.ndarray:
    """For every distinct row, in no order, how many rows are equal to it."""
    packed = _pack_columns(frame)
    if len(packed) == 1 and isinstance(packed[0], np.ndarray):
        return np.unique(packed[0], return_counts=True)[1]
    vectors = pl.DataFrame([pl.Series(str(j), column) for j, column in enumerate(packed)])
    return vectors.group_by(vectors.columns).len("rows")["rows"].to_numpy()


def _pack_columns(frame: pl.DataFrame) -> list[np.ndarray | pl.Series]:
    """The same vectors in fewer columns: codes share a number as long as its bits last."""
    packed: list[np.ndarray | pl.Series] = []
    bits_left, shared_codes = 0, np.zeros(0, dtype=np.int64)
    for series in frame:
        encoded = _encode_column(series)
        if encoded is None:
            packed.append(series)
            bits_left = 0
            continue
        codes, largest = encoded
        bits = max(largest.bit_length(), 1)
        if bits > bits_left:
            shared_codes = np.zeros(len(codes), dtype=np.int64)
            packed.append(shared_codes)
            bits_left = _PACKED_BITS
        shared_codes <<= bits
        shared_codes += codes
        bits_left -= bits
    return packed


def _encode_column(series: pl.Series) -> tuple[np.ndarray, int] | None:
    """Whole numbers from 0 for the values of the column, and the largest; None: it is too large."""
    if series.dtype == pl.String:
        series = series.cast(pl.Categorical(pl.Categories.random()))
    if not (isinstance(series.dtype, pl.Categorical) or series.dtype in _INTEGER_TYPES):
        return None
    numbers = series.to_physical()
    low, high = (cast("int", end or 0) for end in (numbers.min(), numbers.max()))
    if high - low >= 2**_PACKED_BITS - 1:
        return None
    missing = int(numbers.null_count() > 0)
    if low or missing:
        numbers = (numbers.cast(pl.Int64) - low + missing).fill_null(0)
    return numbers.to_numpy(), high - low + missing
