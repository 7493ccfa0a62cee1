"""Figures and times as pages write them.

score(0.123456)                 # 0.1235
size(20_000_000)                # 20 MB
found(FoundView(low=.05, high=.1))
moment(when, minutes=540)       # Mon 16 Nov 2026, 17:00 (UTC+9)
left(seconds=93_600)            # 1 day 2 hours
score_tables({"utility": {"U1": 0.1}, "safety": {"same-item": {"0.25": 0.3}}})
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from markupsafe import Markup

from tokumei.contest.desk.entry_views import FoundView
from tokumei.core.text import Text

NONE = Markup('<span class="muted" aria-label="–">–</span>')
DAYS = (*zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "月火水木金土日", strict=True),)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UNITS = ((86_400, "day", "日"), (3_600, "hour", "時間"), (60, "minute", "分"), (1, "second", "秒"))
MEASURE, ATTACK = Text("Measure", "指標"), Text("Attack", "攻撃")
TITLES = {
    "utility": (Text("Utility, measure by measure", "有用性の内訳"), MEASURE),
    "scaled": (Text("Utility as shares of its scale", "有用性（尺度に対する割合）"), MEASURE),
    "safety": (Text("Safety, attack by attack", "安全性の内訳"), ATTACK),
    "tests": (Text("Safety test", "安全性の検定"), ATTACK),
}
FURTHER = Text("Further figures", "そのほかの数値")
OTHER = Text("Figure", "項目")
VALUE = Text("Value", "値")
NAMES = {
    "reid_all": Text("customers found in full", "全期間を再識別した顧客の割合"),
    "reid_active": Text("pseudonyms found", "再識別した仮名の割合"),
    "reid_pairs": Text("customer and period found", "再識別した顧客×期間の割合"),
    "rows_kept": Text("rows kept", "残った行の割合"),
    "pseudonyms": Text("pseudonyms", "仮名の数"),
    "link_refuted": Text("values refute the link", "値と矛盾する対応表"),
    "recognition": Text("recognition by values", "値からの認識"),
    "rate": Text("share found", "再識別率"),
    "hits": Text("hits", "正答数"),
    "tried": Text("tried", "試行数"),
    "answered": Text("rows answered", "回答した行数"),
    "rows": Text("rows", "行数"),
    "threshold": Text("fails from", "基準を超える正答数"),
    "unsafe": Text("fails the safety test", "基準不適合"),
    "all": Text("all answers", "すべての答え"),
    "surest": Text("most confident answers", "確信度の高い答え"),
}


def score(value: float | None) -> Markup:
    """A score to four places, the exact one beside it for whoever copies or points at it."""
    if value is None or not math.isfinite(value):
        return NONE
    shown = f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}"
    return Markup(f'<data value="{value!r}" title="{value!r}">{shown}</data>')


def size(count: int) -> str:
    """A number of bytes."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def found(told: FoundView | None) -> Markup | Text:
    """What an attack found, as far as it may be told."""
    if told is None:
        return NONE
    if told.value is not None:
        return score(told.value)
    if told.low is not None:
        return Markup("{:g}–{:g}").format(told.low, told.high)
    if told.until is not None:
        return Text("later", "後日公開")
    return NONE


def level(value: float | None) -> int | None:
    """How dark a share is drawn: 0 … 5, None for nothing."""
    if value is None or not math.isfinite(value):
        return None
    limits = (0.001, 0.05, 0.15, 0.35, 0.65)
    return sum(value >= limit for limit in limits)


def lower(told: FoundView) -> float | None:
    """A value to draw: the exact one, or the band's lower end."""
    return told.value if told.value is not None else told.low


def moment(when: datetime, *, minutes: int) -> Text:
    """A time in the zone that is `minutes` before UTC, with its name."""
    at = when.astimezone(timezone(timedelta(minutes=minutes)))
    day_en, day_ja = DAYS[at.weekday()]
    zone = zone_name(minutes)
    return Text(
        f"{day_en} {at.day} {MONTHS[at.month - 1]} {at.year}, {at:%H:%M} ({zone})",
        f"{at.year}年{at.month}月{at.day}日({day_ja}) {at:%H:%M} ({zone})",
    )


def stamp(when: datetime, *, minutes: int) -> Text:
    """A time for a table: short, to the second, without its zone."""
    at = when.astimezone(timezone(timedelta(minutes=minutes)))
    return Text(
        f"{at.day} {MONTHS[at.month - 1]} {at:%H:%M:%S}", f"{at.month}月{at.day}日 {at:%H:%M:%S}"
    )


def zone_name(minutes: int) -> str:
    """The zone as people write it: UTC, UTC+9, UTC−3:30."""
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "−"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else "UTC"


def left(seconds: float) -> Text:
    """A stretch of time in its two largest units; the script on the page writes it the same."""
    whole = max(0, int(seconds))
    first = next((i for i, unit in enumerate(UNITS[:2]) if whole >= unit[0]), 2)
    parts = []
    for size, english, japanese in UNITS[first : first + 2]:
        count, whole = divmod(whole, size)
        parts.append((f"{count} {english}{'' if count == 1 else 's'}", f"{count} {japanese}"))
    return Text(" ".join(part[0] for part in parts), " ".join(part[1] for part in parts))


def field_value(when: datetime, *, minutes: int) -> str:
    """A time as a datetime-local field holds it, in the contest's zone."""
    return f"{when.astimezone(timezone(timedelta(minutes=minutes))):%Y-%m-%dT%H:%M}"


def from_field(value: str, *, minutes: int) -> datetime:
    """The time of a datetime-local field; ValueError if it is none."""
    return datetime.fromisoformat(value).replace(tzinfo=timezone(timedelta(minutes=minutes)))


@dataclass(frozen=True)
class ScoreTable:
    """One table."""

    title: Text
    what: Text
    columns: Sequence[Text | str]
    rows: Sequence[tuple[str, Sequence[Any]]]


def score_tables(figures: Mapping[str, Any]) -> list[ScoreTable]:
    """All figures, in the judge's order; those that stand alone are gathered at the end."""
    tables: list[ScoreTable] = []
    alone: dict[str, Any] = {}
    alike: dict[str, Any] = {}
    for name, held in figures.items():
        if name in TITLES and isinstance(held, Mapping):
            tables.append(_table(*TITLES[name], held))
        elif isinstance(held, Mapping):
            alike[name] = held
        else:
            alone[name] = held
    tables += [_table(FURTHER, OTHER, held) for held in (alike, alone)]
    return [table for table in tables if table.rows]


def figure(value: Any) -> Markup | str | Text:
    """A figure of any kind."""
    if isinstance(value, bool):
        return Text("yes", "はい") if value else Text("no", "いいえ")
    if isinstance(value, float):
        return score(value)
    if isinstance(value, int):
        return f"{value:,}"
    return NONE if value is None else str(value)


def _table(title: Text, what: Text, held: Mapping[str, Any]) -> ScoreTable:
    lines = _lines(held)
    names = list(dict.fromkeys(name for _, cells in lines for name in cells))
    rows = [(row, [cells.get(name) for name in names]) for row, cells in lines]
    return ScoreTable(title, what, [_head(name) for name in names], rows)


def _lines(held: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Rows with named cells; what is nested deeper gets a row for each inner name."""
    lines: list[tuple[str, Mapping[str, Any]]] = []
    for name, value in held.items():
        shown = _shown(name)
        if not isinstance(value, Mapping):
            lines.append((shown, {"": value}))
        elif any(isinstance(inner, Mapping) for inner in value.values()):
            lines += [(f"{shown} · {inner}", cells) for inner, cells in _lines(value)]
        else:
            lines.append((shown, value))
    return lines


def _shown(name: str) -> str:
    return NAMES[name].show() if name in NAMES else name


def _head(name: str) -> Text | str:
    """A column's head: a number is a share of knowledge."""
    if not name:
        return VALUE
    return f"α = {name}" if name.replace(".", "", 1).isdigit() else _shown(name)
