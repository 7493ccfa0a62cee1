"""Detects suppression without a notation: marks for missing cells, cut digits.

find_suppression_marks((original, None), (released, None))    # frozenset({None, "?"})
are_truncated(original, released)                             # 1301, 1302 became 130
"""

from __future__ import annotations

import numpy as np
import polars as pl


def find_suppression_marks(
    original: tuple[pl.Series, np.ndarray | None], released: tuple[pl.Series, np.ndarray | None]
) -> frozenset[str | None]:
    """Missing cells and marks for them that are more frequent in the release than before."""
    from tokumei.tables.profiling.distinct_cells import is_missing

    released_cells, text_types = released[0], (pl.String, pl.Categorical, pl.Enum)
    marks: list[str | None] = [None] if released_cells.null_count() else []
    if released_cells.dtype in text_types:
        cells = released_cells.cast(pl.String).unique().drop_nulls()
        missing = is_missing(cells.str.normalize("NFKC"), words=original[0].dtype not in text_types)
        marks += cells.filter(missing).to_list()
    return frozenset(
        mark
        for mark in marks
        if _count_rows_with(mark, *released) > _count_rows_with(mark, *original)
    )


def _count_rows_with(mark: str | None, series: pl.Series, counts: np.ndarray | None) -> int:
    same = series.is_null() if mark is None else series.cast(pl.String) == mark
    flags = same.fill_null(False).to_numpy()
    return int(flags.sum() if counts is None else counts[flags].sum())


def are_truncated(original: pl.Series, released: pl.Series) -> bool:
    """Whether whole numbers became their first digits: equally many, fewer than in any before."""
    smallest = (original.min(), released.min())
    if not all(isinstance(column, int) and column >= 1 for column in smallest):
        return False
    before, after = (
        {len(str(column.min())), len(str(column.max()))} for column in (original, released)
    )
    return len(before) == len(after) == 1 and max(before) > max(after)


def are_numeric_or_dates(*columns: pl.Series) -> bool:
    """Whether all columns hold numbers or dates."""
    return all(
        column.dtype.is_numeric() or column.dtype in (pl.Date, pl.Datetime) for column in columns
    )
