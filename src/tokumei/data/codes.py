"""Dictionary codes: QI vectors as integers, the same integer for the same vector in both tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.data.cells import canonical


def class_codes(frame: pl.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """A dense class number per row; equal vectors share it. No columns: one class."""
    return _combine([_dense(frame[name]) for name in columns], frame.height)


def joint_codes(
    left: pl.DataFrame, right: pl.DataFrame, columns: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Class numbers over both frames, comparable between them whatever the column types."""
    stacked = [_dense(_stack(left[name], right[name])) for name in columns]
    codes = _combine(stacked, left.height + right.height)
    return codes[: left.height], codes[left.height :]


def _stack(left: pl.Series, right: pl.Series) -> pl.Series:
    if left.dtype == right.dtype and left.dtype.is_integer():
        return pl.concat([left, right])
    return pl.concat([canonical(left), canonical(right)])


def _dense(series: pl.Series) -> np.ndarray:
    ranks = series.rank("dense").fill_null(0)
    return ranks.to_numpy().astype(np.int64)


def _combine(columns: list[np.ndarray], rows: int) -> np.ndarray:
    codes = np.zeros(rows, dtype=np.int64)
    for column in columns:
        width = int(column.max(initial=0)) + 1
        _, codes = np.unique(codes * width + column, return_inverse=True)
    return codes.astype(np.int64)
