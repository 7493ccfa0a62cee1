"""Tests of tokumei.histories.report.sweep_charts."""

from __future__ import annotations

from dataclasses import replace

from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.report import sweep_charts
from tokumei.histories.report.chart_data import to_sweep_runs


def test_words_as_values_get_an_axis_of_words() -> None:
    point = SweepPoint("high", 0.4, 0.5, 1.0)
    runs = to_sweep_runs([Sweep("aligned", "effort", (replace(point, value="normal"), point))])
    axis = sweep_charts.parameter_axis(runs, "en").to_dict()
    assert (axis["type"], axis["title"]) == ("ordinal", "effort")
