"""Times as people read them: in the contest's zone, and how long until then.

moment(when, minutes=540)      # Mon 16 Nov 2026, 17:00 (UTC+9)
left(seconds=93_600)           # 1 day 2 hours
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from tokumei.core.text import Text

DAYS = (*zip(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"), "月火水木金土日", strict=True),)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
UNITS = (
    (86_400, "day", "日"),
    (3_600, "hour", "時間"),
    (60, "minute", "分"),
    (1, "second", "秒"),
)


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
