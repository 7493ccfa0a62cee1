"""The charts of one release: who keeps rows, sales by month, items per category."""

from __future__ import annotations

import altair as alt

from tokumei.core.text import Language, Text
from tokumei.histories.report.charts import KEPT, kept_axis, looked, smallest, tips, value_axis
from tokumei.histories.report.series import CATEGORY_LOSSES, FIVE_LINES, SIDES, Run
from tokumei.report.palette import ACCENT, BEATEN, INK, RELEASED, WARM, Rows, sized


def build_activity(data: Rows, lang: Language) -> alt.LayerChart:
    """Rows kept per tenth of the customers, from the least to the most active."""
    base = alt.Chart().encode(
        x=alt.X(
            "tenth:O",
            title=Text(
                "Customers in tenths, least active → most active",
                "顧客の十分位 (購入の少ない人 → 多い人)",
            ).show(lang),
            axis=alt.Axis(labelAngle=0, ticks=False),
        ),
        y=kept_axis(lang),
        tooltip=tips(
            lang,
            ("tenth:O", Text("Tenth", "十分位")),
            ("kept:Q", KEPT, ".1%"),
            ("customers:Q", Text("Customers", "顧客数"), ","),
            ("rows:Q", Text("Rows", "行数"), ","),
        ),
    )
    bars = base.mark_bar(color=RELEASED, cornerRadiusEnd=2)
    figures = (
        base.mark_text(dy=12, fontSize=11, color=INK)
        .encode(text="shown:N")
        .transform_calculate(shown="format(datum.kept * 100, '.0f')")
    )
    return sized(alt.LayerChart(data=data, layer=[bars, figures]), 250)


def build_months(data: Rows, lang: Language) -> alt.LayerChart:
    """Monthly sales, true and as the release tells them."""
    sides = [side.show(lang) for side in SIDES]
    month, sales = Text("Month", "月"), Text("Sales", "売上")
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", offset=8)
    dash = looked(alt.StrokeDash, lang, sides, [[1, 0], [6, 3]], legend)
    base = alt.Chart().encode(
        x=alt.X(
            "month:O",
            title=month.show(lang),
            axis=alt.Axis(labelAngle=0, labelOverlap="parity", labelSeparation=8),
        ),
        y=alt.Y("sales:Q", title=sales.show(lang), axis=alt.Axis(format=",~r", tickCount=5)),
        color=looked(alt.Color, lang, sides, [INK, WARM], legend),
        tooltip=tips(lang, ("month:O", month), (f"{lang}:N", " "), ("sales:Q", sales, ",.0f")),
    )
    layers = [
        base.mark_line(strokeWidth=2).encode(strokeDash=dash),
        base.mark_point(filled=True, size=36, opacity=1),
    ]
    return sized(alt.LayerChart(data=data, layer=layers), 250)


def build_sizes(data: Rows, lang: Language) -> alt.LayerChart:
    """Items per category, as in the paper's Figure 1."""
    items = Text("Items", "商品の種類数")
    base = alt.Chart().encode(
        y=alt.Y(
            f"{lang}:N",
            sort=None,
            title=None,
            axis=alt.Axis(labelLimit=130, ticks=False, domain=False),
        ),
        x=alt.X("items:Q", title=items.show(lang), axis=alt.Axis(tickCount=4, format=",d")),
        tooltip=tips(lang, (f"{lang}:N", Text("Category", "カテゴリー")), ("items:Q", items, ",")),
    )
    bars = base.mark_bar(color=RELEASED, cornerRadiusEnd=2)
    figures = base.mark_text(align="left", dx=5, fontSize=11, color=INK).encode(
        text=alt.Text("items:Q", format=",")
    )
    return sized(alt.LayerChart(data=data, layer=[bars, figures]), alt.Step(20))


def build_category_losses(data: Rows, run: Run, lang: Language) -> alt.LayerChart:
    """Loss without categories, and with them told in two ways."""
    names, loss = [name.show(lang) for name in CATEGORY_LOSSES.values()], Text("Loss", "損失")
    legend = alt.Legend(title=None, orient="top", columns=1, labelLimit=300, offset=8)
    base = alt.Chart().encode(
        x=value_axis([run], lang),
        y=alt.Y(
            "loss:Q",
            title=loss.show(lang),
            scale=alt.Scale(zero=True),
            axis=alt.Axis(format=".1f", tickCount=5),
        ),
        color=looked(alt.Color, lang, names, [ACCENT, BEATEN, WARM], legend),
        tooltip=tips(
            lang, ("x:N", run.sweep.parameter), (f"{lang}:N", " "), ("loss:Q", loss, ".3f")
        ),
    )
    layers = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=32, opacity=1)]
    return sized(alt.LayerChart(data=data, layer=layers), 330)


def build_five_lines(data: Rows, run: Run, lang: Language) -> alt.LayerChart:
    """Loss and sum without and with categories and 1/k on one axis, as in the paper's Figure 2."""
    names = [name.show(lang) for name in FIVE_LINES]
    x = value_axis([run], lang)
    y = alt.Y(
        "value:Q",
        title=Text("Loss, risk and their sum", "損失・リスク・合計").show(lang),
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
        color=looked(alt.Color, lang, names, [ACCENT, INK, ACCENT, INK, WARM], legend),
        strokeDash=looked(alt.StrokeDash, lang, names, dashes, legend),
        tooltip=tips(
            lang,
            ("x:N", run.sweep.parameter),
            (f"{lang}:N", " "),
            ("value:Q", Text("Value", "値"), ".3f"),
        ),
    )
    layers = [base.mark_line(strokeWidth=2), *smallest(x, y)]
    return sized(alt.LayerChart(data=data, layer=layers), 330)
