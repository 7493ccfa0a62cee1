"""Tests of tokumei.histories.report.chart_data."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.histories import contest_history
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.core.sweep import sweep as sweep_of
from tokumei.histories.kind import HISTORIES
from tokumei.histories.report import chart_data
from tokumei.histories.report.chart_data import (
    SweepRun,
    front_over_all_runs,
    loss_risk_rows,
    to_sweep_runs,
)
from tokumei.histories.report.page import sweep_table_rows
from tokumei.histories.study import HistoryStudy

PAPER = {2: 0.348, 3: 0.472, 4: 0.542, 5: 0.583, 6: 0.615, 7: 0.642, 8: 0.680, 10: 0.718}


@pytest.mark.data
def test_figure_2_of_the_paper(real_data: Path) -> None:
    sweep = sweep_of(HISTORIES, contest_history(real_data), "rank-match", list(PAPER), seed=1)
    rows = loss_risk_rows(to_sweep_runs([sweep]))
    losses = {row["x"]: row["value"] for row in rows if row["what_en"] == "loss"}
    assert losses == pytest.approx(PAPER, abs=0.001)
    assert [row["note"] for row in rows if row["best"]] == ["k = 6: 0.782"]


def sweep(*figures: tuple[int, float], method: str = "rank-match") -> Sweep:
    return Sweep(method, "k", tuple(SweepPoint(k, loss, 1 / k, 0.9) for k, loss in figures))


def test_the_figure_shows_the_sweeps_figures(study: HistoryStudy) -> None:
    rows = chart_data.loss_risk_rows(to_sweep_runs([study]))
    shown = {(row["x"], row["what_en"]): row["value"] for row in rows}
    for point in study.sweep.points:
        assert shown.pop((point.value, "loss")) == point.loss
        assert shown.pop((point.value, "risk 1/k")) == point.risk
        assert shown.pop((point.value, "sum")) == point.total
    assert not shown
    best = study.sweep.best
    notes = [row["note"] for row in rows if row["best"]]
    assert notes == [f"k = {best.value}: {best.total:.3f}"]


def test_equal_risks_of_two_sweeps_are_drawn_once() -> None:
    runs = to_sweep_runs([sweep((2, 0.5), (3, 0.6)), sweep((3, 0.4), (4, 0.5), method="aligned")])
    risks = [row["x"] for row in chart_data.loss_risk_rows(runs) if row["what_en"] == "risk 1/k"]
    assert risks == [2, 3, 4]


def slow_front(runs: list[SweepRun]) -> list[list[bool]]:
    def cost(point: SweepPoint) -> tuple[float, float]:
        return point.measured.get("honest_loss", point.loss), point.risk

    everything = [cost(point) for run in runs for point in run.sweep.points]

    def beaten(mine: tuple[float, float]) -> bool:
        return any(o[0] <= mine[0] and o[1] <= mine[1] and o != mine for o in everything)

    return [[not beaten(cost(point)) for point in run.sweep.points] for run in runs]


def test_the_front_is_common_and_honest(category_study: HistoryStudy) -> None:
    better = sweep((2, 0.1), (4, 0.3), method="aligned")
    runs = to_sweep_runs([category_study, better])
    assert [run.label.show("en") for run in runs] == [
        "rank-match",
        "rank-match + categories",
        "aligned",
    ]
    front = slow_front(runs)
    assert front_over_all_runs(runs) == front
    rows = chart_data.front_rows(runs)
    assert [row["front"] for row in rows] == [kept for one in front for kept in one]
    grouped = [row["loss"] for row in rows if row["run_en"] == "rank-match + categories"]
    assert category_study.by_category
    honest = [point.measured["honest_loss"] for point in category_study.by_category.points]
    assert grouped == honest


def test_stacked_columns_add_up_to_the_loss(study: HistoryStudy) -> None:
    rows = chart_data.column_rows(study.sweep)
    for point in study.sweep.points:
        parts = [row["part"] for row in rows if row["x"] == point.value]
        assert len(parts) == 4
        assert sum(parts) == pytest.approx(point.loss)


def test_a_sweep_without_columns_has_no_stack() -> None:
    assert chart_data.column_rows(sweep((2, 0.5))) == []


def test_three_losses_side_by_side(category_study: HistoryStudy) -> None:
    grouped = category_study.by_category
    assert grouped
    rows = chart_data.category_loss_rows(category_study.sweep, grouped)
    count = len(grouped.points)
    assert [row["loss"] for row in rows[:count]] == [p.loss for p in category_study.sweep.points]
    assert [row["loss"] for row in rows[count : 2 * count]] == [p.loss for p in grouped.points]
    last = [row["loss"] for row in rows[2 * count :]]
    assert last == [p.measured["honest_loss"] for p in grouped.points]


def test_built_in_categories_have_both_names() -> None:
    rows = chart_data.category_size_rows({"文具": 3, "mine": 1})
    assert [(row["en"], row["ja"]) for row in rows] == [("stationery", "文具"), ("mine", "mine")]


def test_sweeps_of_the_same_method_are_told_apart() -> None:
    runs = to_sweep_runs([sweep((2, 0.5)), sweep((2, 0.4))])
    assert [run.label.show("en") for run in runs] == ["rank-match", "rank-match (2)"]


def test_the_table_adds_what_the_chart_adds(category_study: HistoryStudy) -> None:
    runs = to_sweep_runs([category_study])
    for number, run in enumerate(runs):
        cells = [cell for line in sweep_table_rows(runs) if (cell := line.cells[number])]
        losses = [cell.point.loss if cell.honest is None else cell.honest for cell in cells]
        totals = [loss + cell.point.risk for loss, cell in zip(losses, cells, strict=True)]
        assert [cell.total for cell in cells] == totals
        assert [cell.total for cell in cells if cell.best] == [min(totals)], run.label.show("en")
