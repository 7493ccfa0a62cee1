"""Parses notations of generalized cells: ranges, open-ended codes, sets, masks.

parse_interval("[20, 40[")  # (20.0, 39.999…): also 20-39, 20~39, 20..39, (19;39], ≥90, 90+, <20
parse_period("2024-Q1")      # the first and the last day; also 2024-01, 2024, 2020s
parse_set_members("{a, b}", {"a", "b"}.__contains__)

What a text means in a column is for `tables/data/cell_reader.py` to say: `10-20` may be a value.
"""

from __future__ import annotations

import calendar
import math
import re
import unicodedata
from collections.abc import Callable
from datetime import date, datetime

from tokumei.core.lazy_patterns import LazyPattern

_NUMBER = r"[-+−]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?"
_DAY = r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?"
_END = rf"(?:{_DAY}|{_NUMBER}|[-+−]?(?:[iI]nf|∞))"
_UNIT = r"\s*(?:歳|才|円|人|%|years)?\s*"
_WAVE_DASH = r"(?:~|〜|から)"
_DASH = rf"(?:[-‐‒–—―−ー]|{_WAVE_DASH}|\.\.\.?|to)"
_RANGE = LazyPattern(rf"({_END}){_UNIT}{_DASH}\s*({_END}){_UNIT}(?:まで)?")
_HALF_OPEN_JA = LazyPattern(rf"({_END}){_UNIT}以上\s*({_END}){_UNIT}未満")
_CLOSED_RANGE = LazyPattern(rf"\[\s*({_END}){_UNIT}{_DASH}\s*({_END}){_UNIT}\]")
_BRACKETS = LazyPattern(rf"([\[(\]])\s*({_END})\s*[;,]\s*({_END})\s*([\])\[])")
_DECADE = LazyPattern(r"(\d*0)(?:歳?代|s)")
_AT_LEAST = LazyPattern(
    rf"(?:>=|=>|≥|≧)\s*({_END}){_UNIT}|"
    rf"({_END}){_UNIT}(?:\+|以上|{_WAVE_DASH}|or more|and over|(?:and|or) older)"
)
_ABOVE = LazyPattern(rf">\s*({_END}){_UNIT}|({_END}){_UNIT}超")
_AT_MOST = LazyPattern(
    rf"(?:<=|=<|≤|≦|{_WAVE_DASH})\s*({_END}){_UNIT}|({_END}){_UNIT}(?:以下|まで|or less|and under)"
)
_BELOW = LazyPattern(rf"<\s*({_END}){_UNIT}|({_END}){_UNIT}未満")
_PERIOD = LazyPattern(r"(\d{4})(?:-(\d{2})|-Q([1-4]))?|(\d{3})0s")
_SET_BRACKETS = ("{}", "[]")
_SEPARATORS = (";", ",", "|", "、")
IntervalEnds = tuple[float, float]


def parse_number_or_day(text: str) -> float:
    """A number, or an ISO date or time as its day number; NaN for anything else."""
    try:
        return math.nan if "_" in text else float(text)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return math.nan
    hours = moment.hour + (moment.minute + (moment.second + moment.microsecond / 1e6) / 60) / 60
    return moment.toordinal() + hours / 24


def parse_interval(text: str) -> IntervalEnds | None:
    """The lowest and highest number (or day) of a range in any notation; None: it is none.

    An end that does not belong to the range is moved inwards by as little as there is.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    interval = _parse_brackets(plain) or _parse_range(plain) or _parse_half_open(plain)
    return interval if interval is not None and interval[0] <= interval[1] else None


def _parse_brackets(text: str) -> IntervalEnds | None:
    match = _BRACKETS.fullmatch(text)
    if match is None:
        return None
    low, high = _parse_end(match[2]), _parse_end(match[3])
    if low == high:
        return (low, high) if match[1] + match[4] == "[]" else None
    return (
        low if match[1] == "[" or math.isinf(low) else math.nextafter(low, math.inf),
        high if match[4] == "]" or math.isinf(high) else math.nextafter(high, -math.inf),
    )


def _parse_range(text: str) -> IntervalEnds | None:
    if match := _RANGE.fullmatch(text) or _CLOSED_RANGE.fullmatch(text):
        return _parse_end(match[1]), _parse_end(match[2])
    if match := _HALF_OPEN_JA.fullmatch(text):
        return _parse_end(match[1]), math.nextafter(_parse_end(match[2]), -math.inf)
    if match := _DECADE.fullmatch(text):
        return float(match[1]), math.nextafter(float(match[1]) + 10, -math.inf)
    return None


def _parse_half_open(text: str) -> IntervalEnds | None:
    if match := _AT_LEAST.fullmatch(text):
        return _parse_end(match[1] or match[2]), math.inf
    if match := _ABOVE.fullmatch(text):
        return math.nextafter(_parse_end(match[1] or match[2]), math.inf), math.inf
    if match := _AT_MOST.fullmatch(text):
        return -math.inf, _parse_end(match[1] or match[2])
    if match := _BELOW.fullmatch(text):
        return -math.inf, math.nextafter(_parse_end(match[1] or match[2]), -math.inf)
    return None


def _parse_end(text: str) -> float:
    return parse_number_or_day(text.replace("−", "-").replace("∞", "inf"))


def parse_period(text: str) -> IntervalEnds | None:
    """The first and last day of a month, quarter, year or decade; None: it is none."""
    match = _PERIOD.fullmatch(unicodedata.normalize("NFKC", text).strip())
    if match is None:
        return None
    first = last = int(match[1] or match[4] + "0")
    if not first:
        return None
    months = (1, 12)
    if match[4]:
        last += 9
    elif match[2]:
        months = (int(match[2]), int(match[2]))
    elif match[3]:
        months = (3 * int(match[3]) - 2, 3 * int(match[3]))
    if not 1 <= months[0] <= 12:
        return None
    # The last moment, for columns of times.
    end = date(last, months[1], calendar.monthrange(last, months[1])[1]).toordinal()
    return float(date(first, months[0], 1).toordinal()), math.nextafter(end + 1.0, 0.0)


def parse_set_members(text: str, is_known: Callable[[str], bool]) -> list[str] | None:
    """The members of a set whose members are all known, however they are separated; else None.

    A member may hold the separator itself: the longest known one is taken.
    """
    if len(text) < 3 or text[0] + text[-1] not in _SET_BRACKETS:
        return None
    splits = (_split_known_members(text[1:-1].split(sign), sign, is_known) for sign in _SEPARATORS)
    return next((members for members in splits if members), None)


def _split_known_members(
    pieces: list[str], sign: str, is_known: Callable[[str], bool]
) -> list[str]:
    members: list[str] = []
    start = 0
    while start < len(pieces):
        for end in range(len(pieces), start, -1):
            member = sign.join(pieces[start:end]).strip()
            if is_known(member) or is_known(member := member.strip("'\"")):
                break
        else:
            return []
        members.append(member)
        start = end
    return members


def mask_to_regexes(text: str) -> list[str]:
    """Regular expressions for `130**`: each star one character; else stars at the end anything."""
    plain = text.replace("＊", "*")
    if "*" not in plain or not plain.strip("*-"):
        return []
    exact = "".join("." if character == "*" else re.escape(character) for character in plain)
    head = plain.rstrip("*")
    return [f"^{exact}$", *([f"^{re.escape(head)}"] if "*" not in head else [])]
