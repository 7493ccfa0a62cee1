"""Hierarchies of dates: day → month → quarter → year → decade → `*`.

date_hierarchy(series)                               # 2011-01-05 → 2011-01 → 2011-Q1 → 2011 → 2010s
date_hierarchy(series, levels=["year", "decade"])    # a birth date
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.values import Values, hierarchy_of, unfit

_LABELS = {
    "day": pl.col("day").dt.strftime("%Y-%m-%d"),
    "month": pl.col("day").dt.strftime("%Y-%m"),
    "quarter": pl.format("{}-Q{}", pl.col("day").dt.strftime("%Y"), pl.col("day").dt.quarter()),
    "year": pl.col("day").dt.strftime("%Y"),
    "half-decade": pl.format(
        "[{};{}]", pl.col("day").dt.year() // 5 * 5, pl.col("day").dt.year() // 5 * 5 + 4
    ),
    "decade": pl.format("{}0s", pl.col("day").dt.strftime("%Y").str.head(3)),
}
LEVELS = tuple(_LABELS)
DEFAULT = ("month", "quarter", "year", "decade")
MOMENT = r"^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}.*$"
_WRITTEN = ("%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%Y年%m月%d日")


def date_hierarchy(series: pl.Series, *, levels: Sequence[str] = DEFAULT) -> Hierarchy:
    """Dates by the named levels, in the order of LEVELS; times have a level `day` besides.

    Text is read as a date if all of it is written in one of the usual ways.
    """
    _require(levels)
    values = Values.of(series)
    days = pl.DataFrame({"day": _days(values)})
    timed = values.values.dtype == pl.Datetime or bool(values.text.str.contains(MOMENT).any())
    wanted = (["day"] if timed and "day" not in levels else []) + list(levels)
    return hierarchy_of(values, [days.select(_LABELS[level]).to_series() for level in wanted])


def readable_as_dates(values: Values) -> bool:
    """Whether all values are dates, or text written as dates."""
    return len(values) > 0 and not _parsed(values).null_count()


def _days(values: Values) -> pl.Series:
    days = _parsed(values)
    if days.null_count():
        says = Text("dates are written like 2011-01-31", "日付は 2011-01-31 のように書きます")
        raise unfit(values, np.flatnonzero(days.is_null().to_numpy()), says)
    return days


def _parsed(values: Values) -> pl.Series:
    """The day of every value; null where it is none (by the way of writing that suits most)."""
    if values.values.dtype in (pl.Date, pl.Datetime):
        return values.values.cast(pl.Date)
    if values.values.dtype.is_float():
        return pl.Series([None], dtype=pl.Date).new_from_index(0, len(values))
    text = values.text.str.replace(MOMENT, "$1")
    tried = [text.str.to_date(way, strict=False, exact=True) for way in _WRITTEN]
    return min(tried, key=lambda days: days.null_count())


def _require(levels: Sequence[str]) -> None:
    for level in levels:
        if level not in LEVELS:
            raise UnknownNameError(Text("date level", "日付の段"), level, LEVELS)
    if list(levels) != sorted(set(levels), key=LEVELS.index):
        raise UsageError(
            f"date levels go in this order, each once: {', '.join(LEVELS)}",
            f"日付の段はこの順に一度ずつ: {', '.join(LEVELS)}",
        )
