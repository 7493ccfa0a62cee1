"""Charts of a price curve: value against k, patterns against k and number of words."""

from __future__ import annotations

from collections.abc import Sequence

import altair as alt

from tokumei.apps.price.problem import PriceProblem
from tokumei.apps.price.summary_tables import PatternLine, pattern_table
from tokumei.apps.price.value_curves import CurvePoint
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.curve_page import ChartPanel
from tokumei.pages.palette import INK, MUTED, ChartRows, fit_to_page

CHART_HEIGHT = 330
MAX_LABELLED_POINTS = 12
"""More points than this are not labelled."""


def curve_panel(points: Sequence[CurvePoint], currency: str) -> ChartPanel:
    """The highest value against k, as steps: it falls only where k forces another choice."""
    rows = [
        {"x": point.asked_k, "y": point.answer["value"], "k": point.answer["k"]} for point in points
    ]

    def build(data: ChartRows, lang: Language) -> alt.LayerChart:
        x = _x_axis(Message("k asked for"), lang)
        y = _value_axis(currency, lang)
        base = alt.Chart().encode(x=x, y=y)
        line = base.mark_line(interpolate="step-before", strokeWidth=2, color=INK)
        dots = base.mark_point(filled=True, size=46, opacity=1, color=INK).encode(
            tooltip=[
                alt.Tooltip("x:Q", title="k"),
                alt.Tooltip(
                    "y:Q", title=Message("value", context="money").show(lang), format=",.0f"
                ),
                alt.Tooltip("k:Q", title=Message("k reached").show(lang)),
            ]
        )
        return fit_to_page(alt.LayerChart(data=data, layer=[line, dots]), CHART_HEIGHT)

    return ChartPanel(
        "value-k",
        Message("The best recoding"),
        Message("Line chart of the highest value against k"),
        rows,
        build,
    )


def pattern_panel(problem: PriceProblem, *, by: str) -> ChartPanel:
    """Every pattern's value against its k alone (Figure 8) or its number of words (Figure 9)."""
    lines = pattern_table(problem)
    rows = [_pattern_row(line, by) for line in lines]
    title, heading = {
        "k": (
            Message("People of the rarest word (k)"),
            Message("Value against people of the rarest word"),
        ),
        "words": (Message("Number of words"), Message("Value against number of words")),
    }[by]

    def build(data: ChartRows, lang: Language) -> alt.LayerChart:
        x = _x_axis(title, lang, log=True)
        base = alt.Chart().encode(x=x, y=_value_axis(problem.currency, lang))
        dots = base.mark_point(filled=True, size=60, opacity=0.9).encode(
            color=alt.Color(
                "attribute:N",
                title=None,
                legend=alt.Legend(orient="top", columns=4, labelLimit=160),
            ),
            tooltip=[
                alt.Tooltip("name:N", title=Message("pattern").show(lang)),
                alt.Tooltip("x:Q", title=title.show(lang), format=","),
                alt.Tooltip(
                    "y:Q", title=Message("value", context="money").show(lang), format=",.0f"
                ),
            ],
        )
        layers: list[alt.Chart] = [dots]
        if len(lines) <= MAX_LABELLED_POINTS:
            layers.append(
                base.mark_text(align="left", dx=6, dy=-6, fontSize=10, color=MUTED).encode(
                    text="pattern:N"
                )
            )
        return fit_to_page(alt.LayerChart(data=data, layer=layers), CHART_HEIGHT)

    return ChartPanel(
        f"pattern-{by}",
        heading,
        Message(
            "Scatter plot of the value of every pattern; the table below holds the same figures"
        ),
        rows,
        build,
    )


def _pattern_row(line: PatternLine, by: str) -> dict[str, object]:
    return {
        "x": line.k if by == "k" else line.words,
        "y": line.value,
        "attribute": line.attribute,
        "pattern": line.pattern,
        "name": f"{line.attribute} / {line.pattern}",
    }


def _x_axis(title: Message, lang: Language, *, log: bool = False) -> alt.X:
    scale = (
        alt.Scale(type="log", nice=False, padding=16)
        if log
        else alt.Scale(zero=False, nice=False, padding=16)
    )
    whole = alt.Undefined if log else 1
    axis = alt.Axis(
        grid=False, labelOverlap="parity", format="~s" if log else "~r", tickMinStep=whole
    )
    return alt.X("x:Q", title=title.show(lang), scale=scale, axis=axis)


def _value_axis(currency: str, lang: Language) -> alt.Y:
    title = Message("Value ({currency})", currency=currency).show(lang)
    return alt.Y("y:Q", title=title, scale=alt.Scale(zero=True), axis=alt.Axis(format="~s"))
