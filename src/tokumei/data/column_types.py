"""The type of every text column, decided by all its cells and by nothing else.

    integer   every cell is a whole number without leading zeros that fits 64 bits
    real      every cell is a finite decimal or scientific number without leading zeros
    date      every cell is a date written yyyy-mm-dd
    text      anything else: codes such as 007, numbers beside NaN, whole numbers beyond 64 bits

Empty cells do not take part; a column without any value is text.
"""

from __future__ import annotations

import polars as pl

_SAMPLE = 256
_PATTERNS: dict[pl.DataType, str] = {
    pl.Int64(): r"^-?(0|[1-9][0-9]*)$",
    pl.Float64(): r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$",
    pl.Date(): r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$",
}


def typed(frame: pl.DataFrame) -> pl.DataFrame:
    """A frame of text columns with each column in its own type."""
    for dtype, pattern in _PATTERNS.items():
        likely = [s.name for s in frame.head(_SAMPLE) if _may_be(s, pattern)]
        names = _all_match(frame, likely, pattern)
        changed = frame.select(_convert(pl.col(name), dtype) for name in names)
        whole = [s for s in changed if _lost_nothing(s, frame[s.name])]
        frame = frame.with_columns(whole)
    return frame


def _may_be(sample: pl.Series, pattern: str) -> bool:
    """Whether the first cells allow the type: spares most columns the full check."""
    return sample.dtype == pl.String and bool(sample.str.contains(pattern).all())


def _all_match(frame: pl.DataFrame, names: list[str], pattern: str) -> list[str]:
    if not names:
        return []
    checks = frame.select(
        pl.col(names).str.contains(pattern).all() & (pl.col(names).null_count() < frame.height)
    )
    return [name for name in names if checks[name].item()]


def _convert(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype == pl.Date:
        return column.str.to_date("%Y-%m-%d", strict=False)
    return column.cast(dtype, strict=False)


def _lost_nothing(series: pl.Series, text: pl.Series) -> bool:
    if series.dtype == pl.Float64:
        # Whole numbers that came this far do not fit 64 bits: as reals they would lose digits.
        whole = text.str.contains(_PATTERNS[pl.Int64()]).all()
        return not whole and bool(series.is_finite().all())
    return series.null_count() == text.null_count()
