"""The plane of candidates: people found against loss, the front as a line.

Rows have `loss`, `people`, `low`, `high`, `letter`, `front`, and the title as `en` and `ja`.
"""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from tokumei.core.text import Language, Text
from tokumei.report.palette import ACCENT, BEATEN, INK, Rows, sized

HEIGHT = 380
LOSS = Text("loss (weighted mean of the columns)", "損失 (列の加重平均)")
FOUND = Text("people found by the strongest attack", "最も強い攻撃で特定される人数")


@dataclass(frozen=True)
class Plane:
    """The chart; `people`: how the vertical axis is called."""

    people: Text = FOUND

    def build(self, data: Rows, lang: Language) -> alt.LayerChart:
        """The chart in a language."""
        x = alt.X("loss:Q", title=LOSS.show(lang), axis=alt.Axis(format="~%", grid=False),
                  scale=alt.Scale(zero=False, padding=24))  # fmt: skip
        y = alt.Y("people:Q", title=self.people.show(lang), scale=alt.Scale(zero=True),
                  axis=alt.Axis(format=",~r", tickCount=6))  # fmt: skip
        tips = [
            alt.Tooltip(f"{lang}:N", title=" "),
            alt.Tooltip("loss:Q", title=Text("loss", "損失").show(lang), format=".1%"),
            alt.Tooltip("people:Q", title=Text("found", "特定").show(lang), format=",.1f"),
            alt.Tooltip("low:Q", title=Text("from", "下限").show(lang), format=",.1f"),
            alt.Tooltip("high:Q", title=Text("to", "上限").show(lang), format=",.1f"),
        ]
        base = alt.Chart()
        best = base.transform_filter("datum.front")
        line = best.mark_line(color=ACCENT, strokeWidth=2).encode(x=x, y=y, order="loss:Q")
        bars = best.mark_rule(color=ACCENT, opacity=0.45).encode(x=x, y="low:Q", y2="high:Q")
        others = (
            base.transform_filter("!datum.front")
            .mark_point(filled=True, size=52, color=BEATEN, opacity=0.75)
            .encode(x=x, y=y, tooltip=tips)
        )
        dots = best.mark_point(filled=True, size=110, color=ACCENT, opacity=1).encode(
            x=x, y=y, tooltip=tips
        )
        names = best.mark_text(dx=10, dy=-11, color=INK, fontWeight=600, fontSize=13).encode(
            x=x, y=y, text="letter:N"
        )
        return sized(alt.LayerChart(data=data, layer=[line, bars, others, dots, names]), HEIGHT)
