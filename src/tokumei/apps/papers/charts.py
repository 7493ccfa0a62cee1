"""Charts of the papers' values (hollow or pale) and ours (filled).

Rows of lines have `x`, `value`, the line's name as `en` and `ja` and `side` (paper or ours); those
of bars a name instead of `x`; points `x`, `y`, `tag` and `side`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

import altair as alt

from tokumei.core.messages import Language, Message
from tokumei.pages.curve_page import ChartPanel
from tokumei.pages.palette import (
    ACCENT,
    INK,
    MUTED,
    RUN_COLOURS,
    WARM,
    ChartRows,
    bilingual_columns,
    fit_to_page,
)

PaperChartRow: TypeAlias = dict[str, object]
PAPER_SIDE, COMPUTED_SIDE = SIDES = Message("paper"), Message("computed")
_IS_COMPUTED, _IS_PUBLISHED = "datum.side_en === 'computed'", "datum.side_en === 'paper'"
HOLLOW_NOTE = Message("Hollow: the paper. Filled or line: computed.")


def bars_panel(
    name: str, heading: Message, value: Message, rows: Sequence[PaperChartRow], form: str = ",d"
) -> ChartPanel:
    """Lying bars, ours beside the paper's, in the order of the rows."""
    return ChartPanel(name, heading, heading, rows, partial(_draw_bars, value=value, form=form))


def lines_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Lines against a number; the paper's points hollow."""
    hollow_note = HOLLOW_NOTE if any(row["side_en"] == PAPER_SIDE.id for row in rows) else None
    return ChartPanel(name, heading, heading, rows, partial(_draw_lines, x=x, y=y), hollow_note)


def points_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Points with their names; the paper's hollow."""
    return ChartPanel(name, heading, heading, rows, partial(_draw_points, x=x, y=y), HOLLOW_NOTE)


def plain_points_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Points with their names, on axes of any length."""
    return ChartPanel(name, heading, heading, rows, partial(_draw_plain_points, x=x, y=y))


def values_panel(
    name: str, heading: Message, x: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Values in yen against a count, every point with its name."""
    return ChartPanel(name, heading, heading, rows, partial(_draw_values, x=x))


def _draw_plain_points(
    data: ChartRows, lang: Language, *, x: Message, y: Message
) -> alt.LayerChart:
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x.show(lang), scale=alt.Scale(padding=40)),
        y=alt.Y("y:Q", title=y.show(lang), scale=alt.Scale(zero=True, padding=24)),
        tooltip=["tag:N", f"side_{lang}:N", "x:Q", "y:Q"],
    )
    dots = base.encode(color=_side_encoding(lang))
    tags = base.mark_text(fontSize=11, color=MUTED).encode(text="tag:N")
    layers = [
        dots.mark_point(filled=True, size=90, opacity=1).transform_filter(_IS_COMPUTED),
        dots.mark_point(size=150, strokeWidth=2, opacity=1).transform_filter(_IS_PUBLISHED),
        tags.mark_text(dy=-13).transform_filter(_IS_COMPUTED),
        tags.mark_text(dy=17, color=WARM).transform_filter(_IS_PUBLISHED),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def _draw_values(data: ChartRows, lang: Language, *, x: Message) -> alt.LayerChart:
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x.show(lang), scale=alt.Scale(domainMin=0, padding=60)),
        y=alt.Y(
            "y:Q",
            title=Message("value, yen").show(lang),
            scale=alt.Scale(zero=True, padding=24),
            axis=alt.Axis(format="~s"),
        ),
        tooltip=[f"{lang}:N", "x:Q", alt.Tooltip("y:Q", format=",d")],
    )
    layers = [
        base.mark_point(size=150, strokeWidth=2, opacity=1, color=WARM),
        base.mark_text(dy=-14, fontSize=11, color=MUTED).encode(text=f"{lang}:N"),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def _side_encoding(lang: Language) -> alt.Color:
    names = [side.show(lang) for side in SIDES]
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1)
    scale = alt.Scale(domain=names, range=[WARM, ACCENT])
    return alt.Color(f"side_{lang}:N", scale=scale, legend=legend)


def _draw_bars(data: ChartRows, lang: Language, *, value: Message, form: str) -> alt.LayerChart:
    base = alt.Chart().encode(
        y=alt.Y(
            f"{lang}:N",
            sort=None,
            title=None,
            axis=alt.Axis(labelLimit=130, ticks=False, domain=False),
        ),
        yOffset=alt.YOffset(f"side_{lang}:N", sort=[side.show(lang) for side in SIDES]),
        x=alt.X("value:Q", title=value.show(lang), axis=alt.Axis(tickCount=4, format=form)),
        tooltip=[f"{lang}:N", f"side_{lang}:N", "value:Q"],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(color=_side_encoding(lang))
    figures = base.mark_text(align="left", dx=4, fontSize=9, color=INK).encode(
        text=alt.Text("value:Q", format=",")
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, figures]), alt.Step(11))


def _draw_lines(data: ChartRows, lang: Language, *, x: Message, y: Message) -> alt.LayerChart:
    legend = alt.Legend(title=None, orient="top", columns=2, labelLimit=220, symbolOpacity=1)
    colours = alt.Scale(range=list(RUN_COLOURS))
    base = alt.Chart().encode(
        x=alt.X(
            "x:Q",
            title=x.show(lang),
            scale=alt.Scale(zero=False, nice=False, padding=14),
            axis=alt.Axis(format="~r", labelOverlap="parity", grid=False, tickMinStep=1),
        ),
        y=alt.Y("value:Q", title=y.show(lang), scale=alt.Scale(zero=True)),
        color=alt.Color(f"{lang}:N", sort=None, scale=colours, legend=legend),
        tooltip=[f"{lang}:N", f"side_{lang}:N", "x:Q", alt.Tooltip("value:Q", format=".4~g")],
    )
    marked = base.mark_point(size=190, strokeWidth=2, opacity=1).encode(color=alt.value(INK))
    layers = [
        base.mark_line(strokeWidth=2).transform_filter(_IS_COMPUTED),
        base.mark_point(size=60, opacity=1, fill="white").transform_filter(_IS_PUBLISHED),
        marked.transform_filter("datum.best"),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def _draw_points(data: ChartRows, lang: Language, *, x: Message, y: Message) -> alt.LayerChart:
    base = alt.Chart().encode(
        x=alt.X(
            "x:Q",
            title=x.show(lang),
            scale=alt.Scale(domainMin=0, padding=12),
            axis=alt.Axis(tickCount=8),
        ),
        y=alt.Y("y:Q", title=y.show(lang), scale=alt.Scale(domain=[-0.06, 1.06], nice=False)),
        tooltip=["tag:N", f"side_{lang}:N", "x:Q", "y:Q"],
    )
    dots = base.encode(color=_side_encoding(lang))
    tags = base.mark_text(fontSize=11, color=MUTED).encode(text="tag:N")
    layers = [
        dots.mark_point(filled=True, size=90, opacity=1).transform_filter(_IS_COMPUTED),
        dots.mark_point(size=150, strokeWidth=2, opacity=1).transform_filter(_IS_PUBLISHED),
        tags.mark_text(align="left", dx=11, dy=-9).transform_filter(_IS_COMPUTED),
        tags.mark_text(align="left", dx=11, dy=13, color=WARM).transform_filter(_IS_PUBLISHED),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def merge_coinciding_points(
    points: Mapping[str, Sequence[float]], side: Message
) -> list[PaperChartRow]:
    """A row per place: points that coincide share a name."""
    places: dict[tuple[float, float], list[str]] = {}
    for name, (x, y) in points.items():
        places.setdefault((round(float(x), 4), round(float(y), 4)), []).append(name)
    return [
        {"x": x, "y": y, "tag": ", ".join(names), **bilingual_columns(side, "side_")}
        for (x, y), names in places.items()
    ]
