"""Tests of tokumei.histories.report.study_charts."""

from __future__ import annotations

from tokumei.histories.report.chart_data import to_sweep_runs
from tokumei.histories.report.page import history_payload
from tokumei.histories.study import HistoryStudy


def test_rows_kept_activity_months_and_sizes(category_study: HistoryStudy) -> None:
    data = history_payload(to_sweep_runs([category_study]))["data"]
    kept = [row["kept"] for row in data["kept"] if row["run_en"] == "rank-match"]
    assert kept == [point.rows_kept for point in category_study.sweep.points]
    assert [row["kept"] for row in data["activity-1"]] == category_study.activity["kept"].to_list()
    sales = [row["sales"] for row in data["months-1"]]
    assert sales[::2] == category_study.months["original"].to_list()
    assert sales[1::2] == category_study.months["released"].to_list()
    assert [row["items"] for row in data["sizes"]] == list(category_study.category_sizes.values())
