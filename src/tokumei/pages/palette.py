"""Colours, lines and fonts of the charts: printable, and distinct for the colour-blind."""

from __future__ import annotations

from typing import Any

import altair as alt

from tokumei.core.messages import Message

INK = "#1b2430"
MUTED = "#566173"
GRID_COLOUR = "#e3e7ee"
ACCENT = "#2a4d8f"
RELEASED_COLOUR = "#7f9fd6"
ORIGINAL_COLOUR = "#1b2430"
BEATEN_COLOUR = "#8b95a5"
WARNING = "#b3261e"
HEAT = ("#f4f6fb", "#274b8d")
FONT = (
    'system-ui, -apple-system, "Segoe UI", "Hiragino Sans", "Noto Sans JP", '
    '"Noto Sans CJK JP", "Yu Gothic UI", Meiryo, sans-serif'
)
ChartRows = alt.InlineData | alt.NamedData
"""Data of a chart: there, or named and given later."""
WARM = "#b85c00"
RUN_COLOURS = (ACCENT, WARM, "#0b6b53", "#7a3e9d", "#8b95a5")
RUN_DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2, 1, 2])
RUN_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")


def chart_config() -> dict[str, Any]:
    """The Vega-Lite configuration that all charts share."""
    axis = {
        "labelColor": INK,
        "titleColor": MUTED,
        "domainColor": "#c3cad6",
        "tickColor": "#c3cad6",
        "gridColor": GRID_COLOUR,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": 500,
        "titlePadding": 10,
        "labelPadding": 4,
    }
    return {
        "background": "transparent",
        "font": FONT,
        "view": {"stroke": None},
        "axis": axis,
        "legend": {"labelColor": INK, "titleColor": MUTED, "labelFontSize": 12, "orient": "top"},
        "title": {"color": INK, "fontSize": 14, "subtitleColor": MUTED},
    }


def fit_to_page(chart: alt.LayerChart, height: int | alt.Step) -> alt.LayerChart:
    """As wide as its place on the page."""
    sized_chart: alt.LayerChart = chart.properties(width="container", height=height)
    return sized_chart


def style_standalone_chart(chart: alt.LayerChart) -> alt.LayerChart:
    """A chart outside a page: a fixed width and the house style."""
    styled = chart_config() | {"background": "white"}
    styled_chart: alt.LayerChart = chart.properties(width=560).configure(**styled)
    return styled_chart


def bilingual_columns(text: Message, prefix: str = "") -> dict[str, str]:
    """A text in every language, as columns of a row."""
    return {f"{prefix}{language}": shown for language, shown in text.texts().items()}
