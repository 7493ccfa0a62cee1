"""Line chart of shares against a number, with confidence bands.

Rows have `x`, `y`, `low`, `high`, the line's name by language, and `chosen` for those in a ring.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.palette import (
    INK,
    MUTED,
    RUN_COLOURS,
    RUN_DASHES,
    RUN_SHAPES,
    WARNING,
    ChartRows,
    fit_to_page,
)

CHART_HEIGHT = 330
LONG_NAME_LENGTH = 23
"""Two names of so many characters stand side by side on a telephone."""


@dataclass(frozen=True)
class LineChart:
    """A chart of lines: what its axes and its lines are called, and where a limit is drawn."""

    x: Message
    y: Message
    ticks: Sequence[float]
    names: Sequence[Message]
    x_format: str = ".6~r"  # with digits: else as many as the distance of the ticks needs
    limit: float | None = None
    ring: bool = False
    top: float = 1.0

    def build(self, data: ChartRows, lang: Language) -> alt.LayerChart:
        """The chart in a language."""
        base = alt.Chart().encode(x=self._x_axis(lang), color=self._colour_encoding(lang))
        y = alt.Y(
            "y:Q",
            title=self.y.show(lang),
            scale=alt.Scale(domain=[0, self.top]),
            axis=alt.Axis(format="~%", tickCount=6),
        )
        band = base.mark_area(opacity=0.13).encode(y=alt.Y("low:Q"), y2="high:Q")
        line = base.mark_line(strokeWidth=2).encode(y=y, strokeDash=self._dash_encoding(lang))
        dots = base.mark_point(filled=True, size=46, opacity=1).encode(
            y=y, shape=self._shape_encoding(lang), tooltip=self._tooltip(lang)
        )
        layers = [band, *self._limit_layers(lang), line, dots]
        if self.ring:
            circle = alt.Chart().mark_point(size=210, stroke=INK, strokeWidth=2, opacity=1)
            around = circle.encode(x=self._x_axis(lang), y=y)
            layers.append(around.transform_filter("datum.chosen"))
        return fit_to_page(alt.LayerChart(data=data, layer=layers), CHART_HEIGHT)

    def _x_axis(self, lang: Language) -> alt.X:
        return alt.X(
            "x:Q",
            title=self.x.show(lang),
            scale=alt.Scale(zero=False, nice=False, padding=16),
            axis=alt.Axis(
                values=list(self.ticks), format=self.x_format, labelOverlap="parity", grid=False
            ),
        )

    def _colour_encoding(self, lang: Language) -> alt.Color:
        return alt.Color(
            f"{lang}:N", scale=self._name_scale(RUN_COLOURS, lang), legend=self._legend(lang)
        )

    def _dash_encoding(self, lang: Language) -> alt.StrokeDash:
        dashes = [list(dash) for dash in RUN_DASHES]
        return alt.StrokeDash(
            f"{lang}:N", scale=self._name_scale(dashes, lang), legend=self._legend(lang)
        )

    def _shape_encoding(self, lang: Language) -> alt.Shape:
        return alt.Shape(
            f"{lang}:N", scale=self._name_scale(RUN_SHAPES, lang), legend=self._legend(lang)
        )

    def _name_scale(self, values: Sequence[str] | Sequence[list[int]], lang: Language) -> alt.Scale:
        return alt.Scale(domain=[name.show(lang) for name in self.names], range=list(values))

    def _legend(self, lang: Language) -> alt.Legend | None:
        if len(self.names) == 1:
            return None
        long = max(len(name.show(lang)) for name in self.names) > LONG_NAME_LENGTH
        return alt.Legend(
            title=None, orient="top", columns=1 if long else 2, labelLimit=260, symbolOpacity=1
        )

    def _tooltip(self, lang: Language) -> list[alt.Tooltip]:
        return [
            alt.Tooltip(f"{lang}:N", title=" "),
            alt.Tooltip("x:Q", title=self.x.show(lang), format=self.x_format),
            alt.Tooltip("y:Q", title=self.y.show(lang), format=".1%"),
            alt.Tooltip("low:Q", title=Message("from").show(lang), format=".1%"),
            alt.Tooltip("high:Q", title=Message("to").show(lang), format=".1%"),
        ]

    def _limit_layers(self, lang: Language) -> list[alt.Chart]:
        """A dashed line at the limit, and its words at the left end."""
        if self.limit is None:
            return []
        words = Message("limit {limit:percent}", limit=self.limit).show(lang)
        at = alt.YDatum(self.limit)
        once = alt.Chart(alt.InlineData(values=[{}]))  # a mark per row would be drawn over itself
        return [
            once.mark_rule(color=WARNING, strokeDash=[4, 4]).encode(y=at),
            once.mark_text(align="left", dx=4, dy=-8, color=MUTED, fontSize=11, text=words).encode(
                y=at, x=alt.value(0)
            ),
        ]
