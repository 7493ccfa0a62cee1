"""Parses dates, western and by Japanese era, with one parser per column.

    style = detect_date_style(["3/4/2021", "13/4/2021"])     # day first, because of the 13
    style.day("3/4/2021")                             # date(2021, 4, 3)

First days of the eras, as proclaimed: 明治 1868-01-25 (by the solar calendar), 大正 1912-07-30,
昭和 1926-12-25, 平成 1989-01-08, 令和 2019-05-01.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from tokumei.core.lazy_patterns import LazyPattern

ERAS = {
    "明治": ("M", "1", date(1868, 1, 25)),
    "大正": ("T", "2", date(1912, 7, 30)),
    "昭和": ("S", "3", date(1926, 12, 25)),
    "平成": ("H", "4", date(1989, 1, 8)),
    "令和": ("R", "5", date(2019, 5, 1)),
}
_ERA_NAMES = list(ERAS)
_ERA_FIRST_DAYS = {
    key: (n, era[2]) for n, (name, era) in enumerate(ERAS.items()) for key in (name, *era[:2])
}
_TIME = (
    r"(?:[T ]+(?:午前|午後)?\d{1,2}(?::\d{2}(?::\d{2}(?:[.,]\d+)?)?|時(?:\d{1,2}分(?:\d{1,2}秒)?)?)"
    r"\s*(?:[APap]\.?[Mm]\.?)?\s*(?:Z|UTC|JST|GMT|[+-]\d{2}:?\d{2})?)?$"
)
_WEEKDAY = r"\s*(?:\([月火水木金土日]\)|[月火水木金土日]曜日?)?"
_MONTHS = {
    m: i
    for i, m in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_ISO_DATE = LazyPattern(
    rf"(\d{{4}})[-/.年년]\s?(\d{{1,2}})[-/.月월]\s?(\d{{1,2}})[日일.]?{_WEEKDAY}{_TIME}"
)
_YEAR_AND_MONTH = LazyPattern(r"(\d{4})(?:年(\d{1,2})月分?|[-/.](\d{1,2}))$")
_COMPACT_DATE = LazyPattern(r"(\d{4})(\d{2})(\d{2})(?:[ T]?(\d{2}:?\d{2}(?::?\d{2})?))?$")
_COMPACT_YEAR_MONTH = LazyPattern(r"((?:19|20)\d{2})(0[1-9]|1[0-2])$")
_ERA_DATE = LazyPattern(
    rf"(明治|大正|昭和|平成|令和|[MTSHR])\.?\s*(元|\d{{1,2}})(?:年度?|[./-])"
    rf"(?:\s*(\d{{1,2}})(?:月|[./-])(?:\s*(\d{{1,2}})日?)?)?{_WEEKDAY}{_TIME}"
)
_ERA_CODE = LazyPattern(r"([1-5MTSHR])(\d{2})(\d{2})(\d{2})$")
_LOG_TIME = r"(?::\d{2}:\d{2}:\d{2}(?: [+-]\d{4})?$)"
_MONTH_NAME_DATE = LazyPattern(
    rf"(\d{{1,2}})[- ./]?\s*([A-Za-z]{{3}})[a-z]*\.?[- ,./]*(\d{{4}}|\d{{2}})"
    rf"(?:{_LOG_TIME}|{_TIME})"
)
_MONTH_NAME_DATE_US = LazyPattern(
    rf"([A-Za-z]{{3}})[a-z]*\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}}){_TIME}"
)
_MONTH_NAME = LazyPattern(
    r"([A-Za-z]{3})[a-z]*\.?[- ,/]+(\d{4}|\d{2})$|(\d{4})[- /]([A-Za-z]{3})[a-z]*$"
)
_SHORT_DATE = LazyPattern(rf"(\d{{1,2}})[-/.]\s?(\d{{1,2}})[-/.]\s?(\d{{4}})\.?{_TIME}")
_TWO_DIGIT_YEAR_DATE = LazyPattern(
    r"(?=\d\d|\d[/.]\d{1,2}[/.]\d\d(?!\d))"  # 1-5-19 is a house, 1/5/19 a day
    rf"(\d{{1,2}})[-/.](\d{{1,2}})[-/.](\d{{1,2}}){_TIME}"
)
SHORT_DATE_START = r"^\d{1,2}[-/.](?s:.)?\d{1,2}[-/.]"
"""Prefix of every cell that `detect_date_style` learns from, in the syntax of Polars."""
_DATE_START = (
    rf"^\d{{4}}[-/.年년]|^\d{{8}}|{SHORT_DATE_START}|^(?:{'|'.join(ERAS)}|[MTSHR])|[A-Za-z]{{3}}"
)
_EXCEL_SERIAL_RANGE = (10_000, 80_000)
_EPOCH_SECONDS_RANGE = (300_000_000, 4_000_000_000)


DATE_ORDERS = ("dmy", "mdy", "ymd")


class DatePreferences(NamedTuple):
    """The owner's decisions on how dates are written, where no cell decides.

    `order`: which number is the day, the month, the year; `latest`: years of two digits up to this
    are 20xx, those above 19xx.
    """

    order: str = ""
    latest: int | None = None


NO_PREFERENCES = DatePreferences()


@dataclass(frozen=True)
class DateStyle:
    """How a column writes days: which number is the day, and what its name allows."""

    day_first: bool = False
    undecided: bool = False
    two_digits: bool = False
    year_first: bool = True
    named: bool = False
    epoch: bool = False
    month_named: bool = False
    off: Set[str] = field(default_factory=frozenset)
    latest: int = 68
    """Two-digit years up to this are 20xx, those above 19xx; 68 is the rule of POSIX."""

    @property
    def date_start_pattern(self) -> str:
        """A pattern that every date matches and most other cells fail, in the syntax of Polars."""
        numbers = self.named or self.epoch or self.month_named
        return rf"{_DATE_START}|^\d{{5}}" if numbers else _DATE_START

    def day(self, text: str) -> date | None:
        """The day that a cell (after NFKC) says; None: it says none."""
        return self.read(text)[0]

    def year(self, text: str) -> int:
        """A year of four digits, or of two."""
        year = int(text)
        return year if len(text) > 2 else year + (2000 if year <= self.latest else 1900)

    def read(self, text: str) -> tuple[date | None, str]:
        """The day and the rule that read it (empty: plain ISO)."""
        for rule, parse in _DATE_PARSERS:
            if rule in self.off:
                continue
            day = parse(self, text)
            if day is not None:
                return day, rule
        return None, ""


DEFAULT_DATE_STYLE = DateStyle()
"""Nothing known of a column."""


def detect_date_style(
    texts: Iterable[str],
    *,
    named: bool = False,
    epoch: bool = False,
    month_named: bool = False,
    off: Set[str] = frozenset(),
    said: DatePreferences = NO_PREFERENCES,
) -> DateStyle:
    """The one way of writing days that these cells allow, and whether it is open.

    `said` decides what they leave open.
    """
    firsts, seconds, two_digits, one_digit = set(), set(), set(), False
    for text in texts:
        if match := _SHORT_DATE.match(text):
            firsts.add(int(match[1]))
            seconds.add(int(match[2]))
        elif match := _TWO_DIGIT_YEAR_DATE.match(text):
            two_digits.add((int(match[1]), int(match[2]), int(match[3])))
            one_digit |= len(match[1]) == 1
    day_first = any(n > 12 for n in firsts)
    undecided = bool(firsts) and not day_first and not any(n > 12 for n in seconds)
    year_first = not any(m > 12 for _, m, _ in two_digits) and any(y > 31 for y, _, _ in two_digits)
    year_first &= not one_digit
    day_first |= bool(two_digits) and not year_first and any(a > 12 for a, _, _ in two_digits)
    order_is_clear = day_first or year_first or any(m > 12 for _, m, _ in two_digits)
    undecided |= bool(two_digits) and not order_is_clear
    if undecided and said.order:
        day_first, undecided = said.order == "dmy", False
        year_first = bool(two_digits) and said.order == "ymd" and not one_digit
    latest = 68 if said.latest is None else said.latest
    has_two_digits = bool(two_digits)
    return DateStyle(
        day_first, undecided, has_two_digits, year_first, named, epoch, month_named, off, latest
    )


def _parse_iso_date(style: DateStyle, text: str) -> date | None:
    return _date_or_none(match[1], match[2], match[3]) if (match := _ISO_DATE.match(text)) else None


def _parse_year_month(style: DateStyle, text: str) -> date | None:
    return (
        _date_or_none(match[1], match[2] or match[3], 1)
        if (match := _YEAR_AND_MONTH.match(text))
        else None
    )


def _parse_compact_date(style: DateStyle, text: str) -> date | None:
    match = _COMPACT_DATE.match(text)
    if match and "1850" <= match[1] <= "2150":
        return _date_or_none(match[1], match[2], match[3])
    if style.month_named and (month := _COMPACT_YEAR_MONTH.match(text)):
        return _date_or_none(month[1], month[2], 1)
    return None


def _parse_era_date(style: DateStyle, text: str) -> date | None:
    if match := _ERA_DATE.match(text):
        return era_to_date(match[1].upper(), match[2], match[3] or 0, match[4] or 0)
    if style.named and (match := _ERA_CODE.match(text)):
        return era_to_date(match[1], match[2], match[3], match[4])
    return None


def era_to_date(era: str, year: str, month: str | int, day: str | int) -> date | None:
    """A day of an era; None if the era has no such day. Without month: its first day."""
    era_index, start = _ERA_FIRST_DAYS[era]
    number = 1 if year == "元" else int(year)
    if not number:
        return None
    months, days = int(month) or (start.month if number == 1 else 1), int(day)
    if not days:
        days = start.day if number == 1 and months == start.month else 1
    day_in_era = _date_or_none(start.year + number - 1, months, days)
    end = ERAS[_ERA_NAMES[era_index + 1]][2] if era_index + 1 < len(_ERA_NAMES) else date.max
    return day_in_era if day_in_era and start <= day_in_era <= end else None


def _parse_month_name_date(style: DateStyle, text: str) -> date | None:
    if match := _MONTH_NAME_DATE.match(text):
        return _date_or_none(style.year(match[3]), _MONTHS.get(match[2].lower(), 0), match[1])
    if match := _MONTH_NAME_DATE_US.match(text):
        return _date_or_none(match[3], _MONTHS.get(match[1].lower(), 0), match[2])
    if match := _MONTH_NAME.match(text):
        month = _MONTHS.get((match[1] or match[4]).lower(), 0)
        return _date_or_none(style.year(match[2] or match[3]), month, 1)
    return None


def _parse_short_date(style: DateStyle, text: str) -> date | None:
    if match := _SHORT_DATE.match(text):
        day, month = (match[1], match[2]) if style.day_first else (match[2], match[1])
        return _date_or_none(match[3], month, day)
    if match := _TWO_DIGIT_YEAR_DATE.match(text):
        parts = (match[1], match[2], match[3])
        if style.year_first:
            return _date_or_none(style.year(parts[0]), parts[1], parts[2])
        day, month = (parts[0], parts[1]) if style.day_first else (parts[1], parts[0])
        return _date_or_none(style.year(parts[2]), month, day)
    return None


def _parse_epoch_seconds(style: DateStyle, text: str) -> date | None:
    if not style.epoch or not text.isdecimal():
        return None
    number = int(text) // (1000 if len(text) == 13 else 1)
    if not _EPOCH_SECONDS_RANGE[0] <= number <= _EPOCH_SECONDS_RANGE[1]:
        return None
    return datetime.fromtimestamp(number, UTC).date()


def _parse_excel_serial(style: DateStyle, text: str) -> date | None:
    """Excel counts days from 1900 and takes that year for a leap year."""
    if not style.named or not re.fullmatch(r"\d{5}(\.\d+)?", text):
        return None
    number = int(text.partition(".")[0])
    return (
        date(1899, 12, 30) + timedelta(days=number)
        if _EXCEL_SERIAL_RANGE[0] <= number <= _EXCEL_SERIAL_RANGE[1]
        else None
    )


def _date_or_none(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


_DATE_PARSERS: tuple[tuple[str, Callable[[DateStyle, str], date | None]], ...] = (
    ("", lambda style, text: _parse_iso_date(style, text) if text[4:5] == "-" else None),
    ("date", _parse_iso_date),
    ("date", _parse_compact_date),
    ("date", _parse_year_month),
    ("era", _parse_era_date),
    ("date", _parse_short_date),
    ("date", _parse_month_name_date),
    ("date", _parse_epoch_seconds),
    ("excel-serial", _parse_excel_serial),
)
