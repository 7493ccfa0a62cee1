"""Formats figures for people, as the language does it.

format_percent(0.0487)            # "4.9 %"
format_percent_range(.044, .054)  # "4.4–5.4 %"
format_number(319697.65)          # "319,698"
format_short_number(319697.65, "ja")     # "32万"
format_value(0.0487, "percent", "en")    # what {share:percent} in a message becomes

How a language writes numbers stands in its catalog, too: `NUMBER_SAMPLE` and `PERCENT_SAMPLE`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime
from numbers import Number

from tokumei.core.language import Language, current_language
from tokumei.core.messages import Message


class FormattedValue(Message):
    """A figure as a value of a message: `FormattedValue(format_percent_range, 0.044, 0.054)`."""

    __slots__ = ("figures", "formatter")

    def __init__(self, formatter: Callable[..., str], *figures: float) -> None:
        super().__init__("")
        self.formatter = formatter
        self.figures = figures

    def show(self, language: Language | None = None) -> str:
        """The figure as the language writes it."""
        return self.formatter(*self.figures, language or current_language())


NUMBER_SAMPLE = Message("1,234.5", context="how a number is written")
PERCENT_SAMPLE = Message("{number} %", context="how a percentage is written", number="{number}")
SHORT_UNITS = Message("1e9 B, 1e6 M, 1e3 k", context="units of large numbers on an axis")
DATE_SAMPLE = Message("%Y-%m-%d", context="how a date is written")
TIME_SAMPLE = Message("%Y-%m-%d %H:%M", context="how a date with its time is written")


def format_value(value: object, spec: str, language: Language) -> str:
    """A value of a message by its placeholder's specification: ours, else Python's."""
    if formatter := _FORMATTERS.get(spec):
        return formatter(value, language)
    text = format(value, spec)
    return localize_number(text, language) if isinstance(value, Number) else text


def localize_number(text: str, language: Language) -> str:
    """A number that Python wrote with comma and point, as the language writes it."""
    sample = NUMBER_SAMPLE.show(language)
    if sample == NUMBER_SAMPLE.id:
        return text
    between_thousands = "" if sample[1].isdigit() else sample[1]
    return text.translate({ord(","): between_thousands, ord("."): sample[-2]})


def format_percent(share: float, language: Language | None = None) -> str:
    """A share as a percentage: one decimal, below 1 % two significant digits."""
    return _as_percent(_format_percent_digits(share * 100), language)


def format_percent_range(low: float, high: float, language: Language | None = None) -> str:
    """Two shares as one range of percentages."""
    between = "–" if low >= 0 else " … "
    digits = f"{_format_percent_digits(low * 100)}{between}{_format_percent_digits(high * 100)}"
    return _as_percent(digits, language)


def _as_percent(digits: str, language: Language | None) -> str:
    language = language or current_language()
    return PERCENT_SAMPLE.show(language).replace("{number}", localize_number(digits, language))


def format_number(value: float, language: Language | None = None) -> str:
    """A number with thousands separators and about three significant digits."""
    return localize_number(_format_digits(value), language or current_language())


def _format_digits(value: float) -> str:
    if not math.isfinite(value):
        return "–"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) < 1e-4:
        return f"{value:.1e}"
    return f"{value:.{2 - math.floor(math.log10(abs(value)))}f}".rstrip("0").rstrip(".")


def format_short_number(value: float, lang: Language) -> str:
    """A number for a crowded axis: two significant digits and a unit."""
    for step in SHORT_UNITS.show(lang).split(", "):
        size, _, unit = step.partition(" ")
        if abs(value) >= float(size):
            return localize_number(f"{float(f'{value / float(size):.2g}'):g}{unit}", lang)
    return localize_number(f"{float(f'{value:.2g}'):g}", lang)


def _format_percent_digits(value: float) -> str:
    if not math.isfinite(value):
        return "–"
    if value <= -0.0005:
        return f"−{_format_percent_digits(-value)}"
    if value < 0.0005:
        return "0" if value < 1e-12 else "<0.001"
    if value < 1:
        return f"{float(f'{value:.2g}'):.7f}".rstrip("0").rstrip(".")
    if value < 10:
        return f"{value:.1f}".removesuffix(".0")
    # Only a full hundred may read 100: "nearly everybody" is not "everybody".
    return f"{min(value, 99.9) if value < 100 else value:.1f}".removesuffix(".0")


def _format_date(value: object, language: Language) -> str:
    sample = TIME_SAMPLE if isinstance(value, datetime) else DATE_SAMPLE
    assert isinstance(value, date)
    return value.strftime(sample.show(language))


_FORMATTERS: dict[str, Callable[..., str]] = {
    "percent": format_percent,
    "number": format_number,
    "short": format_short_number,
    "date": _format_date,
}
