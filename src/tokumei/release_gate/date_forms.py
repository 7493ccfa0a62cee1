"""Recognizes days in full, in the notations of several countries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_YEAR, _MONTH, _DAY = r"(?:1[89]|20)\d\d", r"(?:0?[1-9]|1[0-2])", r"(?:0?[1-9]|[12]\d|3[01])"
_MONTH_NAMES = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|janv|févr|mars|avr|mai|juin|juil|août|déc|"
    r"mär|okt|dez|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт"
    r"|ноя|дек)\w*\.?"
)
_FULL_DATES = re.compile(
    rf"(?<![\d.])(?:{_YEAR}([-/. ]){_MONTH}\1{_DAY}|{_DAY}([-/. ]){_MONTH}\2{_YEAR}"
    rf"|{_MONTH}([-/]){_DAY}\3{_YEAR})(?![\d.]?\d)"
    rf"|{_YEAR}\s?[年년]\s?{_MONTH}\s?[月월]\s?{_DAY}\s?[日일]"
    rf"|(?:明治|大正|昭和|平成|令和)\s?(?:元|\d{{1,2}})\s?[年.]\s?{_MONTH}\s?[月.]\s?{_DAY}"
    rf"|(?<![A-Za-z])[MTSHR]\s?\d{{1,2}}[./-]{_MONTH}[./-]{_DAY}(?!\d)"
    rf"|(?<!\d){_DAY}(?:st|nd|rd|th|\.)?[\s-](?:of\s|de\s)?{_MONTH_NAMES}(?:\sde)?,?[\s-]{_YEAR}"
    rf"|\b{_MONTH_NAMES}\s{_DAY}(?:st|nd|rd|th)?,?\s{_YEAR}"
    rf"|(?<![\d.]){_YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:T?\d{{4,6}})?(?![\d.])",
    re.IGNORECASE,
)
BIRTH_WORDS = re.compile(
    r"birth|born|\bdob\b|d\.o\.b|bday|生年月日|誕生|生まれ|出生|seinengappi|tanjo|naissance"
    r"|né\(?e?\)?|geburt|gebor|nacim|nascim|nascita|fecha_nac|födel|fødsel|syntym|urodz|рожд|생년"
    r"|γενν",
    re.IGNORECASE,
)


def date_forms(text: str) -> Iterator[str]:
    """The form of a day in full, if one occurs in a text."""
    if _FULL_DATES.search(text):
        yield "date"


_YEAR_IN_DATE = re.compile(_YEAR)
_BIRTH_MEDIAN, _BIRTH_SPAN, _ENOUGH = 1995, 35, 10


def are_births(days: Collection[str]) -> bool:
    """Whether days are as far apart and as long ago as births of people are."""
    if any(":" in day for day in days):  # a moment: nobody writes births so
        return False
    if len({day[-2:] for day in days}) == 1:  # the first of every month: a series
        return False
    years = sorted(int(match[0]) for day in days if (match := _YEAR_IN_DATE.search(day)))
    if len(years) < _ENOUGH:
        return False
    return years[len(years) // 2] < _BIRTH_MEDIAN and years[-1] - years[0] >= _BIRTH_SPAN
