"""Colours and type of the charts: few, dark enough to print, apart for the colour-blind."""

from __future__ import annotations

from typing import Any

INK = "#1b2430"
MUTED = "#566173"
LINE = "#e3e7ee"
ACCENT = "#2a4d8f"
RELEASED = "#7f9fd6"
ORIGINAL = "#1b2430"
BEATEN = "#8b95a5"
WARNING = "#b3261e"
HEAT = ("#f4f6fb", "#274b8d")
FONT = (
    'system-ui, -apple-system, "Segoe UI", "Hiragino Sans", "Noto Sans JP", '
    '"Noto Sans CJK JP", "Yu Gothic UI", Meiryo, sans-serif'
)


def chart_config() -> dict[str, Any]:
    """The Vega-Lite configuration that all charts share."""
    axis = {
        "labelColor": INK,
        "titleColor": MUTED,
        "domainColor": "#c3cad6",
        "tickColor": "#c3cad6",
        "gridColor": LINE,
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
