"""Formats figures and times for pages.

score(0.123456)                 # 0.1235
size(20_000_000)                # 20 MB
found(AttackResultView(low=.05, high=.1))
moment(when, minutes=540)       # Mon 16 Nov 2026, 17:00 (UTC+9)
left(seconds=93_600)            # 1 day 2 hours
score_tables({"utility": {"U1": 0.1}, "safety": {"same-item": {"0.25": 0.3}}})
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from markupsafe import Markup

from tokumei.apps.contest.services.entry_views import AttackResultView
from tokumei.core.messages import Message

MISSING_MARK = Markup('<span class="muted" aria-label="–">–</span>')
DAYS = (*zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "月火水木金土日", strict=True),)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UNITS = ((86_400, "day", "日"), (3_600, "hour", "時間"), (60, "minute", "分"), (1, "second", "秒"))
MEASURE_HEADING, ATTACK_HEADING = Message("Measure", "指標"), Message("Attack", "攻撃")
TABLE_TITLES = {
    "utility": (Message("Utility, measure by measure", "有用性の内訳"), MEASURE_HEADING),
    "scaled": (
        Message("Utility as shares of its scale", "有用性（尺度に対する割合）"),
        MEASURE_HEADING,
    ),
    "safety": (Message("Safety, attack by attack", "安全性の内訳"), ATTACK_HEADING),
    "tests": (Message("Safety test", "安全性の検定"), ATTACK_HEADING),
}
FURTHER_TITLE = Message("Further figures", "そのほかの数値")
FIGURE_HEADING = Message("Figure", "項目")
VALUE_HEADING = Message("Value", "値")
FIGURE_LABELS = {
    "reid_all": Message("customers found in full", "全期間を再識別した顧客の割合"),
    "reid_active": Message("pseudonyms found", "再識別した仮名の割合"),
    "reid_pairs": Message("customer and period found", "再識別した顧客×期間の割合"),
    "rows_kept": Message("rows kept", "残った行の割合"),
    "pseudonyms": Message("pseudonyms", "仮名の数"),
    "link_refuted": Message("values refute the link", "値と矛盾する対応表"),
    "recognition": Message("recognition by values", "値からの認識"),
    "rate": Message("share found", "再識別率"),
    "hits": Message("hits", "正答数"),
    "tried": Message("tried", "試行数"),
    "answered": Message("rows answered", "回答した行数"),
    "rows": Message("rows", "行数"),
    "threshold": Message("fails from", "基準を超える正答数"),
    "unsafe": Message("fails the safety test", "基準不適合"),
    "all": Message("all answers", "すべての答え"),
    "surest": Message("most confident answers", "確信度の高い答え"),
}


def score(value: float | None) -> Markup:
    """A score to four places, the exact one beside it for whoever copies or points at it."""
    if value is None or not math.isfinite(value):
        return MISSING_MARK
    rounded = f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}"
    return Markup(f'<data value="{value!r}" title="{value!r}">{rounded}</data>')


def size(count: int) -> str:
    """A number of bytes."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"


def found(result: AttackResultView | None) -> Markup | Message:
    """What an attack found, as far as it may be told."""
    if result is None:
        return MISSING_MARK
    if result.value is not None:
        return score(result.value)
    if result.low is not None:
        return Markup("{:g}–{:g}").format(result.low, result.high)
    if result.until is not None:
        return Message("later", "後日公開")
    return MISSING_MARK


def heat_level(value: float | None) -> int | None:
    """How dark a share is drawn: 0 … 5, None for nothing."""
    if value is None or not math.isfinite(value):
        return None
    limits = (0.001, 0.05, 0.15, 0.35, 0.65)
    return sum(value >= limit for limit in limits)


def lower_bound(result: AttackResultView) -> float | None:
    """A value to draw: the exact one, or the band's lower end."""
    return result.value if result.value is not None else result.low


def moment(when: datetime, *, minutes: int) -> Message:
    """A time in the zone that is `minutes` before UTC, with its name."""
    at = when.astimezone(timezone(timedelta(minutes=minutes)))
    day_en, day_ja = DAYS[at.weekday()]
    zone = zone_name(minutes)
    return Message(
        f"{day_en} {at.day} {MONTHS[at.month - 1]} {at.year}, {at:%H:%M} ({zone})",
        f"{at.year}年{at.month}月{at.day}日({day_ja}) {at:%H:%M} ({zone})",
    )


def stamp(when: datetime, *, minutes: int) -> Message:
    """A time for a table: short, to the second, without its zone."""
    at = when.astimezone(timezone(timedelta(minutes=minutes)))
    return Message(
        f"{at.day} {MONTHS[at.month - 1]} {at:%H:%M:%S}", f"{at.month}月{at.day}日 {at:%H:%M:%S}"
    )


def zone_name(minutes: int) -> str:
    """The zone as people write it: UTC, UTC+9, UTC−3:30."""
    hours, rest = divmod(abs(minutes), 60)
    sign = "+" if minutes > 0 else "−"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "") if minutes else "UTC"


def format_duration(seconds: float) -> Message:
    """A stretch of time in its two largest units; the script on the page writes it the same."""
    whole = max(0, int(seconds))
    first = next((i for i, unit in enumerate(UNITS[:2]) if whole >= unit[0]), 2)
    parts = []
    for size, english, japanese in UNITS[first : first + 2]:
        count, whole = divmod(whole, size)
        parts.append((f"{count} {english}{'' if count == 1 else 's'}", f"{count} {japanese}"))
    return Message(" ".join(part[0] for part in parts), " ".join(part[1] for part in parts))


def field_value(when: datetime, *, minutes: int) -> str:
    """A time as a datetime-local field holds it, in the contest's zone."""
    return f"{when.astimezone(timezone(timedelta(minutes=minutes))):%Y-%m-%dT%H:%M}"


def parse_field_value(value: str, *, minutes: int) -> datetime:
    """The time of a datetime-local field; ValueError if it is none."""
    return datetime.fromisoformat(value).replace(tzinfo=timezone(timedelta(minutes=minutes)))


@dataclass(frozen=True)
class ScoreTable:
    """One table."""

    title: Message
    what: Message
    columns: Sequence[Message | str]
    rows: Sequence[tuple[str, Sequence[object]]]


def score_tables(figures: Mapping[str, object]) -> list[ScoreTable]:
    """All figures, in the judge's order; those that stand alone are gathered at the end."""
    tables: list[ScoreTable] = []
    single_figures: dict[str, object] = {}
    other_groups: dict[str, object] = {}
    for name, group in figures.items():
        if name in TABLE_TITLES and isinstance(group, Mapping):
            tables.append(_build_table(*TABLE_TITLES[name], group))
        elif isinstance(group, Mapping):
            other_groups[name] = group
        else:
            single_figures[name] = group
    tables += [
        _build_table(FURTHER_TITLE, FIGURE_HEADING, group)
        for group in (other_groups, single_figures)
    ]
    return [table for table in tables if table.rows]


def figure(value: object) -> Markup | str | Message:
    """A figure of any kind."""
    if isinstance(value, bool):
        return Message("yes", "はい") if value else Message("no", "いいえ")
    if isinstance(value, float):
        return score(value)
    if isinstance(value, int):
        return f"{value:,}"
    return MISSING_MARK if value is None else str(value)


def _build_table(title: Message, what: Message, figures: Mapping[str, object]) -> ScoreTable:
    lines = _table_rows(figures)
    names = list(dict.fromkeys(name for _, cells in lines for name in cells))
    rows = [(row, [cells.get(name) for name in names]) for row, cells in lines]
    return ScoreTable(title, what, [_column_heading(name) for name in names], rows)


def _table_rows(figures: Mapping[str, object]) -> list[tuple[str, Mapping[str, object]]]:
    """Rows with named cells; what is nested deeper gets a row for each inner name."""
    lines: list[tuple[str, Mapping[str, object]]] = []
    for name, value in figures.items():
        label = _figure_label(name)
        if not isinstance(value, Mapping):
            lines.append((label, {"": value}))
        elif any(isinstance(inner, Mapping) for inner in value.values()):
            lines += [(f"{label} · {inner}", cells) for inner, cells in _table_rows(value)]
        else:
            lines.append((label, value))
    return lines


def _figure_label(name: str) -> str:
    return FIGURE_LABELS[name].show() if name in FIGURE_LABELS else name


def _column_heading(name: str) -> Message | str:
    """A column's head: a number is a share of knowledge."""
    if not name:
        return VALUE_HEADING
    return f"α = {name}" if name.replace(".", "", 1).isdigit() else _figure_label(name)
