"""Built-in hierarchies: Japanese occupations and prefectures, sex, age, dates, height.

builtin_hierarchy("prefecture")                              # 大阪府 → 近畿 → *
builtin_hierarchy("prefecture", labels="en", column="home")  # Osaka → Kinki → *
builtin_hierarchy("height", first="140", last="190")         # 176 → [170;179] → *
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from importlib.resources import files
from typing import Any, Literal, TypedDict

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.generalized_cells import SUPPRESSED_CELL
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.dates import date_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import MAX_BANDS, interval_hierarchy

LabelLanguage = Literal["en", "ja"]
SEXES: tuple[dict[LabelLanguage, str], ...] = (
    {"en": "Male", "ja": "男性"},
    {"en": "Female", "ja": "女性"},
)


@dataclass(frozen=True)
class BuiltinHierarchy:
    """What a built-in hierarchy holds, and how it is made; `reach`: its default ends, if any."""

    about: Message
    make: Callable[..., Hierarchy]
    reach: tuple[str, str] | None = None


def builtin_hierarchy(
    name: str,
    *,
    column: str | None = None,
    labels: str = "ja",
    first: str | None = None,
    last: str | None = None,
) -> Hierarchy:
    """The built-in hierarchy `name` for `column` (default: its name), named in `labels`.

    `first` and `last` are the ends of age, height and birth date.
    """
    if name not in BUILTIN:
        raise UnknownNameError(Message("hierarchy"), name, BUILTIN)
    if labels not in ("en", "ja"):
        raise UnknownNameError(Message("language"), labels, ("en", "ja"))
    builtin = BUILTIN[name]
    if builtin.reach is None:
        if first is not None or last is not None:
            raise UsageError("'{name}' has no first and last value", name=name)
        return builtin.make(column or name, labels)
    low, high = (
        stated or default for stated, default in zip((first, last), builtin.reach, strict=True)
    )
    return builtin.make(column or name, low, high)


class OccupationGroup(TypedDict):
    """The names of a major group, and the names of its middle groups by code."""

    en: str
    ja: str
    middle: dict[str, str]


class Region(TypedDict):
    """The names of a region, and its prefectures: Japanese to English names."""

    en: str
    ja: str
    prefectures: dict[str, str]


def load_occupations() -> dict[str, OccupationGroup]:
    """The major groups by code."""
    return dict(_load_yaml("japan_occupations.yaml"))


def load_prefectures() -> list[Region]:
    """The regions, from north to south."""
    return list(_load_yaml("japan_prefectures.yaml"))


class UsRegion(TypedDict):
    """The name of a region of the USA, and its divisions: states with abbreviation and code."""

    name: str
    divisions: dict[str, dict[str, list[str]]]


def load_us_states() -> list[UsRegion]:
    """The regions of the USA with divisions and states."""
    return list(_load_yaml("us_states.yaml"))


def _occupation_hierarchy(column: str, labels: LabelLanguage) -> Hierarchy:
    groups = load_occupations().values()
    rows = [
        [name, group[labels], SUPPRESSED_CELL]
        for group in groups
        for name in group["middle"].values()
    ]
    return Hierarchy.of(column, rows)


def _occupation_code_hierarchy(column: str, labels: LabelLanguage) -> Hierarchy:
    rows = [
        [code, major, SUPPRESSED_CELL]
        for major, group in load_occupations().items()
        for code in group["middle"]
    ]
    return Hierarchy.of(column, rows)


def _prefecture_hierarchy(column: str, labels: LabelLanguage) -> Hierarchy:
    rows = [
        [ja if labels == "ja" else en, region[labels], SUPPRESSED_CELL]
        for region in load_prefectures()
        for ja, en in region["prefectures"].items()
    ]
    return Hierarchy.of(column, rows)


def _sex_hierarchy(column: str, labels: LabelLanguage) -> Hierarchy:
    return Hierarchy.of(column, [[sex[labels], SUPPRESSED_CELL] for sex in SEXES])


def _birth_date_hierarchy(column: str, first: str, last: str) -> Hierarchy:
    low, high = (_parse_day(text) for text in (first, last))
    if not 0 <= (high - low).days < MAX_BANDS:
        raise _ends_error(first, last)
    days = pl.date_range(low, high, eager=True).alias(column)
    return date_hierarchy(days, levels=["year", "decade"])


def _band_hierarchy(column: str, first: str, last: str, *, widths: Sequence[int]) -> Hierarchy:
    try:
        low, high = int(first), int(last)
    except ValueError:
        raise _ends_error(first, last) from None
    if not 0 <= high - low < MAX_BANDS:
        raise _ends_error(first, last)
    return interval_hierarchy(pl.Series(column, np.arange(low, high + 1)), widths=widths)


def _parse_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError("'{text}' is not a date such as 1994-01-28", text=text) from None


def _ends_error(first: str, last: str) -> UsageError:
    return UsageError(
        "from '{first}' to '{last}': whole numbers are needed, the smaller first, at most "
        "{max_bands:,} values",
        first=first,
        last=last,
        max_bands=MAX_BANDS,
    )


def _load_yaml(name: str) -> Any:
    text = files("tokumei.tables.hierarchies").joinpath(name).read_text(encoding="utf-8")
    import yaml

    return yaml.safe_load(text)


BUILTIN = {
    "occupation": BuiltinHierarchy(
        Message("Japan Standard Occupational Classification: 74 middle → 12 major groups"),
        _occupation_hierarchy,
    ),
    "occupation-code": BuiltinHierarchy(
        Message("the same by code: 01 → A"), _occupation_code_hierarchy
    ),
    "prefecture": BuiltinHierarchy(Message("47 prefectures → 8 regions"), _prefecture_hierarchy),
    "sex": BuiltinHierarchy(Message("two sexes"), _sex_hierarchy),
    "age": BuiltinHierarchy(
        Message("years → 5 → 10 → 20 years"),
        partial(_band_hierarchy, widths=[5, 10, 20]),
        ("0", "119"),
    ),
    "birth-date": BuiltinHierarchy(
        Message("day → year → decade"), _birth_date_hierarchy, ("1900-01-01", "2029-12-31")
    ),
    "height": BuiltinHierarchy(
        Message("cm → 10 cm"), partial(_band_hierarchy, widths=[10]), ("100", "219")
    ),
}
