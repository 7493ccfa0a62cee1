"""Charts of sweeps: loss and risk against k, Pareto front, columns, rows kept.

The builders take any Altair data, so that a page can keep one specification per language.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

import altair as alt

from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.histories.report.chart_data import LOSS, RISK, TOTAL, SweepRun, column_titles
from tokumei.pages.palette import (
    ACCENT,
    INK,
    RUN_COLOURS,
    RUN_DASHES,
    RUN_SHAPES,
    WARM,
    ChartRows,
    fit_to_page,
)

Channel = TypeVar("Channel", alt.Color, alt.Shape, alt.StrokeDash)
Looks = Sequence[str | list[int]]
TooltipLine = tuple[str, Message | str] | tuple[str, Message | str, str]
COLUMN_COLOURS = ("#2a4d8f", "#7f9fd6", "#d9a441", "#9aa3b2")
ROWS_KEPT_TITLE = Message("Rows kept")
K_AXIS_TITLE = Message("People made alike (k)")


def build_loss_risk_chart(
    data: ChartRows, runs: Sequence[SweepRun], lang: Language
) -> alt.LayerChart:
    """Loss, 1/k and their sum against k, as in the paper's Figure 2, the smallest sum marked."""
    x = parameter_axis(runs, lang)
    y = alt.Y(
        "value:Q",
        title=Message("Loss, risk and their sum").show(lang),
        scale=alt.Scale(zero=True),
        axis=alt.Axis(format=".1f", tickCount=6),
    )
    figure_names = [figure_name.show(lang) for figure_name in (LOSS, RISK, TOTAL)]
    legend = _chart_legend(columns=3)
    colour = scaled_channel(alt.Color, f"what_{lang}", figure_names, [ACCENT, WARM, INK], legend)
    tooltip_fields = (
        (f"what_{lang}:N", Message("Figure", context="of a chart")),
        ("value:Q", Message("Value"), ".3f"),
    )
    tooltip = _run_tooltips(runs, lang) + tooltips(lang, *tooltip_fields)
    base = alt.Chart().encode(x=x, y=y, color=colour, tooltip=tooltip)
    dash = _run_dashes(runs, lang, _chart_legend(symbol="stroke"))
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=dash)
    dots = base.mark_point(filled=True, size=26, opacity=1)
    layers = [lines, dots, *mark_smallest_sums(x, y)]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def mark_smallest_sums(x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """The smallest sums: a ring around each, and its words above or below it."""
    layers = [_best_point_ring(x, y)]
    # The words stand on a white edge, which keeps them readable where they cross a curve.
    for side, dy in (("below", 20), ("above", -18)):
        filter_expression = f"datum.note && datum.side === '{side}'"
        mark_text = partial(alt.Chart().mark_text, dy=dy, fontSize=12, fontWeight=600)
        for words in (mark_text(stroke="white", strokeWidth=4), mark_text(color=INK)):
            layers.append(words.encode(x=x, y=y, text="note:N").transform_filter(filter_expression))
    return layers


def build_front_chart(data: ChartRows, runs: Sequence[SweepRun], lang: Language) -> alt.LayerChart:
    """Risk against loss; filled points are on the front, the ring is the smallest sum."""
    x = alt.X(
        "loss:Q",
        title=Message("Loss (left is more useful)").show(lang),
        scale=alt.Scale(zero=False, nice=True, padding=14),
        axis=alt.Axis(format=".2f", tickCount=6, grid=True),
    )
    y = alt.Y(
        "risk:Q",
        title=Message("Risk (down: fewer are found)").show(lang),
        scale=alt.Scale(type="log", nice=False, padding=14),
        axis=alt.Axis(format="~%", values=[0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1]),
    )
    colour = _run_channel(alt.Color, runs, lang, RUN_COLOURS)
    shape = _run_channel(alt.Shape, runs, lang, RUN_SHAPES)
    tooltip = _run_tooltips(runs, lang) + tooltips(
        lang, ("loss:Q", LOSS, ".3f"), ("risk:Q", RISK, ".1%")
    )
    base = alt.Chart().encode(x=x, y=y, color=colour)
    lines = base.mark_line(opacity=0.35, strokeWidth=2).encode(order="risk:Q")
    with_tooltips = base.encode(shape=shape, tooltip=tooltip)
    dots = with_tooltips.mark_point(size=64, opacity=1).encode(
        fill=alt.condition("datum.front", colour, alt.value("white"))
    )
    tags = base.mark_text(align="left", dx=8, dy=-8, fontSize=11, color=INK).encode(
        text="tag:N", color=alt.value(INK)
    )
    layers = [lines, dots, _best_point_ring(x, y), tags]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def build_column_loss_chart(
    data: ChartRows, runs: Sequence[SweepRun], lang: Language
) -> alt.LayerChart:
    """What each column adds to the loss, stacked, against k."""
    titles = [title.show(lang) for title in column_titles(runs).values()]
    bars = (
        alt.Chart()
        .mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X(
                "x:O",
                title=_parameter_title(runs, lang),
                axis=alt.Axis(labelAngle=0, labelOverlap="parity", labelSeparation=5),
            ),
            y=alt.Y(
                "part:Q",
                title=Message("Part of the loss").show(lang),
                axis=alt.Axis(format=".1f", tickCount=5),
            ),
            color=scaled_channel(
                alt.Color, lang, titles, COLUMN_COLOURS, _chart_legend("square", columns=4)
            ),
            order="order:Q",
            tooltip=tooltips(
                lang,
                ("x:O", runs[0].sweep.parameter),
                (f"{lang}:N", Message("Column")),
                ("part:Q", Message("part of the loss"), ".3f"),
                ("error:Q", Message("its own error"), ".3f"),
            ),
        )
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars]), 250)


def build_rows_kept_chart(
    data: ChartRows, runs: Sequence[SweepRun], lang: Language
) -> alt.LayerChart:
    """Rows kept against k."""
    base = alt.Chart().encode(
        x=parameter_axis(runs, lang),
        y=rows_kept_axis(lang),
        color=_run_channel(alt.Color, runs, lang, RUN_COLOURS),
        strokeDash=_run_dashes(runs, lang),
        tooltip=_run_tooltips(runs, lang) + tooltips(lang, ("kept:Q", ROWS_KEPT_TITLE, ".1%")),
    )
    layers = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=32, opacity=1)]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 250)


def _parameter_title(runs: Sequence[SweepRun], lang: Language) -> str:
    parameter = runs[0].sweep.parameter
    return K_AXIS_TITLE.show(lang) if parameter == "k" else parameter


def parameter_axis(runs: Sequence[SweepRun], lang: Language) -> alt.X:
    """The swept parameter; numbers get a tick each, where there is room."""
    values = list(dict.fromkeys(point.value for run in runs for point in run.sweep.points))
    if not all(isinstance(value, (int, float)) for value in values):
        return alt.X("x:O", sort=None, title=_parameter_title(runs, lang))
    return alt.X(
        "x:Q",
        title=_parameter_title(runs, lang),
        scale=alt.Scale(zero=False, nice=False, padding=14),
        axis=alt.Axis(
            values=sorted(values), format="~r", labelOverlap="parity", labelSeparation=5, grid=False
        ),
    )


def rows_kept_axis(lang: Language) -> alt.Y:
    """The share of rows kept."""
    scale, axis = alt.Scale(domain=[0, 1]), alt.Axis(format="~%", tickCount=5)
    return alt.Y("kept:Q", title=ROWS_KEPT_TITLE.show(lang), scale=scale, axis=axis)


def tooltips(lang: Language, *shown: TooltipLine) -> list[alt.Tooltip]:
    """What stands beside the pointer: field, title and perhaps format of every line."""
    return [
        alt.Tooltip(
            field,
            title=title.show(lang) if isinstance(title, Message) else title,
            format=format_spec[0] if format_spec else alt.Undefined,
        )
        for field, title, *format_spec in shown
    ]


def _run_tooltips(runs: Sequence[SweepRun], lang: Language) -> list[alt.Tooltip]:
    method = (f"run_{lang}:N", Message("Method"))
    return tooltips(lang, method, ("x:N", runs[0].sweep.parameter))


def scaled_channel(
    channel: type[Channel],
    field: str,
    names: Sequence[str],
    looks: Looks,
    legend: alt.Legend | None,
) -> Channel:
    """Every name of a field in a look of its own."""
    scale = alt.Scale(domain=list(names), range=list(looks))
    return channel(f"{field}:N", scale=scale, legend=legend)


def _run_channel(
    channel: type[Channel], runs: Sequence[SweepRun], lang: Language, looks: Looks,
    legend: alt.Legend | None = None,
) -> Channel:  # fmt: skip
    """Every sweep in a look of its own, with a legend if there are several."""
    shown = (legend or _chart_legend()) if len(runs) > 1 else None
    return scaled_channel(
        channel, f"run_{lang}", [run.label.show(lang) for run in runs], looks, shown
    )


def _run_dashes(
    runs: Sequence[SweepRun], lang: Language, legend: alt.Legend | None = None
) -> alt.StrokeDash | alt.StrokeDashValue:
    if len(runs) == 1:
        return alt.StrokeDashValue([1, 0])
    return _run_channel(alt.StrokeDash, runs, lang, RUN_DASHES, legend)


def _best_point_ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """A ring around the smallest sum."""
    ring: alt.Chart = (
        alt.Chart()
        .mark_point(size=190, filled=False, stroke=INK, strokeWidth=2, opacity=1)
        .encode(x=x, y=y)
        .transform_filter("datum.best")
    )
    return ring


def _chart_legend(symbol: str | None = None, *, columns: int = 2) -> alt.Legend:
    dashed = symbol == "stroke"  # long enough to show its dashes, and below: beside is no room
    return alt.Legend(
        title=None, columns=columns, labelLimit=260, symbolOpacity=1, offset=8,
        orient="bottom" if dashed else "top", symbolType=symbol or alt.Undefined,
        symbolSize=700 if dashed else alt.Undefined,
    )  # fmt: skip
