"""Dictionary codes: QI vectors as integers, the same integer for the same vector in both tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.data.cells import canonical

ROW = "tokumei_row"


def class_codes(frame: pl.DataFrame, columns: Sequence[str]) -> np.ndarray:
    """A dense class number per row, by first appearance; equal vectors share it.

    No columns: one class.
    """
    return _number(frame.select(columns), frame.height)


def joint_codes(
    left: pl.DataFrame, right: pl.DataFrame, columns: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Class numbers over both frames, comparable between them whatever the column types."""
    stacked = pl.DataFrame([_stack(left[name], right[name]) for name in columns])
    codes = _number(stacked, left.height + right.height)
    return codes[: left.height], codes[left.height :]


def dense_codes(series: pl.Series, values: pl.Series) -> np.ndarray:
    """The place of every cell in `values`, its sorted distinct values (null first)."""
    if not len(values):
        return np.zeros(0, dtype=np.int32)
    ranks = series.rank("dense").cast(pl.Int64) - (0 if values[0] is None else 1)
    return ranks.fill_null(0).to_numpy().astype(np.int32)


def _stack(left: pl.Series, right: pl.Series) -> pl.Series:
    if left.dtype == right.dtype and left.dtype.is_integer():
        return pl.concat([left, right])
    return pl.concat([canonical(left), canonical(right).alias(left.name)])


def _number(frame: pl.DataFrame, rows: int) -> np.ndarray:
    codes = np.zeros(rows, dtype=np.int64)
    if frame.width == 0 or rows == 0:
        return codes
    names = frame.columns
    members = frame.with_row_index(ROW).group_by(names, maintain_order=True).agg(ROW)[ROW]
    sizes = members.list.len().to_numpy()
    codes[members.explode().to_numpy()] = np.repeat(np.arange(len(sizes)), sizes)
    return codes
