"""Altair charts of the report, and points of the utility–safety chart.

All show aggregates only. A report keeps one specification and many data sets.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

import altair as alt

from tokumei.core.described import find_title
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.palette import (
    ACCENT,
    BEATEN_COLOUR,
    INK,
    MUTED,
    ORIGINAL_COLOUR,
    RELEASED_COLOUR,
    WARNING,
    ChartRows,
    fit_to_page,
)
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.registry import measures
from tokumei.tables.report.scorecard import (
    DEFAULT_AXES,
    FigureAxes,
    is_relabelled,
    releases_on_front,
)

NEAR_SHARE = 0.045
"""Points closer than this share of the chart on both axes carry one common tag."""


@dataclass(frozen=True)
class SymlogAxis:
    """A symlog axis from 0 to `top`: linear up to about `constant`, with round ticks."""

    top: float
    constant: float
    ticks: tuple[float, ...]
    format: str


class TradeoffPoint(TypedDict):
    """A release in the chart of loss against attack rate."""

    number: int
    label: str
    x: float
    attack: str
    rate: float
    low: float
    high: float
    standing: str
    tag: str


def tradeoff_points(
    evaluations: Sequence[Evaluation], measure: str, axes: FigureAxes = DEFAULT_AXES
) -> list[TradeoffPoint]:
    """One row per release that has the measure, numbered as in the scorecard."""
    front = releases_on_front(evaluations, measure, axes)
    points = [
        _chart_point(number, evaluation, measure, is_on_front, axes)
        for number, (evaluation, is_on_front) in enumerate(
            zip(evaluations, front, strict=True), start=1
        )
        if measure in evaluation.scores
        and math.isfinite(evaluation.scores[measure].value)
        and axes.has_attack(evaluation)
    ]
    _label_clusters(points, loss_axis(points))
    return points


def loss_axis(points: Sequence[TradeoffPoint]) -> SymlogAxis:
    """An axis on which small and large losses are both visible."""
    largest = max((point["x"] for point in points), default=0.0)
    if largest <= 0:
        return SymlogAxis(1.0, 1.0, (0.0, 1.0), "~g")
    top, constant = largest * 1.15, largest / 20
    powers = range(math.floor(math.log10(constant)), math.ceil(math.log10(top)) + 1)
    round_ones = (digit * 10.0**power for power in powers for digit in (1, 2, 5))
    ticks = tuple(tick for tick in round_ones if constant <= tick <= top)
    return SymlogAxis(top, constant, (0.0, *ticks), "~s" if top >= 1000 else "~g")


def _chart_point(
    number: int, evaluation: Evaluation, measure: str, is_on_front: bool, axes: FigureAxes
) -> TradeoffPoint:
    attack_rate = axes.shown_rate(evaluation)
    standing = "front" if is_on_front else "beaten"
    return {
        "number": number,
        "label": evaluation.label,
        "x": evaluation.scores[measure].value,
        "attack": axes.y or evaluation.strongest.attack,
        "rate": attack_rate.rate,
        "low": attack_rate.low,
        "high": attack_rate.high,
        "standing": "relabelled" if is_relabelled(evaluation) else standing,
        "tag": "",
    }


def _label_clusters(points: list[TradeoffPoint], axis: SymlogAxis) -> None:
    """Give the first point of every cluster the numbers of all of it."""
    heads: list[tuple[float, float, TradeoffPoint]] = []
    for point in points:
        x = _symlog(point["x"], axis.constant) / _symlog(axis.top, axis.constant)
        y = _symlog(point["rate"], 0.05) / _symlog(1.0, 0.05)
        near_heads = [
            head for a, b, head in heads if abs(a - x) < NEAR_SHARE and abs(b - y) < NEAR_SHARE
        ]
        if near_heads:
            near_heads[0]["tag"] += f" · {point['number']}"
        else:
            point["tag"] = str(point["number"])
            heads.append((x, y, point))


def _symlog(value: float, constant: float) -> float:
    return math.log1p(value / constant)


RATE_TICKS = [0, 0.01, 0.05, 0.1, 0.2, 0.5, 1]
STANDING_LABELS = {
    "front": Message("no other is better in both (Pareto front)"),
    "beaten": Message("another is better in both"),
    "relabelled": Message("link permuted: not comparable"),
}
BEFORE_LABEL, AFTER_LABEL = Message("Original"), Message("Release")
CLASS_SIZE_LABEL = Message("Rows that share the same quasi-identifiers")


def build_tradeoff_chart(
    data: ChartRows, lang: Language, *, measure: str, axis: SymlogAxis, attack: str | None = None
) -> alt.LayerChart:
    """The scatter: intervals, the front as a line, points by standing, release numbers."""
    finds = Message("Found by knowing the whole original")
    if attack is not None:
        finds = Message("{attack} finds", attack=attack)
    x = alt.X(
        "x:Q",
        title=f"{measure} · {find_title(measures, measure).show(lang)}",
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
        title=finds.show(lang),
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
    layers = (front, spans, _point_layer(base, y, lang), tags)
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 360)


def build_bin_chart(
    data: ChartRows, lang: Language, title: str | None = None, *, height: int = 130
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
    base = alt.Chart().encode(x=x, tooltip=_before_after_tooltip(lang))
    return fit_to_page(
        alt.LayerChart(data=data, layer=_bars_and_marks(base, "y", "horizontal")), height
    )


def build_value_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Lying bars for the release, a mark per value for the original."""
    y = alt.Y(
        f"{lang}:N",
        sort=None,
        title=None,
        scale=alt.Scale(paddingInner=0.2),
        axis=alt.Axis(labelLimit=110, ticks=False, domain=False),
    )
    base = alt.Chart().encode(y=y, tooltip=_before_after_tooltip(lang))
    layers = _bars_and_marks(base, "x", "vertical")
    return fit_to_page(alt.LayerChart(data=data, layer=layers), alt.Step(17))


def _point_layer(base: alt.Chart, y: alt.Y, lang: Language) -> alt.Chart:
    names = list(STANDING_LABELS)
    expression = " : ".join(
        f"datum.value === '{name}' ? {json.dumps(STANDING_LABELS[name].show(lang))}"
        for name in names
    )
    legend = alt.Legend(
        title=None,
        orient="top",
        direction="vertical",
        labelExpr=f"{expression} : ''",
        labelLimit=320,
        symbolOpacity=1,
        offset=22,
    )
    colours = alt.Scale(domain=names, range=[ACCENT, BEATEN_COLOUR, WARNING])
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
        alt.Tooltip("label:N", title=AFTER_LABEL.show(lang)),
        alt.Tooltip("x:Q", title=Message("Loss").show(lang), format=".4~g"),
        alt.Tooltip("attack:N", title=Message("Attack").show(lang)),
        alt.Tooltip("rate:Q", title=Message("Finds").show(lang), format=".2%"),
        alt.Tooltip("low:Q", title=Message("from").show(lang), format=".2%"),
        alt.Tooltip("high:Q", title=Message("to").show(lang), format=".2%"),
    ]


def _before_after_tooltip(lang: Language) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{lang}:N", title=Message("Value").show(lang)),
        alt.Tooltip("before:Q", title=BEFORE_LABEL.show(lang), format=".1%"),
        alt.Tooltip("after:Q", title=AFTER_LABEL.show(lang), format=".1%"),
    ]


def _bars_and_marks(
    base: alt.Chart, side: str, orient: Literal["horizontal", "vertical"]
) -> tuple[alt.Chart, alt.Chart]:
    """Bars for the release and a mark for the original, their shares along a side."""
    axis = alt.Axis(format="~%", tickCount=3, domain=False, ticks=False)
    channel = {"x": alt.X, "y": alt.Y}[side]
    after, before = (
        {side: channel(f"{field}:Q", title=None, axis=axis)} for field in ("after", "before")
    )
    bars = base.mark_bar(color=RELEASED_COLOUR, cornerRadiusEnd=2).encode(**after)
    return bars, base.mark_tick(color=ORIGINAL_COLOUR, thickness=2, orient=orient).encode(**before)
