"""Charts of one release: rows kept, sales by month, items per category."""

from __future__ import annotations

import altair as alt

from tokumei.core.language import Language
from tokumei.core.messages import Message
from tokumei.histories.report.chart_data import (
    CATEGORY_LOSSES,
    FIVE_LINE_TITLES,
    SIDE_TITLES,
    SweepRun,
)
from tokumei.histories.report.sweep_charts import (
    ROWS_KEPT_TITLE,
    mark_smallest_sums,
    parameter_axis,
    rows_kept_axis,
    scaled_channel,
    tooltips,
)
from tokumei.pages.palette import (
    ACCENT,
    BEATEN_COLOUR,
    INK,
    RELEASED_COLOUR,
    WARM,
    ChartRows,
    fit_to_page,
)


def build_activity_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Rows kept per tenth of the customers, from the least to the most active."""
    base = alt.Chart().encode(
        x=alt.X(
            "tenth:O",
            title=Message("Customers in tenths, least active → most active").show(lang),
            axis=alt.Axis(labelAngle=0, ticks=False),
        ),
        y=rows_kept_axis(lang),
        tooltip=tooltips(
            lang,
            ("tenth:O", Message("Tenth")),
            ("kept:Q", ROWS_KEPT_TITLE, ".1%"),
            ("customers:Q", Message("Customers"), ","),
            ("rows:Q", Message("Rows", context="a number"), ","),
        ),
    )
    bars = base.mark_bar(color=RELEASED_COLOUR, cornerRadiusEnd=2)
    figures = (
        base.mark_text(dy=12, fontSize=11, color=INK)
        .encode(text="shown:N")
        .transform_calculate(shown="format(datum.kept * 100, '.0f')")
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, figures]), 250)


def build_monthly_sales_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Monthly sales, true and as the release tells them."""
    sides = [side.show(lang) for side in SIDE_TITLES]
    month, sales = Message("Month"), Message("Sales")
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", offset=8)
    dash = scaled_channel(alt.StrokeDash, lang, sides, [[1, 0], [6, 3]], legend)
    base = alt.Chart().encode(
        x=alt.X(
            "month:O",
            title=month.show(lang),
            axis=alt.Axis(labelAngle=0, labelOverlap="parity", labelSeparation=8),
        ),
        y=alt.Y("sales:Q", title=sales.show(lang), axis=alt.Axis(format=",~r", tickCount=5)),
        color=scaled_channel(alt.Color, lang, sides, [INK, WARM], legend),
        tooltip=tooltips(lang, ("month:O", month), (f"{lang}:N", " "), ("sales:Q", sales, ",.0f")),
    )
    layers = [
        base.mark_line(strokeWidth=2).encode(strokeDash=dash),
        base.mark_point(filled=True, size=36, opacity=1),
    ]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 250)


def build_category_size_chart(data: ChartRows, lang: Language) -> alt.LayerChart:
    """Items per category, as in the paper's Figure 1."""
    items = Message("Items")
    base = alt.Chart().encode(
        y=alt.Y(
            f"{lang}:N",
            sort=None,
            title=None,
            axis=alt.Axis(labelLimit=130, ticks=False, domain=False),
        ),
        x=alt.X("items:Q", title=items.show(lang), axis=alt.Axis(tickCount=4, format=",d")),
        tooltip=tooltips(lang, (f"{lang}:N", Message("Category")), ("items:Q", items, ",")),
    )
    bars = base.mark_bar(color=RELEASED_COLOUR, cornerRadiusEnd=2)
    figures = base.mark_text(align="left", dx=5, fontSize=11, color=INK).encode(
        text=alt.Text("items:Q", format=",")
    )
    return fit_to_page(alt.LayerChart(data=data, layer=[bars, figures]), alt.Step(20))


def build_category_loss_chart(data: ChartRows, run: SweepRun, lang: Language) -> alt.LayerChart:
    """Loss without categories, and with them told in two ways."""
    names, loss = [name.show(lang) for name in CATEGORY_LOSSES.values()], Message("Loss")
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=300, offset=8)
    base = alt.Chart().encode(
        x=parameter_axis([run], lang),
        y=alt.Y(
            "loss:Q",
            title=loss.show(lang),
            scale=alt.Scale(zero=True),
            axis=alt.Axis(format=".1f", tickCount=5),
        ),
        color=scaled_channel(alt.Color, lang, names, [ACCENT, BEATEN_COLOUR, WARM], legend),
        tooltip=tooltips(
            lang, ("x:N", run.sweep.parameter), (f"{lang}:N", " "), ("loss:Q", loss, ".3f")
        ),
    )
    layers = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=32, opacity=1)]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)


def build_five_line_chart(data: ChartRows, run: SweepRun, lang: Language) -> alt.LayerChart:
    """Loss and sum without and with categories and 1/k on one axis, as in the paper's Figure 2."""
    names = [name.show(lang) for name in FIVE_LINE_TITLES]
    x = parameter_axis([run], lang)
    y = alt.Y(
        "value:Q",
        title=Message("Loss, risk and their sum").show(lang),
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format=".1f", tickCount=6),
    )
    legend = alt.Legend(
        title=None, orient="top", columns=2, labelLimit=200, symbolType="stroke", symbolSize=500
    )
    dashes = [[1, 0], [1, 0], [6, 4], [6, 4], [2, 3]]
    base = alt.Chart().encode(
        x=x,
        y=y,
        color=scaled_channel(alt.Color, lang, names, [ACCENT, INK, ACCENT, INK, WARM], legend),
        strokeDash=scaled_channel(alt.StrokeDash, lang, names, dashes, legend),
        tooltip=tooltips(
            lang,
            ("x:N", run.sweep.parameter),
            (f"{lang}:N", " "),
            ("value:Q", Message("Value"), ".3f"),
        ),
    )
    layers = [base.mark_line(strokeWidth=2), *mark_smallest_sums(x, y)]
    return fit_to_page(alt.LayerChart(data=data, layer=layers), 330)
