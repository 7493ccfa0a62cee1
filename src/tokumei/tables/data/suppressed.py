"""What a release took away without a notation: marks for missing cells, last digits.

suppressed_marks((original, None), (released, None))    # frozenset({None, "?"})
are_cut(original, released)                             # 1301, 1302 became 130
"""

from __future__ import annotations

import numpy as np
import polars as pl


def suppressed_marks(
    original: tuple[pl.Series, np.ndarray | None], released: tuple[pl.Series, np.ndarray | None]
) -> frozenset[str | None]:
    """Missing cells and marks for them that are more frequent in the release than before."""
    from tokumei.tables.look.missing import is_missing

    shown, texts = released[0], (pl.String, pl.Categorical, pl.Enum)
    marks: list[str | None] = [None] if shown.null_count() else []
    if shown.dtype in texts:
        cells = shown.cast(pl.String).unique().drop_nulls()
        missing = is_missing(cells.str.normalize("NFKC"), words=original[0].dtype not in texts)
        marks += cells.filter(missing).to_list()
    return frozenset(
        mark for mark in marks if _rows_with(mark, *released) > _rows_with(mark, *original)
    )


def _rows_with(mark: str | None, series: pl.Series, counts: np.ndarray | None) -> int:
    same = series.is_null() if mark is None else series.cast(pl.String) == mark
    flags = same.fill_null(False).to_numpy()
    return int(flags.sum() if counts is None else counts[flags].sum())


def are_cut(original: pl.Series, released: pl.Series) -> bool:
    """Whether whole numbers became their first digits: equally many, fewer than in any before."""
    smallest = (original.min(), released.min())
    if not all(isinstance(one, int) and one >= 1 for one in smallest):
        return False
    before, after = ({len(str(one.min())), len(str(one.max()))} for one in (original, released))
    return len(before) == len(after) == 1 and max(before) > max(after)


def are_typed(*columns: pl.Series) -> bool:
    """Whether all columns hold numbers or dates."""
    return all(one.dtype.is_numeric() or one.dtype in (pl.Date, pl.Datetime) for one in columns)
