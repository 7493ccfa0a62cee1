"""What charts of every page share: their data, size and the looks of several lines."""

from __future__ import annotations

import altair as alt

from tokumei.report.palette import ACCENT

Rows = alt.InlineData | alt.NamedData
"""Data of a chart: there, or named and given later."""
WARM = "#b85c00"
RUN_COLOURS = (ACCENT, WARM, "#0b6b53", "#7a3e9d", "#8b95a5")
RUN_DASHES = ([1, 0], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2, 1, 2])
RUN_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")


def sized(chart: alt.LayerChart, height: int | alt.Step) -> alt.LayerChart:
    """As wide as its place on the page."""
    made: alt.LayerChart = chart.properties(width="container", height=height)
    return made
