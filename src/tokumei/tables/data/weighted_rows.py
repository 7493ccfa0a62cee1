"""Weighted rows: frames whose column `tokumei_rows` says how many rows each row counts for.

    counts = row_count_column(frame)           # None: every row stands for itself

So the distinct rows of a table that is too large for this machine can be handled like a table.
"""

from __future__ import annotations

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
