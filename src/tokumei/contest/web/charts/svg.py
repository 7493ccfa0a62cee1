"""Elements of SVG, escaped.

    element("text", "a < b", x="50%", y=12)        # <text x="50%" y="12">a &lt; b</text>

A plot fills its frame: x is given in per cent and y in pixels, so letters keep their size on every
screen. What stands outside the axes hangs over into the frame's padding.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from markupsafe import Markup, escape


def element(name: str, *inside: object, **attributes: object) -> Markup:
    """An element; `class_` is class, `text_anchor` text-anchor."""
    # Thousands of cells in a large matrix: Markup.format would take ten times as long.
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    held = "".join(escape(part) for part in inside)
    return Markup(f"<{name}{written}>{held}</{name}>")


def picture(
    id: str, title: object, description: object, parts: Iterable[Markup], **attributes: object
) -> Markup:
    """A whole drawing with a name and a description for those who cannot see it."""
    names = f"{id}-title", f"{id}-about"
    return element(
        "svg",
        element("title", title, id=names[0]),
        element("desc", description, id=names[1]),
        *parts,
        id=id,
        role="img",
        aria_labelledby=" ".join(names),
        **attributes,
    )


def ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Round numbers that span low … high."""
    span = high - low if high - low > 1e-9 * abs(high) + 1e-12 else abs(high) or 1.0
    rough = max(span, 1e-12) / wanted
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, max(last, first + 1) + 1)]


def percent(share: float) -> str:
    """A share of the width."""
    return f"{100 * share:.2f}%"


def plain(value: float) -> str:
    """A number on an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"
