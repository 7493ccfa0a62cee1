"""Sweeps over histories and tables: figures, optimum, Pareto front, categories."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.sweeps_fixtures import history as history
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.categories.mapping import Categories


def test_best_and_front() -> None:
    values = [(1, 0.1, 0.9), (2, 0.2, 0.2), (3, 0.3, 0.2), (4, 0.9, 0.1)]
    found = Sweep("m", "k", tuple(SweepPoint(k, loss, risk, 1.0) for k, loss, risk in values))
    assert found.best.value == 2
    assert found.front() == [True, True, False, True]
    assert [row["best"] for row in found.as_json()] == [False, True, False, False]


def test_one_category_for_all_looks_free_and_is_not(history: tk.History) -> None:
    """The contest's figure forgives any taxonomy; the honest one does not."""
    everything = Categories("file", dict.fromkeys(history.item_names, "all"))
    found = tk.sweep(history, "rank-match", [3], categories=everything, seed=1).points[0]
    plain = tk.sweep(history, "rank-match", [3], seed=1).points[0]
    assert found.measured["plain_loss"] == plain.loss
    assert found.measured["loss_item"] == pytest.approx(1 - found.rows_kept)
    assert found.loss < plain.loss < found.measured["honest_loss"]


@pytest.mark.long
def test_tables_are_swept_too() -> None:
    people = tk.sample_table(200, seed=1)
    found = tk.sweep(people, "mondrian", [2, 10], attacks=["E1"], measures=["S1"], seed=1)
    assert found.points[0].loss < found.points[1].loss
    assert found.points[0].risk > found.points[1].risk
    assert found.points[1].measured["S1"] >= 10


def test_nothing_to_sweep(history: tk.History) -> None:
    with pytest.raises(tk.UsageError, match="at least one value"):
        tk.sweep(history, "rank-match", [])
