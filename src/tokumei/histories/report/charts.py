"""The charts of sweeps: loss and risk against k, the front, columns, rows kept.

The builders take any Altair data, so that a page can keep one specification per language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tokumei.core.text import Language, Text
from tokumei.histories.report.series import LOSS, RISK, TOTAL, Run, column_titles
from tokumei.report.palette import (
    ACCENT,
    INK,
    RUN_COLOURS,
    RUN_DASHES,
    RUN_SHAPES,
    WARM,
    Rows,
    sized,
)

COLUMN_COLOURS = ("#2a4d8f", "#7f9fd6", "#d9a441", "#9aa3b2")
KEPT = Text("Rows kept", "残った行")
ALIKE = Text("People made alike (k)", "同じ履歴になる人数 (k)")


def build_figure(data: Rows, runs: Sequence[Run], lang: Language) -> alt.LayerChart:
    """Loss, 1/k and their sum against k, as in the paper's Figure 2, the smallest sum marked."""
    x = value_axis(runs, lang)
    y = alt.Y(
        "value:Q",
        title=Text("Loss, risk and their sum", "損失・リスク・合計").show(lang),
        scale=alt.Scale(zero=True),
        axis=alt.Axis(format=".1f", tickCount=6),
    )
    whats = [what.show(lang) for what in (LOSS, RISK, TOTAL)]
    legend = _legend(columns=3)
    colour = looked(alt.Color, f"what_{lang}", whats, [ACCENT, WARM, INK], legend)
    shown = (f"what_{lang}:N", Text("Figure", "指標")), ("value:Q", Text("Value", "値"), ".3f")
    tooltip = _run_tips(runs, lang) + tips(lang, *shown)
    base = alt.Chart().encode(x=x, y=y, color=colour, tooltip=tooltip)
    dash = _dash(runs, lang, _legend(symbol="stroke"))
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=dash)
    dots = base.mark_point(filled=True, size=26, opacity=1)
    layers = [lines, dots, *smallest(x, y)]
    return sized(alt.LayerChart(data=data, layer=layers), 330)


def smallest(x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The smallest sums: a ring around each, and its words above or below it."""
    layers = [_ring(x, y)]
    # The words stand on a white edge, which keeps them readable where they cross a curve.
    looks: list[dict[str, Any]] = [{"stroke": "white", "strokeWidth": 4}, {"color": INK}]
    for side, dy in (("below", 20), ("above", -18)):
        wanted = f"datum.note && datum.side === '{side}'"
        for look in looks:
            words = alt.Chart().mark_text(dy=dy, fontSize=12, fontWeight=600, **look)
            layers.append(words.encode(x=x, y=y, text="note:N").transform_filter(wanted))
    return layers


def build_front(data: Rows, runs: Sequence[Run], lang: Language) -> alt.LayerChart:
    """Risk against loss; filled points are on the front, the ring is the smallest sum."""
    x = alt.X(
        "loss:Q",
        title=Text("Loss (left is more useful)", "損失 (左ほど有用)").show(lang),
        scale=alt.Scale(zero=False, nice=True, padding=14),
        axis=alt.Axis(format=".2f", tickCount=6, grid=True),
    )
    y = alt.Y(
        "risk:Q",
        title=Text("Risk (down is safer)", "リスク (下ほど安全)").show(lang),
        scale=alt.Scale(type="log", nice=False, padding=14),
        axis=alt.Axis(format="~%", values=[0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1]),
    )
    colour = _by_run(alt.Color, runs, lang, RUN_COLOURS)
    shape = _by_run(alt.Shape, runs, lang, RUN_SHAPES)
    tooltip = _run_tips(runs, lang) + tips(lang, ("loss:Q", LOSS, ".3f"), ("risk:Q", RISK, ".1%"))
    base = alt.Chart().encode(x=x, y=y, color=colour)
    lines = base.mark_line(opacity=0.35, strokeWidth=2).encode(order="risk:Q")
    seen = base.encode(shape=shape, tooltip=tooltip)
    dots = seen.mark_point(size=64, opacity=1).encode(
        fill=alt.condition("datum.front", colour, alt.value("white"))
    )
    tags = base.mark_text(align="left", dx=8, dy=-8, fontSize=11, color=INK).encode(
        text="tag:N", color=alt.value(INK)
    )
    layers = [lines, dots, _ring(x, y), tags]
    return sized(alt.LayerChart(data=data, layer=layers), 330)


def build_columns(data: Rows, runs: Sequence[Run], lang: Language) -> alt.LayerChart:
    """What each column adds to the loss, stacked, against k."""
    titles = [title.show(lang) for title in column_titles(runs).values()]
    bars = (
        alt.Chart()
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "x:O",
                title=_value_title(runs, lang),
                axis=alt.Axis(labelAngle=0, labelOverlap="parity", labelSeparation=5),
            ),
            y=alt.Y(
                "part:Q",
                title=Text("Part of the loss", "損失の内訳").show(lang),
                axis=alt.Axis(format=".1f", tickCount=5),
            ),
            color=looked(alt.Color, lang, titles, COLUMN_COLOURS, _legend("square", columns=4)),
            order="order:Q",
            tooltip=tips(
                lang,
                ("x:O", runs[0].sweep.parameter),
                (f"{lang}:N", Text("Column", "列")),
                ("part:Q", Text("part of the loss", "内訳"), ".3f"),
                ("error:Q", Text("its own error", "列の誤差"), ".3f"),
            ),
        )
    )
    return sized(alt.LayerChart(data=data, layer=[bars]), 250)


def build_kept(data: Rows, runs: Sequence[Run], lang: Language) -> alt.LayerChart:
    """Rows kept against k."""
    base = alt.Chart().encode(
        x=value_axis(runs, lang),
        y=kept_axis(lang),
        color=_by_run(alt.Color, runs, lang, RUN_COLOURS),
        strokeDash=_dash(runs, lang),
        tooltip=_run_tips(runs, lang) + tips(lang, ("kept:Q", KEPT, ".1%")),
    )
    layers = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=32, opacity=1)]
    return sized(alt.LayerChart(data=data, layer=layers), 250)


def _value_title(runs: Sequence[Run], lang: Language) -> str:
    parameter = runs[0].sweep.parameter
    return ALIKE.show(lang) if parameter == "k" else parameter


def value_axis(runs: Sequence[Run], lang: Language) -> alt.X:
    """The swept parameter; numbers get a tick each, where there is room."""
    values = list(dict.fromkeys(point.value for run in runs for point in run.sweep.points))
    if not all(isinstance(value, (int, float)) for value in values):
        return alt.X("x:O", sort=None, title=_value_title(runs, lang))
    return alt.X(
        "x:Q",
        title=_value_title(runs, lang),
        scale=alt.Scale(zero=False, nice=False, padding=14),
        axis=alt.Axis(
            values=sorted(values), format="~r", labelOverlap="parity", labelSeparation=5, grid=False
        ),
    )


def kept_axis(lang: Language) -> alt.Y:
    """The share of rows kept."""
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format="~%", tickCount=5)
    return alt.Y("kept:Q", title=KEPT.show(lang), scale=scale, axis=axis)


def tips(lang: Language, *shown: tuple[Any, ...]) -> list[alt.Tooltip]:
    """What stands beside the pointer: field, title and perhaps format of every line."""
    return [
        alt.Tooltip(
            field,
            title=title.show(lang) if isinstance(title, Text) else title,
            **({"format": form[0]} if form else {}),
        )
        for field, title, *form in shown
    ]


def _run_tips(runs: Sequence[Run], lang: Language) -> list[alt.Tooltip]:
    method = (f"run_{lang}:N", Text("Method", "手法"))
    return tips(lang, method, ("x:N", runs[0].sweep.parameter))


def looked(
    channel: Any, field: str, names: Sequence[str], looks: Sequence[Any], legend: alt.Legend | None
) -> Any:
    """Every name of a field in a look of its own."""
    scale = alt.Scale(domain=list(names), range=list(looks))
    return channel(f"{field}:N", scale=scale, legend=legend)


def _by_run(
    channel: Any, runs: Sequence[Run], lang: Language, looks: Sequence[Any], legend: Any = None
) -> Any:
    """Every sweep in a look of its own, with a legend if there are several."""
    shown = (legend or _legend()) if len(runs) > 1 else None
    return looked(channel, f"run_{lang}", [run.label.show(lang) for run in runs], looks, shown)


def _dash(runs: Sequence[Run], lang: Language, legend: alt.Legend | None = None) -> Any:
    if len(runs) == 1:
        return alt.StrokeDashValue([1, 0])
    return _by_run(alt.StrokeDash, runs, lang, RUN_DASHES, legend)


def _ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """A ring around the smallest sum."""
    ring: alt.Chart = (
        alt.Chart()
        .mark_point(size=190, filled=False, stroke=INK, strokeWidth=2, opacity=1)
        .encode(x=x, y=y)
        .transform_filter("datum.best")
    )
    return ring


def _legend(symbol: str | None = None, *, columns: int = 2) -> alt.Legend:
    kind: dict[str, Any] = {"orient": "top"}
    if symbol is not None:
        kind["symbolType"] = symbol
    if symbol == "stroke":  # long enough to show its dashes, and below: beside is no room
        kind |= {"symbolSize": 700, "orient": "bottom"}
    return alt.Legend(
        title=None, columns=columns, labelLimit=260, symbolOpacity=1, offset=8, **kind
    )
