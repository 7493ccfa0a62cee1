"""The report's charts, as Altair objects that also stand alone in a notebook.

    tradeoff_chart(evaluations, "U5").save("front.html", inline=True)
    column_chart(evaluation, "food", lang="ja")

All show aggregates only. The builders below take any Altair data, so that a report can keep one
specification and many data sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tokumei.core.measure import ATTACK_LIMITS
from tokumei.core.text import Language, Text
from tokumei.core.words import title_of
from tokumei.report.palette import (
    ACCENT,
    BEATEN,
    HEAT,
    INK,
    MUTED,
    ORIGINAL,
    RELEASED,
    WARNING,
    Rows,
    chart_config,
    sized,
)
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import measures
from tokumei.tables.report.distributions import class_size_bars, column_change, records
from tokumei.tables.report.points import Axis, axis_of, tradeoff_points
from tokumei.tables.report.scorecard import MAIN_LOSS
from tokumei.tables.report.tables import attack_table

RATE_TICKS = [0, 0.01, 0.05, 0.1, 0.2, 0.5, 1]
STANDINGS = {
    "front": Text(
        "no other is better in both (Pareto front)", "両方で上回るものがない（パレート最適）"
    ),
    "beaten": Text("another is better in both", "両方で上回るものがある"),
    "relabelled": Text("link permuted: not comparable", "対応表の入れ替え（比較対象外）"),
}
SHARE = Text("Share of rows", "行の割合")
BEFORE, AFTER = Text("Original", "元データ"), Text("Release", "匿名加工データ")
CLASS_SIZE = Text("Rows that share the same quasi-identifiers", "準識別子が同じ行の数")


def tradeoff_chart(
    evaluations: Sequence[Evaluation], x: str = MAIN_LOSS, *, lang: Language = "en"
) -> alt.LayerChart:
    """Utility and safety: information lost (or another loss) and the strongest attack."""
    points = tradeoff_points(evaluations, x)
    return _alone(build_tradeoff(alt.InlineData(values=points), x, axis_of(points), lang))


def attack_heatmap(evaluations: Sequence[Evaluation], *, lang: Language = "en") -> alt.LayerChart:
    """Every attack's rate on every release."""
    table = attack_table(evaluations)
    cells = [
        {"release": label, "attack": line.attack, "title": line.title.show(lang), "rate": rate}
        for line in table.lines
        for label, rate in zip(table.labels, line.rates, strict=True)
        if rate is not None
    ]
    return _alone(build_heatmap(alt.InlineData(values=cells), lang))


def class_size_chart(evaluation: Evaluation, *, lang: Language = "en") -> alt.LayerChart:
    """How many rows live in classes of each size, before and after."""
    bars = class_size_bars(evaluation.case.original, evaluation.release.public)
    return _alone(build_bins(alt.InlineData(values=records(bars)), lang, CLASS_SIZE.show(lang)))


def column_chart(evaluation: Evaluation, column: str, *, lang: Language = "en") -> alt.LayerChart:
    """One column's distribution, before (marks) and after (bars)."""
    original = evaluation.case.original
    change = column_change(original, evaluation.release.public, original.schema[column])
    build = build_bins if change.numeric else build_values
    return _alone(build(alt.InlineData(values=change.records()), lang, column))


def build_tradeoff(data: Rows, measure: str, axis: Axis, lang: Language) -> alt.LayerChart:
    """The scatter: intervals, the front as a line, points by standing, release numbers."""
    x = alt.X(
        "x:Q",
        title=f"{measure} · {title_of(measures, measure).show(lang)}",
        scale=alt.Scale(type="symlog", constant=axis.constant, domain=[0, axis.top], nice=False),
        axis=alt.Axis(
            values=axis.ticks,
            format=axis.format,
            labelOverlap=True,
            labelExpr="datum.value === 0 ? '0' : datum.label",
        ),
    )
    y = alt.Y(
        "rate:Q",
        title=Text("Strongest attack finds", "最も強い攻撃の成功率").show(lang),
        scale=alt.Scale(type="symlog", constant=0.05, domain=[0, 1], nice=False),
        axis=alt.Axis(values=RATE_TICKS, format="~%"),
    )
    base = alt.Chart().encode(x=x)
    spans = base.mark_rule(color=MUTED, opacity=0.5).encode(y=alt.Y("low:Q"), y2="high:Q")
    front = (
        base.mark_line(color=ACCENT, opacity=0.35, interpolate="step-after", strokeWidth=2)
        .encode(y=y)
        .transform_filter("datum.standing === 'front'")
    )
    tags = base.mark_text(
        align="left", dx=11, dy=-9, fontSize=12, fontWeight=600, color=INK
    ).encode(y=y, text="tag:N")
    layers = (_limit(), front, spans, _points(base, y, lang), tags)
    return sized(alt.LayerChart(data=data, layer=layers), 360)


def build_heatmap(data: Rows, lang: Language) -> alt.LayerChart:
    """Attacks × releases, darker for more, with the rate in every cell."""
    base = alt.Chart().encode(
        x=alt.X("release:N", sort=None, title=None, axis=alt.Axis(labelAngle=-30, orient="top")),
        y=alt.Y("attack:N", sort=None, title=None),
    )
    colour = alt.Color(
        "rate:Q",
        scale=alt.Scale(type="symlog", constant=0.05, domain=[0, 1], range=list(HEAT)),
        legend=None,
    )
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=colour, tooltip=[alt.Tooltip("title:N"), alt.Tooltip("rate:Q", format=".2%")]
    )
    figures = base.mark_text(fontSize=11).encode(
        text=alt.Text("rate:Q", format=".1%"),
        color=alt.condition("datum.rate > 0.15", alt.value("white"), alt.value(INK)),
    )
    return sized(alt.LayerChart(data=data, layer=(cells, figures)), 30 * 8)


def build_bins(
    data: Rows, lang: Language, title: str | None = None, *, height: int = 130
) -> alt.LayerChart:
    """Upright bars for the release, a level mark per bin for the original."""
    x = alt.X(
        f"{lang}:N",
        sort=None,
        title=title,
        axis=alt.Axis(
            labelAngle=0,
            labelOverlap="parity",
            labelSeparation=4,
            ticks=False,
            labelFontSize=10,
            labelExpr="replace(datum.label, '≤', '')",
        ),
    )
    base = alt.Chart().encode(x=x, tooltip=_both_sides(lang))
    bars = base.mark_bar(color=RELEASED, cornerRadiusEnd=2).encode(y=_share_axis(alt.Y, "after"))
    marks = base.mark_tick(color=ORIGINAL, thickness=2, orient="horizontal").encode(
        y=_share_axis(alt.Y, "before")
    )
    return sized(alt.LayerChart(data=data, layer=(bars, marks)), height)


def build_values(data: Rows, lang: Language, title: str | None = None) -> alt.LayerChart:
    """Lying bars for the release, a mark per value for the original."""
    y = alt.Y(
        f"{lang}:N",
        sort=None,
        title=title,
        scale=alt.Scale(paddingInner=0.2),
        axis=alt.Axis(labelLimit=110, ticks=False, domain=False),
    )
    base = alt.Chart().encode(y=y, tooltip=_both_sides(lang))
    bars = base.mark_bar(color=RELEASED, cornerRadiusEnd=2).encode(x=_share_axis(alt.X, "after"))
    marks = base.mark_tick(color=ORIGINAL, thickness=2, orient="vertical").encode(
        x=_share_axis(alt.X, "before")
    )
    return sized(alt.LayerChart(data=data, layer=(bars, marks)), alt.Step(17))


def _points(base: alt.Chart, y: alt.Y, lang: Language) -> alt.Chart:
    names = list(STANDINGS)
    expression = " : ".join(f"datum.value === '{k}' ? '{STANDINGS[k].show(lang)}'" for k in names)
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="vertical",
        labelExpr=f"{expression} : ''",
        labelLimit=320,
        symbolOpacity=1,
        offset=22,
    )
    colours = alt.Scale(domain=names, range=[ACCENT, BEATEN, WARNING])
    shapes = alt.Scale(domain=names, range=["circle", "diamond", "cross"])
    points: alt.Chart = base.mark_point(filled=True, size=140, opacity=0.9, stroke="white").encode(
        y=y,
        color=alt.Color("standing:N", scale=colours, legend=legend),
        shape=alt.Shape("standing:N", scale=shapes, legend=legend),
        tooltip=_point_tooltip(lang),
    )
    return points


def _point_tooltip(lang: Language) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("label:N", title=Text("Release", "匿名加工データ").show(lang)),
        alt.Tooltip("x:Q", title=Text("Loss", "損失").show(lang), format=".4~g"),
        alt.Tooltip("attack:N", title=Text("Strongest attack", "最も強い攻撃").show(lang)),
        alt.Tooltip("rate:Q", title=Text("Finds", "成功率").show(lang), format=".2%"),
        alt.Tooltip("low:Q", title=Text("from", "下限").show(lang), format=".2%"),
        alt.Tooltip("high:Q", title=Text("to", "上限").show(lang), format=".2%"),
    ]


def _limit() -> alt.Chart:
    """A dashed line at the limit of a good attack rate."""
    line: alt.Chart = (
        alt.Chart()
        .mark_rule(color=MUTED, strokeDash=[3, 4], opacity=0.8)
        .encode(y=alt.YDatum(ATTACK_LIMITS.good))
    )
    return line


def _both_sides(lang: Language) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{lang}:N", title=Text("Value", "値").show(lang)),
        alt.Tooltip("before:Q", title=BEFORE.show(lang), format=".1%"),
        alt.Tooltip("after:Q", title=AFTER.show(lang), format=".1%"),
    ]


def _share_axis(channel: Any, field: str) -> Any:
    axis = alt.Axis(format="~%", tickCount=3, domain=False, ticks=False)
    return channel(f"{field}:Q", title=None, axis=axis)


def _alone(chart: alt.LayerChart) -> alt.LayerChart:
    """For use outside a report: a fixed width and the house style."""
    styled: alt.LayerChart = chart.properties(width=560).configure(**chart_config())
    return styled
