"""Hierarchies of values of a known kind, made from a column's values and found by a name.

    known_hierarchy("postal", series)       # 1000001 → 100* → 10* → 1* → *
    known_hierarchy("suppress", series)     # every value → *
    known_of_texts(series)                  # the name that suits a column of texts, if any does

Texts of many values are never merged into lists of each other: what a list names has left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import polars as pl

from tokumei.core.text import Language
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.dates import MOMENT, date_hierarchy, readable_as_dates
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import interval_hierarchy
from tokumei.tables.hierarchies.merging import code_lengths, prefixes
from tokumei.tables.hierarchies.values import Values, hierarchy_of

MANY = 20
"""Texts with more values than this are not listed in sets."""
_POSTAL = r"^[0-9]{3}-?[0-9]{4}$"
_DIGITS = (3, 2, 1)
_FEWEST = 3


def known_hierarchy(name: str, series: pl.Series) -> Hierarchy:
    """The hierarchy of that name over the values of a column."""
    return KNOWN[name](series)


def known_of_texts(series: pl.Series) -> str | None:
    """Which hierarchy suits the texts of a column; None: they are few, and of no known kind."""
    values = series.unique().cast(pl.String).replace("", None).drop_nulls()
    if len(values) < _FEWEST:
        return None
    if values.str.contains(_POSTAL).all():
        return "postal"
    if any(values.is_in(_prefectures(language).implode()).all() for language in ("ja", "en")):
        return "prefecture"
    if values.str.contains(MOMENT).any() and readable_as_dates(Values.of(values)):
        return "moments"
    if len(values) <= MANY:
        return None
    return "codes" if code_lengths(values.sort()) else "suppress"


@cache
def _prefectures(language: Language) -> pl.Series:
    return builtin_hierarchy("prefecture", labels=language).leaves


def _postal(series: pl.Series) -> Hierarchy:
    values = Values.of(series)
    return hierarchy_of(values, [prefixes(values.text, length) for length in _DIGITS])


def _codes(series: pl.Series) -> Hierarchy:
    values = Values.of(series)
    return hierarchy_of(values, [prefixes(values.text, n) for n in code_lengths(values.text)])


def _suppress(series: pl.Series) -> Hierarchy:
    return hierarchy_of(Values.of(series), [])


def _calendar(series: pl.Series) -> Hierarchy:
    return date_hierarchy(series, levels=["month", "year", "half-decade", "decade"])


def _age(series: pl.Series) -> Hierarchy:
    return interval_hierarchy(series, widths=[5, 10, 20])


def _degrees(series: pl.Series) -> Hierarchy:
    """A hundredth of a degree of latitude is 1.1 km, of longitude at most as much."""
    return interval_hierarchy(series.cast(pl.Float64), widths=["0.01", "0.1", "1"])


KNOWN: dict[str, Callable[[pl.Series], Hierarchy]] = {
    "postal": _postal,
    "codes": _codes,
    "suppress": _suppress,
    "calendar": _calendar,
    "moments": _calendar,
    "age-bands": _age,
    "degrees": _degrees,
}
"""Those made from values; `prefecture` is built in."""
BY_TYPE = {
    "birth_date": "calendar",
    "date": "calendar",
    "datetime": "calendar",
    "age": "age-bands",
    "lat": "degrees",
    "lon": "degrees",
}
"""By what numbers and days mean. Amounts get bands of 1, 2 and 5 as all numbers do (`auto`)."""
