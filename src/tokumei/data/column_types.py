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
        frame = frame.with_columns(_converted(frame, likely, dtype))
    return frame


def _may_be(sample: pl.Series, pattern: str) -> bool:
    """Whether the first cells allow the type: spares most columns the full check."""
    return sample.dtype == pl.String and bool(sample.str.contains(pattern).all())


def _converted(frame: pl.DataFrame, names: list[str], dtype: pl.DataType) -> list[pl.Series]:
    """Those of the named columns of which every cell is of the type, in that type."""
    changed = frame.select(_convert(pl.col(name), dtype) for name in names)
    names = [s.name for s in changed if _is_whole(s, frame[s.name])]
    written = frame.select(_well_written(pl.col(name), dtype) for name in names)
    return [changed[name] for name in names if written[name].item()]


def _convert(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    if dtype == pl.Date:
        return column.str.strptime(pl.Date, "%Y-%m-%d", strict=False, cache=False)
    return column.cast(dtype, strict=False)


def _is_whole(series: pl.Series, text: pl.Series) -> bool:
    """Whether every cell could be converted, to something finite, and there is one."""
    if series.null_count() > text.null_count() or series.null_count() == len(series):
        return False
    return series.dtype != pl.Float64 or bool(series.is_finite().all())


def _well_written(column: pl.Expr, dtype: pl.DataType) -> pl.Expr:
    """Whether every cell, convertible as it is, keeps to the type's pattern."""
    if dtype == pl.Date:
        return column.str.contains(_PATTERNS[dtype]).all()
    # Of convertible numbers only these can break the pattern: matching few cells saves time.
    starts = [column.str.starts_with(start) for start in ("0", "-0", "+")]
    kept = column.filter(pl.any_horizontal(starts)).str.contains(_PATTERNS[dtype]).all()
    if dtype == pl.Float64:
        # Whole numbers that came this far do not fit 64 bits; as reals they would lose digits.
        kept &= ~column.head(_SAMPLE).str.contains(_PATTERNS[pl.Int64()]).all() | ~(
            column.str.contains(_PATTERNS[pl.Int64()]).all()
        )
    return kept
