"""Draws what stands in a page without scripts: escaped SVG elements, and a frame with two axes.

    svg_element("text", "a < b", x="50%", y=12)    # <text x="50%" y="12">a &lt; b</text>
    axes = PlotAxes.around(xs, ys, height=280)
    axes.x(0.3), axes.y(0.2)                       # "42.86%", 96.0

Charts of reports are Altair's. These are for pages that a server draws for every request, where
Altair would take 30 to 50 ms of CPU for each chart and 70 MB, and shrinks letters on a telephone;
and for what is no chart: trees, and bars in a table's cell.

A plot fills its frame: x is given in per cent and y in pixels, so letters keep their size on every
screen. What stands outside the axes hangs over into the frame's padding.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from tokumei.core.messages import Message

_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f]")


def svg_element(name: str, *inside: object, **attributes: object) -> Markup:
    """An element; `class_` is class, `text_anchor` text-anchor."""
    # Thousands of cells in a large matrix: Markup.format would take ten times as long.
    attribute_text = "".join(
        f" {key.rstrip('_').replace('_', '-')}={_quote_attribute(_escape_part(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    if not inside:
        return Markup(f"<{name}{attribute_text}/>")
    content = "".join(map(_escape_part, inside))
    return Markup(f"<{name}{attribute_text}>{content}</{name}>")


def _quote_attribute(text: str) -> str:
    """A value with quotation marks, a list of fonts for example, stands between apostrophes."""
    if "&#34;" in text and "&#39;" not in text:
        return "'" + text.replace("&#34;", '"') + "'"
    return f'"{text}"'


def _escape_part(value: object) -> str:
    """Text for XML, without the control characters that it cannot hold."""
    if isinstance(value, float):
        return f"{value:g}"
    text = str(escape(value))
    return text if isinstance(value, Markup) else _CONTROL_CHARACTERS.sub(" ", text)


def svg_picture(
    id: str, title: object, description: object, parts: Iterable[Markup], **attributes: object
) -> Markup:
    """A whole drawing with a name and a description for those who cannot see it."""
    names = f"{id}-title", f"{id}-about"
    return svg_element(
        "svg",
        svg_element("title", title, id=names[0]),
        svg_element("desc", description, id=names[1]),
        *parts,
        id=id,
        role="img",
        aria_labelledby=" ".join(names),
        **attributes,
    )


def axis_ticks(low: float, high: float, tick_count: int = 5) -> list[float]:
    """Round numbers that span low … high."""
    span = high - low if high - low > 1e-9 * abs(high) + 1e-12 else abs(high) or 1.0
    rough = max(span, 1e-12) / tick_count
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * times for times in (1, 2, 5, 10) if size * times >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{number * step:.12g}") for number in range(first, max(last, first + 1) + 1)]


def format_percent(share: float) -> str:
    """A share of the width."""
    return f"{100 * share:.2f}%"


def format_number(value: float) -> str:
    """A number on an axis."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:g}"


@dataclass(frozen=True)
class PlotAxes:
    """Where values lie in a plot of some height."""

    across: Sequence[float]
    up: Sequence[float]
    height: int

    @classmethod
    def around(cls, xs: Sequence[float], ys: Sequence[float], *, height: int = 280) -> PlotAxes:
        """Axes from nothing (or less) to a round number above all values."""
        across = axis_ticks(min(0.0, *xs), max(xs))
        up = axis_ticks(min(0.0, *ys), max(ys))
        return cls(across, up, height)

    def x(self, value: float) -> str:
        """Where a value lies across."""
        return format_percent((value - self.across[0]) / (self.across[-1] - self.across[0]))

    def y(self, value: float) -> float:
        """Where a value lies from the top."""
        share = (value - self.up[0]) / (self.up[-1] - self.up[0])
        return round(self.height * (1 - share), 2)

    def levels(self, title: Message) -> list[Markup]:
        """The axis on the left with its lines."""
        lines = [
            svg_element("line", x1=0, x2="100%", y1=self.y(v), y2=self.y(v), class_="grid")
            for v in self.up
        ]
        names = [
            svg_element(
                "text", format_number(v), x=-10, y=self.y(v) + 4, text_anchor="end", class_="soft"
            )
            for v in self.up
        ]
        return [*lines, *names, svg_element("text", title, x=-44, y=-14, class_="soft")]

    def columns(self, title: Message) -> list[Markup]:
        """The axis below."""
        below = self.height
        lines = [
            svg_element("line", x1=self.x(v), x2=self.x(v), y1=0, y2=below, class_="grid")
            for v in self.across
        ]
        names = [
            svg_element(
                "text",
                format_number(v),
                x=self.x(v),
                y=below + 20,
                text_anchor="middle",
                class_="soft",
            )
            for v in self.across
        ]
        end = svg_element("text", title, x="100%", y=below + 42, text_anchor="end", class_="soft")
        return [*lines, *names, end]
