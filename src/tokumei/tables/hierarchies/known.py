"""Hierarchies of values of a known kind, made from a column's values and found by a name.

    known_hierarchy("postal", series)       # 1000001 → 100* → 10* → 1* → *
    known_hierarchy("postcode", series)     # SW1A 1AA → SW1A* → SW* → *
    known_hierarchy("suppress", series)     # every value → *
    known_of_texts(series)                  # the name that suits a column of texts, if any does

Texts of many values are never merged into lists of each other: what a list names has left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.text import Language, Text
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.dates import MOMENT, date_hierarchy, readable_as_dates
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import interval_hierarchy
from tokumei.tables.hierarchies.merging import code_lengths, prefix_hierarchy, prefixes
from tokumei.tables.hierarchies.values import Values, hierarchy_of, unfit

MANY = 20
"""Texts with more values than this are not listed in sets."""
_POSTAL = r"^[0-9]{3}-?[0-9]{4}$"
_AREA = r"^([A-Za-z]{1,2})[0-9][0-9A-Za-z]?[ -][0-9][A-Za-z0-9]{2}$"
_PARTED = r"^([0-9]{2,5})[ -][A-Za-z0-9]{2,4}$"
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
    if _parts(values) is not None:
        return "postcode"
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


def _postcode(series: pl.Series) -> Hierarchy:
    values = Values.of(series)
    parts = _parts(values.text)
    if parts is None:
        says = Text("not a postal code in two parts", "二つの部分からなる郵便番号ではありません")
        raise unfit(values, np.arange(len(values)), says)
    return hierarchy_of(values, [part + STAR for part in parts])


def _parts(text: pl.Series) -> list[pl.Series] | None:
    """What stands before the blank, then its letters, or of digits the first; None: no such codes.

    SW1A 1AA: SW1A, SW. 94103-1234: 94103, 941, 9. Digits have one length: a label has one meaning.
    """
    area = text.str.extract(_AREA, 1)
    if not area.null_count():
        return [text.str.extract(r"^([A-Za-z0-9]+)", 1), area]
    part = text.str.extract(_PARTED, 1)
    if part.null_count() or part.str.len_chars().n_unique() > 1:
        return None
    length = part.str.len_chars()[0]
    return [part.str.head(n) for n in dict.fromkeys((length, length - 2, 1)) if n > 0]


def _codes(series: pl.Series) -> Hierarchy:
    values = Values.of(series)
    return hierarchy_of(values, [prefixes(values.text, n) for n in code_lengths(values.text)])


def _suppress(series: pl.Series) -> Hierarchy:
    return hierarchy_of(Values.of(series), [])


def _degrees(series: pl.Series) -> Hierarchy:
    """A hundredth of a degree of latitude is 1.1 km, of longitude at most as much."""
    return interval_hierarchy(series.cast(pl.Float64), widths=["0.01", "0.1", "1"])


_calendar = partial(date_hierarchy, levels=["month", "year", "half-decade", "decade"])
KNOWN: dict[str, Callable[[pl.Series], Hierarchy]] = {
    "postal": partial(prefix_hierarchy, lengths=(3, 2, 1)),
    "postcode": _postcode,
    "codes": _codes,
    "suppress": _suppress,
    "calendar": _calendar,
    "moments": _calendar,
    "age-bands": partial(interval_hierarchy, widths=[5, 10, 20]),
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
