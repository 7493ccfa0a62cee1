"""Hierarchies that need no file: Japanese occupations and prefectures, sex, age, dates, height.

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
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.cells import STAR
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.text import Language, Text
from tokumei.tables.hierarchies.dates import date_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.intervals import MOST_BANDS, interval_hierarchy

SEXES = (Text("Male", "男性"), Text("Female", "女性"))


@dataclass(frozen=True)
class Builtin:
    """What a built-in hierarchy holds, and how it is made; `reach`: its default ends, if any."""

    about: Text
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
        raise UnknownNameError(Text("hierarchy", "階層"), name, BUILTIN)
    if labels not in ("en", "ja"):
        raise UnknownNameError(Text("language", "言語"), labels, ("en", "ja"))
    found = BUILTIN[name]
    if found.reach is None:
        if first is not None or last is not None:
            raise UsageError(
                f"'{name}' has no first and last value", f"'{name}' に最初・最後の値はありません"
            )
        return found.make(column or name, labels)
    low, high = (given or usual for given, usual in zip((first, last), found.reach, strict=True))
    return found.make(column or name, low, high)


def occupations() -> dict[str, dict[str, Any]]:
    """The major groups by code, each with its names and its middle groups by code."""
    return dict(_loaded("japan_occupations.yaml"))


def prefectures() -> list[dict[str, Any]]:
    """The regions, each with its names and its prefectures."""
    return list(_loaded("japan_prefectures.yaml"))


def _occupation(column: str, labels: Language) -> Hierarchy:
    groups = occupations().values()
    rows = [[name, group[labels], STAR] for group in groups for name in group["middle"].values()]
    return Hierarchy.of(column, rows)


def _occupation_code(column: str, labels: Language) -> Hierarchy:
    rows = [
        [code, major, STAR] for major, group in occupations().items() for code in group["middle"]
    ]
    return Hierarchy.of(column, rows)


def _prefecture(column: str, labels: Language) -> Hierarchy:
    rows = [
        [Text(en, ja).show(labels), region[labels], STAR]
        for region in prefectures()
        for ja, en in region["prefectures"].items()
    ]
    return Hierarchy.of(column, rows)


def _sex(column: str, labels: Language) -> Hierarchy:
    return Hierarchy.of(column, [[sex.show(labels), STAR] for sex in SEXES])


def _birth_date(column: str, first: str, last: str) -> Hierarchy:
    low, high = (_day(text) for text in (first, last))
    if not 0 <= (high - low).days < MOST_BANDS:
        raise _ends(first, last)
    days = pl.date_range(low, high, eager=True).alias(column)
    return date_hierarchy(days, levels=["year", "decade"])


def _bands(column: str, first: str, last: str, *, widths: Sequence[int]) -> Hierarchy:
    try:
        low, high = int(first), int(last)
    except ValueError:
        raise _ends(first, last) from None
    if not 0 <= high - low < MOST_BANDS:
        raise _ends(first, last)
    return interval_hierarchy(pl.Series(column, np.arange(low, high + 1)), widths=widths)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"'{text}' is not a date such as 1994-01-28",
            f"'{text}' は日付ではありません (例 1994-01-28)",
        ) from None


def _ends(first: str, last: str) -> UsageError:
    return UsageError(
        f"from '{first}' to '{last}': whole numbers are needed, the smaller first, at most "
        f"{MOST_BANDS:,} values",
        f"'{first}' から '{last}': 小さい順の整数で、{MOST_BANDS:,} 個までです",
    )


def _loaded(name: str) -> Any:
    text = files("tokumei.tables.hierarchies").joinpath(name).read_text(encoding="utf-8")
    import yaml

    return yaml.safe_load(text)


BUILTIN = {
    "occupation": Builtin(
        Text(
            "Japan Standard Occupational Classification: 74 middle → 12 major groups",
            "日本標準職業分類: 中分類 74 → 大分類 12",
        ),
        _occupation,
    ),
    "occupation-code": Builtin(
        Text("the same by code: 01 → A", "同じくコード: 01 → A"), _occupation_code
    ),
    "prefecture": Builtin(Text("47 prefectures → 8 regions", "47 都道府県 → 8 地方"), _prefecture),
    "sex": Builtin(Text("two sexes", "男女"), _sex),
    "age": Builtin(
        Text("years → 5 → 10 → 20 years", "1 歳 → 5 → 10 → 20 歳"),
        partial(_bands, widths=[5, 10, 20]),
        ("0", "119"),
    ),
    "birth-date": Builtin(
        Text("day → year → decade", "日 → 年 → 年代"), _birth_date, ("1900-01-01", "2029-12-31")
    ),
    "height": Builtin(
        Text("cm → 10 cm", "1 cm → 10 cm"), partial(_bands, widths=[10]), ("100", "219")
    ),
}
