"""Figures as pages write them.

score(0.123456)                 # 0.1235
size(20_000_000)                # 20 MB
found(FoundView(low=.05, high=.1))
"""

from __future__ import annotations

import math

from markupsafe import Markup

from tokumei.contest.desk.entry_views import FoundView
from tokumei.core.text import Text

NONE = Markup('<span class="muted" aria-label="–">–</span>')


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
    if told.low is not None or told.high is not None:
        return _band(told.low, told.high)
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


def _band(low: float | None, high: float | None) -> Markup:
    if high is None:
        return Markup("≥ {:g}").format(low)
    if low is None:
        return Markup("&lt; {:g}").format(high)
    return Markup("{:g}–{:g}").format(low, high)
