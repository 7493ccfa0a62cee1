"""Hierarchies of dates: day → month → quarter → year → decade → `*`.

date_hierarchy(series)                               # 2011-01-05 → 2011-01 → 2011-Q1 → 2011 → 2010s
date_hierarchy(series, levels=["year", "decade"])    # a birth date
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.column_values import (
    ColumnValues,
    build_hierarchy,
    unfit_values_error,
)
from tokumei.tables.hierarchies.hierarchy import Hierarchy

_LEVEL_LABELS = {
    "day": pl.col("day").dt.strftime("%Y-%m-%d"),
    "month": pl.col("day").dt.strftime("%Y-%m"),
    "quarter": pl.format("{}-Q{}", pl.col("day").dt.strftime("%Y"), pl.col("day").dt.quarter()),
    "year": pl.col("day").dt.strftime("%Y"),
    "half-decade": pl.format(
        "[{};{}]", pl.col("day").dt.year() // 5 * 5, pl.col("day").dt.year() // 5 * 5 + 4
    ),
    "decade": pl.format("{}0s", pl.col("day").dt.strftime("%Y").str.head(3)),
}
DATE_LEVELS = tuple(_LEVEL_LABELS)
DEFAULT_LEVELS = ("month", "quarter", "year", "decade")
DATETIME_PATTERN = r"^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}.*$"
_DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%Y年%m月%d日")


def date_hierarchy(series: pl.Series, *, levels: Sequence[str] = DEFAULT_LEVELS) -> Hierarchy:
    """Dates by the named levels, in the order of LEVELS; times have a level `day` besides.

    Text is read as a date if all of it is written in one of the usual ways.
    """
    _require_levels(levels)
    values = ColumnValues.of(series)
    days = pl.DataFrame({"day": _require_days(values)})
    has_times = values.values.dtype == pl.Datetime or bool(
        values.text.str.contains(DATETIME_PATTERN).any()
    )
    all_levels = (["day"] if has_times and "day" not in levels else []) + list(levels)
    return build_hierarchy(
        values, [days.select(_LEVEL_LABELS[level]).to_series() for level in all_levels]
    )


def readable_as_dates(values: ColumnValues) -> bool:
    """Whether all values are dates, or text written as dates."""
    return len(values) > 0 and not _parse_days(values).null_count()


def _require_days(values: ColumnValues) -> pl.Series:
    days = _parse_days(values)
    if days.null_count():
        message = Message("dates are written like 2011-01-31")
        raise unfit_values_error(values, np.flatnonzero(days.is_null().to_numpy()), message)
    return days


def _parse_days(values: ColumnValues) -> pl.Series:
    """The day of every value; null where it is none (by the way of writing that suits most)."""
    if values.values.dtype in (pl.Date, pl.Datetime):
        return values.values.cast(pl.Date)
    if values.values.dtype.is_float():
        return pl.Series([None], dtype=pl.Date).new_from_index(0, len(values))
    text = values.text.str.replace(DATETIME_PATTERN, "$1")
    attempts = [
        text.str.to_date(date_format, strict=False, exact=True) for date_format in _DATE_FORMATS
    ]
    return min(attempts, key=lambda days: days.null_count())


def _require_levels(levels: Sequence[str]) -> None:
    for level in levels:
        if level not in DATE_LEVELS:
            raise UnknownNameError(Message("date level"), level, DATE_LEVELS)
    if list(levels) != sorted(set(levels), key=DATE_LEVELS.index):
        raise UsageError(
            "date levels go in this order, each once: {levels}",
            levels=", ".join(DATE_LEVELS),
        )
