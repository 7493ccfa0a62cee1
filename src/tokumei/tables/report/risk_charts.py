"""Charts of a risk report: class sizes, columns, sets of columns, population estimates.

Builders take any Altair data; `risk_payload` gathers specifications and rows for a page.
"""

from __future__ import annotations

import altair as alt

from tokumei.core.json_types import JsonObject
from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.pages.html import BuildNamedChart, chart_payload
from tokumei.pages.palette import (
    ACCENT,
    BEATEN_COLOUR,
    INK,
    MUTED,
    RELEASED_COLOUR,
    WARNING,
    ChartRows,
    fit_to_page,
)
from tokumei.tables.report.risk_sentences import MODEL_TITLES, columns_label, size_label
from tokumei.tables.risk.population_risk import PopulationRisk
from tokumei.tables.risk.risk import Risk


def risk_payload(result: Risk) -> dict[str, object]:
    """Configuration, specifications by name and language, and data sets by name."""
    builds: dict[str, BuildNamedChart] = {
        "classes": build_class_size_chart,
        "contributions": build_contribution_chart,
        "without": lambda rows, lang: build_without_column_chart(
            rows, lang, result.uniqueness.uniques
        ),
        "sets": build_column_set_chart,
    }
    data: dict[str, object] = {
        "classes": class_size_rows(result),
        "contributions": contribution_rows(result),
        "without": without_column_rows(result),
    }
    data |= {
        f"sets-{size}": column_set_rows(result, size) for size in range(1, result.max_size + 1)
    }
    if result.population is not None:
        level = result.population.uniques
        builds["estimates"] = lambda rows, lang: build_estimate_chart(rows, lang, level)
        data["estimates"] = estimate_rows(result.population)
    return chart_payload(builds, data)


def build_class_size_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Upright bars, those above the threshold in the colour of a warning."""
    base = alt.Chart().encode(
        x=alt.X(
            "label:N",
            sort=None,
            title=Message("Rows that share the same values").show(lang),
            axis=alt.Axis(labelAngle=0, ticks=False, labelFontSize=12, labelOverlap="parity"),
        ),
        y=alt.Y(
            "share:Q",
            title=Message("Share of rows").show(lang),
            axis=alt.Axis(format="~%", tickCount=4, domain=False, ticks=False),
        ),
        tooltip=[
            alt.Tooltip("label:N", title=Message("Rows alike").show(lang)),
            alt.Tooltip("rows:Q", title=Message("Rows").show(lang), format=","),
            alt.Tooltip("share:Q", title=Message("Share").show(lang), format=".1%"),
            alt.Tooltip("risk:Q", title=Message("Chance up to").show(lang), format=".1%"),
        ],
    )
    bars = base.mark_bar(cornerRadiusEnd=2, opacity=0.85).encode(
        color=alt.condition("datum.above", alt.value(WARNING), alt.value(RELEASED_COLOUR))
    )
    figures = base.mark_text(dy=-8, fontSize=12, color=INK).encode(
        text=alt.Text("share:Q", format=".1%")
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, figures]), 280)


def build_contribution_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Lying bars: how much of what makes rows special uses a column."""
    title = Message("Share of all scores").show(lang)
    count = Message("Combinations").show(lang)
    return _horizontal_bars(data, title, ACCENT, [alt.Tooltip("rows:Q", title=count, format=",")])


def build_without_column_chart(data: ChartRows, lang: Language, now: float) -> alt.LayerChart:
    """Lying bars and a line at the present share of rows alone."""
    title = Message("Unique rows without the column").show(lang)
    chart = _horizontal_bars(data, title, RELEASED_COLOUR, [], top=max(now * 1.15, 0.01))
    line = alt.Chart().mark_rule(color=WARNING, strokeDash=[4, 4]).encode(x=alt.XDatum(now))
    return fit_to_page(alt.LayerChart(data=data, layer=[*chart.layer, line]), alt.Step(26))


def build_column_set_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Lying bars for the distinction, a mark for the rows alone."""
    alone, separation = Message("Unique rows"), Message("Separation")
    tooltips = [
        alt.Tooltip("alone:Q", title=alone.show(lang), format=".2%"),
        alt.Tooltip("separation:Q", title=separation.show(lang), format=".4f"),
    ]
    chart = _horizontal_bars(data, Message("Distinction").show(lang), RELEASED_COLOUR, tooltips)
    ticks = alt.Chart().mark_tick(color=WARNING, thickness=3, orient="vertical")
    mark_opacity = alt.condition("datum.alone > 0", alt.value(1), alt.value(0))
    marks = ticks.encode(y=_label_axis(), x=alt.X("alone:Q"), opacity=mark_opacity)
    return fit_to_page(alt.LayerChart(data=data, layer=[*chart.layer, marks]), alt.Step(26))


def build_estimate_chart(data: ChartRows, lang: Language, level: float) -> alt.LayerChart:
    """Lying bars, the chosen models darker, and a line at the estimate."""
    base = alt.Chart().encode(
        y=_label_axis(f"{lang}:N"),
        x=alt.X(
            "uniques:Q",
            title=Message("Unique people in the population").show(lang),
            axis=alt.Axis(tickCount=5, format=",d", domain=False, ticks=False),
        ),
        tooltip=[
            alt.Tooltip(f"{lang}:N", title=Message("Model").show(lang)),
            alt.Tooltip("uniques:Q", title=Message("People").show(lang), format=",.0f"),
            alt.Tooltip("share:Q", title=Message("Share").show(lang), format=".2%"),
        ],
    )
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        color=alt.condition("datum.chosen", alt.value(ACCENT), alt.value(BEATEN_COLOUR))
    )
    figures = base.mark_text(align="left", dx=5, fontSize=12, color=INK).encode(
        text=alt.Text("uniques:Q", format=",.0f")
    )
    line = alt.Chart().mark_rule(color=WARNING, strokeDash=[4, 4]).encode(x=alt.XDatum(level))
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, line, figures]), alt.Step(34))


def _horizontal_bars(
    data: ChartRows, title: str, colour: str, more: list[alt.Tooltip], *, top: float | None = None
) -> alt.LayerChart:
    axis = alt.Axis(format="~%", tickCount=4, domain=False, ticks=False)
    scale = alt.Scale() if top is None else alt.Scale(domain=[0, top], nice=False)
    base = alt.Chart().encode(
        y=_label_axis(),
        x=alt.X("share:Q", title=title, axis=axis, scale=scale),
        tooltip=[
            alt.Tooltip("label:N", title=" "),
            alt.Tooltip("share:Q", title=title, format=".2%"),
            *more,
        ],
    )
    bars = base.mark_bar(color=colour, cornerRadiusEnd=2)
    figures = base.encode(text=alt.Text("share:Q", format=".3~p"))
    right = figures.mark_text(align="left", dx=6, fontSize=11, color=MUTED)
    if top is None:
        return fit_to_page(alt.LayerChart(data=data, layer=[bars, right]), alt.Step(26))
    # Long bars have their figure inside, clear of the line at the present level.
    inside = figures.mark_text(align="right", dx=-6, fontSize=11, color=INK)
    layers = [
        bars,
        right.transform_filter(f"datum.share < {top / 2}"),
        inside.transform_filter(f"datum.share >= {top / 2}"),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), alt.Step(26))


def _label_axis(field: str = "label:N") -> alt.Y:
    axis = alt.Axis(labelLimit=320, ticks=False, domain=False, labelFontSize=12)
    return alt.Y(field, sort=None, title=None, scale=alt.Scale(paddingInner=0.25), axis=axis)


MAX_SETS = 12
"""How many sets a chart ranks."""


def class_size_rows(result: Risk) -> list[JsonObject]:
    """The share of rows by the size of their class."""
    return [
        {
            "label": size_label(size_bin),
            "share": round(size_bin.rows / result.rows, 6),
            "rows": size_bin.rows,
            "risk": round(1 / size_bin.low, 6),
            "above": size_bin.above,
        }
        for size_bin in result.bins
    ]


def contribution_rows(result: Risk) -> list[JsonObject]:
    """Each column's share of the SUDA scores, the largest first."""
    contributions = result.suda.contributions.sort("share", descending=True, maintain_order=True)
    return [
        {"label": line["column"], "share": round(line["share"], 6), "rows": line["msus"]}
        for line in contributions.iter_rows(named=True)
    ]


def without_column_rows(result: Risk) -> list[JsonObject]:
    """The share of rows alone without each column, the most helpful first."""
    ranked = sorted(result.without.items(), key=lambda item: item[1])
    return [{"label": name, "share": round(share, 6)} for name, share in ranked]


def column_set_rows(result: Risk, size: int) -> list[JsonObject]:
    """The sets of one size that single people out most: by distinction."""
    return [
        {
            "label": columns_label(line["columns"]),
            "share": round(line["distinction"], 6),
            "alone": round(line["uniques"], 6),
            "separation": round(line["separation"], 6),
        }
        for line in result.sets_of_size(size).head(MAX_SETS).iter_rows(named=True)
    ]


def estimate_rows(people: PopulationRisk) -> list[JsonObject]:
    """The usable estimates, in all languages."""
    return [
        {
            **MODEL_TITLES[estimate.model].texts(),
            "uniques": round(estimate.uniques, 1),
            "share": round(estimate.uniques / people.rows, 6),
            "chosen": estimate.model in people.chosen,
        }
        for estimate in people.estimates
        if estimate.usable
    ]
