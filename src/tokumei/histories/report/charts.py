"""The charts of sweeps: loss and risk against k, the front, columns, rows kept.

The builders take any Altair data, so that a page can keep one specification per language.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tokumei.core.text import Language, Text
from tokumei.histories.report.overlay import COLUMNS, Run
from tokumei.histories.report.series import LOSS, RISK, TOTAL
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
    colour = alt.Color(
        f"what_{lang}:N",
        scale=alt.Scale(domain=whats, range=[ACCENT, WARM, INK]),
        legend=_legend(columns=3),
    )
    base = alt.Chart().encode(x=x, y=y, color=colour, tooltip=_figure_tooltip(runs, lang))
    dash = _dash(runs, lang, _legend(symbol="stroke"))
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=dash)
    dots = base.mark_point(filled=True, size=26, opacity=1)
    layers = [lines, dots, _ring(x, y)]
    for side, dy in (("below", 20), ("above", -18))[: len(runs)]:
        wanted = f"datum.note && datum.side === '{side}'"
        layers += [note.transform_filter(wanted) for note in _notes(x, y, dy)]
    return sized(alt.LayerChart(data=data, layer=layers), 330)


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
    names = [run.label.show(lang) for run in runs]
    legend = _legend() if len(runs) > 1 else None
    colour = alt.Color(
        f"run_{lang}:N", scale=alt.Scale(domain=names, range=list(RUN_COLOURS)), legend=legend
    )
    shape = alt.Shape(
        f"run_{lang}:N", scale=alt.Scale(domain=names, range=list(RUN_SHAPES)), legend=legend
    )
    base = alt.Chart().encode(x=x, y=y, color=colour)
    lines = base.mark_line(opacity=0.35, strokeWidth=2).encode(order="risk:Q")
    seen = base.encode(shape=shape, tooltip=_front_tooltip(runs, lang))
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
    titles = [title.show(lang) for title in COLUMNS.values()]
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
            color=alt.Color(
                f"{lang}:N",
                scale=alt.Scale(domain=titles, range=list(COLUMN_COLOURS)),
                legend=_legend(symbol="square", columns=4),
            ),
            order="order:Q",
            tooltip=[
                alt.Tooltip("x:O", title=runs[0].sweep.parameter),
                alt.Tooltip(f"{lang}:N", title=Text("Column", "列").show(lang)),
                alt.Tooltip(
                    "part:Q", title=Text("part of the loss", "内訳").show(lang), format=".3f"
                ),
                alt.Tooltip(
                    "error:Q", title=Text("its own error", "列の誤差").show(lang), format=".3f"
                ),
            ],
        )
    )
    return sized(alt.LayerChart(data=data, layer=[bars]), 250)


def build_kept(data: Rows, runs: Sequence[Run], lang: Language) -> alt.LayerChart:
    """Rows kept against k."""
    names = [run.label.show(lang) for run in runs]
    base = alt.Chart().encode(
        x=value_axis(runs, lang),
        y=alt.Y(
            "kept:Q",
            title=Text("Rows kept", "残った行").show(lang),
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="~%", tickCount=5),
        ),
        color=alt.Color(
            f"run_{lang}:N",
            scale=alt.Scale(domain=names, range=list(RUN_COLOURS)),
            legend=_legend() if len(runs) > 1 else None,
        ),
        strokeDash=_dash(runs, lang),
        tooltip=[
            alt.Tooltip(f"run_{lang}:N", title=Text("Method", "手法").show(lang)),
            alt.Tooltip("x:N", title=runs[0].sweep.parameter),
            alt.Tooltip("kept:Q", title=Text("Rows kept", "残った行").show(lang), format=".1%"),
        ],
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


def _dash(runs: Sequence[Run], lang: Language, legend: alt.Legend | None = None) -> Any:
    if len(runs) == 1:
        return alt.StrokeDashValue([1, 0])
    names = [run.label.show(lang) for run in runs]
    return alt.StrokeDash(
        f"run_{lang}:N",
        scale=alt.Scale(domain=names, range=[list(dash) for dash in RUN_DASHES]),
        legend=legend or _legend(),
    )


def _ring(x: alt.X, y: alt.Y) -> alt.Chart:
    """A ring around the smallest sum."""
    ring: alt.Chart = (
        alt.Chart()
        .mark_point(size=190, filled=False, stroke=INK, strokeWidth=2, opacity=1)
        .encode(x=x, y=y)
        .transform_filter("datum.best")
    )
    return ring


def _notes(x: alt.X, y: alt.Y, dy: int) -> list[alt.Chart]:
    """The text on a white edge, which keeps it readable where it crosses a curve."""
    looks: list[dict[str, Any]] = [{"stroke": "white", "strokeWidth": 4}, {"color": INK}]
    return [
        alt.Chart()
        .mark_text(dy=dy, fontSize=12, fontWeight=600, **look)
        .encode(x=x, y=y, text="note:N")
        for look in looks
    ]


def _legend(symbol: str | None = None, *, columns: int = 2) -> alt.Legend:
    kind: dict[str, Any] = {"orient": "top"}
    if symbol is not None:
        kind["symbolType"] = symbol
    if symbol == "stroke":  # long enough to show its dashes, and below: beside is no room
        kind |= {"symbolSize": 700, "orient": "bottom"}
    return alt.Legend(
        title=None, columns=columns, labelLimit=260, symbolOpacity=1, offset=8, **kind
    )


def _figure_tooltip(runs: Sequence[Run], lang: Language) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"run_{lang}:N", title=Text("Method", "手法").show(lang)),
        alt.Tooltip("x:N", title=runs[0].sweep.parameter),
        alt.Tooltip(f"what_{lang}:N", title=Text("Figure", "指標").show(lang)),
        alt.Tooltip("value:Q", title=Text("Value", "値").show(lang), format=".3f"),
    ]


def _front_tooltip(runs: Sequence[Run], lang: Language) -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"run_{lang}:N", title=Text("Method", "手法").show(lang)),
        alt.Tooltip("x:N", title=runs[0].sweep.parameter),
        alt.Tooltip("loss:Q", title=LOSS.show(lang), format=".3f"),
        alt.Tooltip("risk:Q", title=RISK.show(lang), format=".1%"),
    ]
