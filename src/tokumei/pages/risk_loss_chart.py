"""The chart of candidates: risk against loss."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.palette import ACCENT, BEATEN_COLOUR, INK, ChartRows, fit_to_page

CHART_HEIGHT = 380
LOSS_AXIS_TITLE = Message("loss (weighted mean of the columns)")


@dataclass(frozen=True)
class RiskLossChart:
    """The chart; `people`: how the vertical axis is called."""

    people: Message

    def build(self, data: ChartRows, lang: Language) -> alt.LayerChart:
        """The chart in a language."""
        axis = alt.Axis(format="~%", grid=False)
        x = alt.X(
            "loss:Q",
            title=LOSS_AXIS_TITLE.show(lang),
            axis=axis,
            scale=alt.Scale(zero=False, padding=24),
        )
        y = alt.Y(
            "people:Q",
            title=self.people.show(lang),
            scale=alt.Scale(zero=True),
            axis=alt.Axis(format=",~r", tickCount=6),
        )
        tips = [
            alt.Tooltip(f"{lang}:N", title=" "),
            alt.Tooltip("loss:Q", title=Message("loss").show(lang), format=".1%"),
            alt.Tooltip("people:Q", title=Message("found").show(lang), format=",.1f"),
            alt.Tooltip("low:Q", title=Message("from").show(lang), format=",.1f"),
            alt.Tooltip("high:Q", title=Message("to").show(lang), format=",.1f"),
        ]
        base = alt.Chart()
        best = base.transform_filter("datum.front")
        line = best.mark_line(color=ACCENT, strokeWidth=2).encode(x=x, y=y, order="loss:Q")
        bars = best.mark_rule(color=ACCENT, opacity=0.45).encode(x=x, y="low:Q", y2="high:Q")
        others = (
            base.transform_filter("!datum.front")
            .mark_point(filled=True, size=52, color=BEATEN_COLOUR, opacity=0.75)
            .encode(x=x, y=y, tooltip=tips)
        )
        dots = best.mark_point(filled=True, size=110, color=ACCENT, opacity=1).encode(
            x=x, y=y, tooltip=tips
        )
        names = best.mark_text(dx=10, dy=-11, color=INK, fontWeight=600, fontSize=13).encode(
            x=x, y=y, text="letter:N"
        )
        return fit_to_page(
            alt.LayerChart(data=data, layer=[line, bars, others, dots, names]), CHART_HEIGHT
        )
