from __future__ import annotations

import json

import pytest

from tokumei.core.text import Language
from tokumei.tables.evaluation import Evaluation
from tokumei.tables.report.charts import (
    attack_heatmap,
    class_size_chart,
    column_chart,
    tradeoff_chart,
)
from tokumei.tables.report.html import losses_of
from tokumei.tables.report.points import axis_of, tradeoff_points


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_all_charts_are_valid(evaluations: list[Evaluation], lang: Language) -> None:
    charts = [
        *(tradeoff_chart(evaluations, loss, lang=lang) for loss in losses_of(evaluations)),
        attack_heatmap(evaluations, lang=lang),
        class_size_chart(evaluations[0], lang=lang),
        column_chart(evaluations[0], "food", lang=lang),
        column_chart(evaluations[0], "region", lang=lang),
    ]
    for chart in charts:
        assert chart.to_dict(validate=True)["layer"]


def test_charts_repeat_to_the_byte(evaluations: list[Evaluation]) -> None:
    first, second = (json.dumps(tradeoff_chart(evaluations).to_dict()) for _ in range(2))
    assert first == second
    assert "view_" not in first


def test_points_share_tags_where_they_coincide(evaluations: list[Evaluation]) -> None:
    points = tradeoff_points(evaluations, "U5")
    assert points[0]["tag"] == "1 · 4 · 5 · 8"  # values untouched, found by everybody
    assert points[2]["standing"] == "relabelled"
    numbers = [n for point in points for n in point["tag"].split(" · ") if n]
    assert sorted(map(int, numbers)) == list(range(1, 10))


def test_axis_of_nothing_and_of_much() -> None:
    assert axis_of([]).top == 1.0
    axis = axis_of([{"x": 0.0}, {"x": 320000.0}])
    assert axis.ticks == (0.0, 20000.0, 50000.0, 100000.0, 200000.0)
    assert axis.format == "~s"
