"""The paper's Figures 2–6 as one picture: time and rate against what an attack uses."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt
import polars as pl
import vl_convert

from tokumei.core.text import Language, Text
from tokumei.tables.suite import CurvePoint

AXES = {
    "qi": Text("number of QI used |q|", "用いる準識別子の数 |q|"),
    "sa": Text("number of SA used |s|", "用いる機密属性の数 |s|"),
    "rows": Text("number of rows", "行数"),
}
FONT = '"Hiragino Sans","Noto Sans JP","Noto Sans CJK JP","Yu Gothic UI",Meiryo,sans-serif'


def curve_svg(points: Sequence[CurvePoint], lang: Language) -> str:
    """Rate (with interval) and time, side by side, as SVG text."""
    frame = pl.DataFrame([point.as_json() for point in points])
    base = alt.Chart(frame).encode(
        x=alt.X("used:Q", title=AXES[points[0].by].show(lang), axis=alt.Axis(tickMinStep=1)),
        color=alt.Color("attack:N", title=Text("attack", "攻撃").show(lang)),
    )
    band = base.mark_area(opacity=0.15).encode(
        y=alt.Y("low:Q", title=Text("success rate", "再識別率").show(lang)), y2="high:Q"
    )
    rate = band + base.mark_line(point=True).encode(y="rate:Q")
    seconds = base.mark_line(point=True).encode(
        y=alt.Y("seconds:Q", title=Text("time (s)", "計算時間（秒）").show(lang))
    )
    size = {"width": 320, "height": 220}
    chart = alt.hconcat(rate.properties(**size), seconds.properties(**size)).configure(font=FONT)
    svg: str = vl_convert.vegalite_to_svg(chart.to_json())
    return svg
