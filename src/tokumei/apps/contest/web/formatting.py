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
from tokumei.core.formatting import format_percent, localize_number
from tokumei.core.language import current_language
from tokumei.core.messages import Message

MISSING_MARK = Markup('<span class="muted" aria-label="–">–</span>')
WEEKDAYS = (
    Message("Mon", context="a weekday"),
    Message("Tue", context="a weekday"),
    Message("Wed", context="a weekday"),
    Message("Thu", context="a weekday"),
    Message("Fri", context="a weekday"),
    Message("Sat", context="a weekday"),
    Message("Sun", context="a weekday"),
)
MONTHS = (
    Message("Jan", context="a month"),
    Message("Feb", context="a month"),
    Message("Mar", context="a month"),
    Message("Apr", context="a month"),
    Message("May", context="a month"),
    Message("Jun", context="a month"),
    Message("Jul", context="a month"),
    Message("Aug", context="a month"),
    Message("Sep", context="a month"),
    Message("Oct", context="a month"),
    Message("Nov", context="a month"),
    Message("Dec", context="a month"),
)
UNITS = (
    (86_400, Message("{count} day", plural="{count} days")),
    (3_600, Message("{count} hour", plural="{count} hours")),
    (60, Message("{count} minute", plural="{count} minutes")),
    (1, Message("{count} second", plural="{count} seconds")),
)
MEASURE_HEADING, ATTACK_HEADING = Message("Measure"), Message("Attack")
TABLE_TITLES = {
    "utility": (Message("Utility, measure by measure"), MEASURE_HEADING),
    "scaled": (Message("Utility as shares of its scale"), MEASURE_HEADING),
    "safety": (Message("Safety, attack by attack"), ATTACK_HEADING),
    "tests": (Message("Safety test"), ATTACK_HEADING),
}
FURTHER_TITLE = Message("Further figures")
FIGURE_HEADING = Message("Figure", context="of an entry")
VALUE_HEADING = Message("Value")
FIGURE_LABELS = {
    "reid_all": Message("customers found in full"),
    "reid_active": Message("pseudonyms found"),
    "reid_pairs": Message("customer and period found"),
    "rows_kept": Message("rows kept", context="a share"),
    "pseudonyms": Message("pseudonyms"),
    "link_refuted": Message("values refute the link"),
    "recognition": Message("recognition by values"),
    "rate": Message("share found"),
    "hits": Message("hits"),
    "tried": Message("tried"),
    "answered": Message("rows answered"),
    "rows": Message("rows", context="a number"),
    "threshold": Message("fails from"),
    "unsafe": Message("fails the safety test"),
    "all": Message("all answers"),
    "surest": Message("most confident answers"),
}


def score(value: float | None) -> Markup:
    """A score to four places, the exact one beside it for whoever copies or points at it."""
    if value is None or not math.isfinite(value):
        return MISSING_MARK
    rounded = f"{value:.4f}" if abs(value) < 1000 else f"{value:,.1f}"
    return Markup(f'<data value="{value!r}" title="{value!r}">{_localize(rounded)}</data>')


def size(count: int) -> str:
    """A number of bytes."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return f"{_localize(f'{count / unit:.3g}')} {name}"
    return f"{count} B"


def number(count: int) -> str:
    """A count with separators of thousands."""
    return _localize(f"{count:,}")


def percent(share: float) -> str:
    """A share in whole percents."""
    return format_percent(round(share, 2))


def _localize(digits: str) -> str:
    return localize_number(digits, current_language())


def found(result: AttackResultView | None) -> Markup | Message:
    """What an attack found, as far as it may be told."""
    if result is None:
        return MISSING_MARK
    if result.value is not None:
        return score(result.value)
    if result.low is not None:
        return Markup("{}–{}").format(_localize(f"{result.low:g}"), _localize(f"{result.high:g}"))
    if result.until is not None:
        return Message("later")
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
    return Message(
        "{weekday} {day} {month} {year}, {time} ({zone})",
        context="a date and a time",
        weekday=WEEKDAYS[at.weekday()],
        day=at.day,
        month=MONTHS[at.month - 1],
        year=at.year,
        time=f"{at:%H:%M}",
        zone=zone_name(minutes),
    )


def stamp(when: datetime, *, minutes: int) -> Message:
    """A time for a table: short, to the second, without its zone."""
    at = when.astimezone(timezone(timedelta(minutes=minutes)))
    return Message(
        "{day} {month} {time}",
        context="a date and a time",
        day=at.day,
        month=MONTHS[at.month - 1],
        time=f"{at:%H:%M:%S}",
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
    (larger_size, larger), (smaller_size, smaller) = UNITS[first : first + 2]
    return Message(
        "{larger} {smaller}",
        context="a time in two units",
        larger=larger.fill(count=whole // larger_size),
        smaller=smaller.fill(count=whole % larger_size // smaller_size),
    )


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
        return Message("yes") if value else Message("no")
    if isinstance(value, float):
        return score(value)
    if isinstance(value, int):
        return number(value)
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
