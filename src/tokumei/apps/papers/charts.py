"""Charts of the papers' values (hollow or pale) and ours (filled).

Rows of lines have `x`, `value`, the line's name as `en` and `ja` and `side` (paper or ours); those
of bars a name instead of `x`; points `x`, `y`, `tag` and `side`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TypeAlias

import altair as alt

from tokumei.core.language import Language
from tokumei.core.messages import Message
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
    longest = ROOM_FOR_FIGURES * max((float(str(row["value"])) for row in rows), default=1.0)
    both = len({row["side_en"] for row in rows}) > 1
    draw = partial(_draw_bars, value=value, form=form, longest=longest, both=both)
    return ChartPanel(name, heading, heading, rows, draw)


def lines_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Lines against a number; the paper's points hollow."""
    published = any(row["side_en"] == PAPER_SIDE.id for row in rows)
    marked = any(row["best"] for row in rows)
    draw = partial(_draw_lines, x=x, y=y, published=published, marked=marked)
    return ChartPanel(name, heading, heading, rows, draw, HOLLOW_NOTE if published else None)


def points_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Points with their names; the paper's hollow."""
    placed = place_tags(rows)
    draw = partial(_draw_points, x=x, y=y, offsets=tag_offsets(placed), unit=True)
    return ChartPanel(name, heading, heading, placed, draw, HOLLOW_NOTE)


def plain_points_panel(
    name: str, heading: Message, x: Message, y: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Points with their names, on axes of any length."""
    placed = place_tags(rows)
    draw = partial(_draw_points, x=x, y=y, offsets=tag_offsets(placed), unit=False)
    published = any(row["side_en"] == PAPER_SIDE.id for row in rows)
    return ChartPanel(name, heading, heading, placed, draw, HOLLOW_NOTE if published else None)


def values_panel(
    name: str, heading: Message, x: Message, rows: Sequence[PaperChartRow]
) -> ChartPanel:
    """Values in yen against a count, every point with its name."""
    return ChartPanel(name, heading, heading, rows, partial(_draw_values, x=x))


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


def _side_encoding(lang: Language, *, shown: bool = True) -> alt.Color:
    names = [side.show(lang) for side in SIDES]
    legend = alt.Legend(title=None, orient="top", symbolOpacity=1) if shown else None
    scale = alt.Scale(domain=names, range=[WARM, ACCENT])
    return alt.Color(f"side_{lang}:N", scale=scale, legend=legend)


def _draw_bars(
    data: ChartRows, lang: Language, *, value: Message, form: str, longest: float, both: bool
) -> alt.LayerChart:
    base = alt.Chart().encode(
        y=alt.Y(
            f"{lang}:N",
            sort=None,
            title=None,
            axis=alt.Axis(labelLimit=130, ticks=False, domain=False),
        ),
        yOffset=alt.YOffset(f"side_{lang}:N", sort=[side.show(lang) for side in SIDES]),
        x=alt.X(
            "value:Q",
            title=value.show(lang),
            axis=alt.Axis(tickCount=4, format=form),
            scale=alt.Scale(domain=[0, longest], nice=False),
        ),
        tooltip=[f"{lang}:N", f"side_{lang}:N", "value:Q"],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(color=_side_encoding(lang, shown=both))
    figures = base.mark_text(align="left", dx=4, fontSize=9, color=INK).encode(
        text=alt.Text("value:Q", format=",")
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, figures]), alt.Step(11))


def _draw_lines(
    data: ChartRows, lang: Language, *, x: Message, y: Message, published: bool, marked: bool
) -> alt.LayerChart:
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
    best = base.mark_point(size=190, strokeWidth=2, opacity=1).encode(color=alt.value(INK))
    hollow = base.mark_point(size=60, opacity=1, fill="white")
    layers: list[alt.Chart] = [base.mark_line(strokeWidth=2).transform_filter(_IS_COMPUTED)]
    if published:
        layers.append(hollow.transform_filter(_IS_PUBLISHED))
    if marked:
        layers.append(best.transform_filter("datum.best"))
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def _draw_points(
    data: ChartRows,
    lang: Language,
    *,
    x: Message,
    y: Message,
    offsets: Sequence[tuple[str, int]],
    unit: bool,
) -> alt.LayerChart:
    """Points of each side, their names above or below; `unit`: shares from 0 to 1."""
    y_scale = alt.Scale(domain=[-0.08, 1.1], nice=False) if unit else alt.Scale(padding=36)
    base = alt.Chart().encode(
        x=alt.X("x:Q", title=x.show(lang), scale=alt.Scale(padding=44), axis=alt.Axis(tickCount=8)),
        y=alt.Y("y:Q", title=y.show(lang), scale=y_scale),
        tooltip=["tag:N", f"side_{lang}:N", "x:Q", "y:Q"],
    )
    is_paper = {side: side == PAPER_SIDE.id for side, _ in offsets}
    dots = base.encode(color=_side_encoding(lang, shown=len(is_paper) > 1))
    layers = [
        dots.mark_point(
            filled=not paper, size=150 if paper else 90, strokeWidth=2, opacity=1
        ).transform_filter(_IS_PUBLISHED if paper else _IS_COMPUTED)
        for paper in is_paper.values()
    ]
    layers += [
        base.mark_text(fontSize=11, dy=offset, color=WARM if is_paper[side] else MUTED)
        .encode(text="tag:N")
        .transform_filter(f"datum.offset == {offset} && datum.side_en == '{side}'")
        for side, offset in offsets
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


Box: TypeAlias = tuple[float, float, float, float]
"""Middle, width and height of what stands in a chart, as shares of its axes."""


def place_tags(points: Sequence[PaperChartRow]) -> list[PaperChartRow]:
    """Every point with how far above or below it its name stands, clear of names and points."""
    places = _scale_points(points)
    taken: list[Box] = [(x, y, POINT_WIDTH, POINT_HEIGHT) for x, y in places]
    placed = []
    for point, (x, y) in zip(points, places, strict=True):
        width = CHARACTER_WIDTH * len(str(point["tag"]))
        boxes = {
            offset: (x, y - offset * PIXEL_HEIGHT, width, TAG_HEIGHT) for offset in TAG_OFFSETS
        }
        free = [offset for offset, box in boxes.items() if not _collides(box, taken)]
        offset = (free or list(TAG_OFFSETS))[0]
        taken.append(boxes[offset])
        placed.append({**point, "offset": offset})
    return placed


def _scale_points(points: Sequence[PaperChartRow]) -> list[tuple[float, float]]:
    """The points as shares of the lengths of both axes."""
    axes = []
    for axis in ("x", "y"):
        values = [float(str(point[axis])) for point in points]
        span = (max(values) - min(values)) or 1.0
        axes.append([value / span for value in values])
    return list(zip(*axes, strict=True))


def _collides(box: Box, taken: Sequence[Box]) -> bool:
    x, y, width, height = box
    return any(
        abs(x - other[0]) < (width + other[2]) / 2 and abs(y - other[1]) < (height + other[3]) / 2
        for other in taken
    )


def tag_offsets(points: Sequence[PaperChartRow]) -> list[tuple[str, int]]:
    """The sides that occur, with the offsets that their names have."""
    return sorted({(str(point["side_en"]), int(str(point["offset"]))) for point in points})


TAG_OFFSETS = (-15, 19, -31, 35, -47, 51)
"""Pixels between a point and the middle of its name, below it above 0; the nearest first."""
CHARACTER_WIDTH, PIXEL_HEIGHT, TAG_HEIGHT = 0.045, 1 / 220, 0.06
POINT_WIDTH, POINT_HEIGHT = 0.04, 0.05
"""Of the length of the axes, on a narrow screen."""
ROOM_FOR_FIGURES = 1.25
"""How much longer the axis is than the longest bar, whose figure stands behind it."""


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
