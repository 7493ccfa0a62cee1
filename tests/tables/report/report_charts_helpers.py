"""What the tests split from test_report_charts share."""

from __future__ import annotations

import altair as alt

from tokumei.core.language import Language
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import build_tradeoff_chart, loss_axis, tradeoff_points


def tradeoff(evaluations: list[Evaluation], loss: str, lang: Language) -> alt.LayerChart:
    points = tradeoff_points(evaluations, loss)
    return build_tradeoff_chart(
        alt.InlineData(values=points), lang, measure=loss, axis=loss_axis(points)
    )
