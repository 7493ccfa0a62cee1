"""Figures as people read them; nothing is computed here."""

from __future__ import annotations

from datetime import datetime

from tokumei.core.text import Text


def number(value: float) -> str:
    """A count with separators of thousands; the next whole one unless it is tiny."""
    if value != int(value) and value < 10:
        return f"{value:.1f}"
    return f"{round(value):,}"


def people(value: float) -> str:
    """So many people; what rounds to nobody but is more says so."""
    if 0 < value < 0.5:
        return str(Text("fewer than 1", "1 人未満"))
    return f"{round(value):,}"


def moment(text: str) -> str:
    """A moment as a person reads it, in UTC."""
    try:
        return datetime.fromisoformat(text).strftime("%Y-%m-%d %H:%M UTC")
    except ValueError:
        return text


def size(count: int) -> str:
    """Bytes in a unit that fits."""
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if count >= 1 << power:
            return f"{count / (1 << power):.1f} {unit}"
    return f"{count} B"
