"""Builds hierarchies for values of a known type.

    build_typed_hierarchy("postal", series)       # 1000001 → 100* → 10* → 1* → *
    build_typed_hierarchy("postcode", series)     # SW1A 1AA → SW1A* → SW* → *
    build_typed_hierarchy("suppress", series)     # every value → *
    detect_text_hierarchy(series)  # the name that suits a column of texts, if any does

Texts of many values are never merged into lists of each other: what a list names has left.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.builtin import builtin_hierarchy
from tokumei.tables.hierarchies.column_values import (
    ColumnValues,
    build_hierarchy,
    unfit_values_error,
)
from tokumei.tables.hierarchies.dates import DATETIME_PATTERN, date_hierarchy, readable_as_dates
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import interval_hierarchy
from tokumei.tables.hierarchies.natural_levels import (
    are_states,
    find_scale,
    prefecture_code_hierarchy,
    rare_hierarchy,
    scale_hierarchy,
    state_hierarchy,
)
from tokumei.tables.hierarchies.text_hierarchies import (
    prefix_hierarchy,
    prefix_labels,
    prefix_lengths,
)

MAX_LISTED_VALUES = 20
"""Texts with more values than this are not listed in sets."""
_JAPANESE_POSTAL_CODE = r"^[0-9]{3}-?[0-9]{4}$"
_LETTERED_POSTCODE = r"^([A-Za-z]{1,2})[0-9][0-9A-Za-z]?[ -][0-9][A-Za-z0-9]{2}$"
_NUMERIC_POSTCODE = r"^([0-9]{2,5})[ -][A-Za-z0-9]{2,4}$"
_MIN_VALUES = 3


def build_typed_hierarchy(name: str, series: pl.Series) -> Hierarchy:
    """The hierarchy of that name over the values of a column."""
    return TYPED_HIERARCHIES[name](series)


def detect_text_hierarchy(series: pl.Series) -> str | None:
    """Which hierarchy suits the texts of a column; None: they are few, and of no known kind."""
    values = series.unique().cast(pl.String).replace("", None).drop_nulls()
    if len(values) < _MIN_VALUES or values.eq(SUPPRESSED_CELL).any():
        return None  # no hierarchy can have a leaf that reads like its top
    if values.str.contains(_JAPANESE_POSTAL_CODE).all():
        return "postal"
    if _postcode_parts(values) is not None:
        return "postcode"
    if any(values.is_in(_prefecture_names(language).implode()).all() for language in ("ja", "en")):
        return "prefecture"
    if are_states(values):
        return "us-state"
    if find_scale(values) is not None:
        return "scale"
    if values.str.contains(DATETIME_PATTERN).any() and readable_as_dates(ColumnValues.of(values)):
        return "moments"
    if len(values) <= MAX_LISTED_VALUES:
        return None
    return "codes" if prefix_lengths(values.sort()) else "suppress"


@cache
def _prefecture_names(language: Language) -> pl.Series:
    return builtin_hierarchy("prefecture", labels=language).leaves


def _postcode_hierarchy(series: pl.Series) -> Hierarchy:
    values = ColumnValues.of(series)
    parts = _postcode_parts(values.text)
    if parts is None:
        message = Message("not a postal code in two parts")
        raise unfit_values_error(values, np.arange(len(values)), message)
    return build_hierarchy(values, [part + SUPPRESSED_CELL for part in parts])


def _postcode_parts(text: pl.Series) -> list[pl.Series] | None:
    """What stands before the blank, then its letters, or of digits the first; None: no such codes.

    SW1A 1AA: SW1A, SW. 94103-1234: 94103, 941, 9. Digits have one length: a label has one meaning.
    """
    area = text.str.extract(_LETTERED_POSTCODE, 1)
    if not area.null_count():
        return [text.str.extract(r"^([A-Za-z0-9]+)", 1), area]
    part = text.str.extract(_NUMERIC_POSTCODE, 1)
    if part.null_count() or part.str.len_chars().n_unique() > 1:
        return None
    length = part.str.len_chars()[0]
    return [part.str.head(n) for n in dict.fromkeys((length, length - 2, 1)) if n > 0]


def _code_hierarchy(series: pl.Series) -> Hierarchy:
    values = ColumnValues.of(series)
    return build_hierarchy(
        values, [prefix_labels(values.text, n) for n in prefix_lengths(values.text)]
    )


def _suppression_hierarchy(series: pl.Series) -> Hierarchy:
    return build_hierarchy(ColumnValues.of(series), [])


def _degree_hierarchy(series: pl.Series) -> Hierarchy:
    """A hundredth of a degree of latitude is 1.1 km, of longitude at most as much."""
    return interval_hierarchy(series.cast(pl.Float64), widths=["0.01", "0.1", "1"])


_calendar_hierarchy = partial(date_hierarchy, levels=["month", "year", "half-decade", "decade"])
TYPED_HIERARCHIES: dict[str, Callable[[pl.Series], Hierarchy]] = {
    "postal": partial(prefix_hierarchy, lengths=(3, 2, 1)),
    "postcode": _postcode_hierarchy,
    "codes": _code_hierarchy,
    "suppress": _suppression_hierarchy,
    "calendar": _calendar_hierarchy,
    "moments": _calendar_hierarchy,
    "age-bands": partial(interval_hierarchy, widths=[5, 10, 20]),
    "degrees": _degree_hierarchy,
    "us-state": state_hierarchy,
    "prefecture-code": prefecture_code_hierarchy,
    "scale": scale_hierarchy,
    "rare": rare_hierarchy,
}
"""Those made from values; `prefecture` is built in."""
HIERARCHY_BY_TYPE = {
    "birth_date": "calendar",
    "date": "calendar",
    "datetime": "calendar",
    "age": "age-bands",
    "lat": "degrees",
    "lon": "degrees",
}
"""By what numbers and days mean. Amounts get bands of 1, 2 and 5 as all numbers do (`auto`)."""
