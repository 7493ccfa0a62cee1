"""Tests of tokumei.tables.report.charts."""

from __future__ import annotations

import altair as alt
import pytest

from tables.report.report_charts_helpers import tradeoff
from tokumei.core.errors import UnknownNameError
from tokumei.core.language import Language
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import (
    build_bin_chart,
    build_value_chart,
    loss_axis,
    tradeoff_points,
)
from tokumei.tables.report.distributions import chart_rows, class_size_bars, column_changes
from tokumei.tables.report.report_page import render_report
from tokumei.tables.report.scorecard import FigureAxes, loss_names


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_all_charts_are_valid(evaluations: list[Evaluation], lang: Language) -> None:
    original, public = evaluations[0].case.original, evaluations[0].release.public
    sizes = alt.InlineData(values=chart_rows(class_size_bars(original, public)))
    charts = [tradeoff(evaluations, loss, lang) for loss in loss_names(evaluations)]
    charts.append(build_bin_chart(sizes, lang, "sizes"))
    for change in column_changes(original, public):
        build = build_bin_chart if change.numeric else build_value_chart
        charts.append(build(alt.InlineData(values=chart_rows(change.bars)), lang))
    for chart in charts:
        assert chart.to_dict(validate=True)["layer"]


def test_points_share_tags_where_they_coincide(evaluations: list[Evaluation]) -> None:
    points = tradeoff_points(evaluations, "U5")
    assert points[0]["tag"] == "1 · 4 · 5 · 8"  # values untouched, found by everybody
    assert points[2]["standing"] == "relabelled"
    numbers = [n for point in points for n in point["tag"].split(" · ") if n]
    assert sorted(map(int, numbers)) == list(range(1, 10))


def test_axes_by_choice(evaluations: list[Evaluation]) -> None:
    axes = FigureAxes("U4", "E3")
    assert loss_names(evaluations, axes)[0] == "U4"
    points = tradeoff_points(evaluations, "U4", axes)
    assert [point["rate"] for point in points] == [one.attacks["E3"].rate for one in evaluations]
    assert {point["attack"] for point in points} == {"E3"}
    page = render_report(evaluations, axes=axes)
    assert '"E3 finds"' in page
    for wrong in (FigureAxes("U9"), FigureAxes(y="E9")):
        with pytest.raises(UnknownNameError):
            render_report(evaluations, axes=wrong)


def test_axis_of_nothing_and_of_much() -> None:
    assert loss_axis([]).top == 1.0
    axis = loss_axis([{"x": 0.0}, {"x": 320000.0}])
    assert axis.ticks == (0.0, 20000.0, 50000.0, 100000.0, 200000.0)
    assert axis.format == "~s"
