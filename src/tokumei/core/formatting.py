"""Formats figures for people.

percent(0.0487)            # "4.9 %"
format_percent_range(.044, .054)  # "4.4–5.4 %"
plain(319697.65)           # "319,698"
short(319697.65, "ja")     # "32万"
"""

from __future__ import annotations

import math

from tokumei.core.messages import Language

_UNIT_STEPS: dict[Language, tuple[tuple[float, str], ...]] = {
    "en": ((1e9, "B"), (1e6, "M"), (1e3, "k")),
    "ja": ((1e8, "億"), (1e4, "万")),
}


def format_percent(share: float) -> str:
    """A share as a percentage: one decimal, below 1 % two significant digits."""
    return f"{_format_percent_digits(share * 100)} %"


def format_percent_range(low: float, high: float) -> str:
    """Two shares as one range of percentages."""
    return f"{_format_percent_digits(low * 100)}–{_format_percent_digits(high * 100)} %"


def format_number(value: float) -> str:
    """A number with thousands separators and about three significant digits."""
    if not math.isfinite(value):
        return "–"
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) < 1e-4:
        return f"{value:.1e}"
    return f"{value:.{2 - math.floor(math.log10(abs(value)))}f}".rstrip("0").rstrip(".")


def format_short_number(value: float, lang: Language) -> str:
    """A number for a crowded axis: two significant digits and a unit."""
    for size, unit in _UNIT_STEPS[lang]:
        if abs(value) >= size:
            return f"{float(f'{value / size:.2g}'):g}{unit}"
    return f"{float(f'{value:.2g}'):g}"


def _format_percent_digits(value: float) -> str:
    if not math.isfinite(value):
        return "–"
    if value < 0.0005:
        return "0" if value < 1e-12 else "<0.001"
    if value < 1:
        return f"{float(f'{value:.2g}'):.7f}".rstrip("0").rstrip(".")
    if value < 10:
        return f"{value:.1f}".removesuffix(".0")
    # Only a full hundred may read 100: "nearly everybody" is not "everybody".
    return f"{min(value, 99.9) if value < 100 else value:.1f}".removesuffix(".0")
