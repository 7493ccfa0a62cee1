"""Sweeps over histories and tables: figures, optimum, Pareto front, categories."""

from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.categories.mapping import Categories


@pytest.fixture(scope="module")
def history() -> tk.History:
    return tk.sample_history(1500, customers=30, seed=1)


def test_every_point_is_that_of_a_release_made_alone(history: tk.History) -> None:
    found = tk.sweep(history, "rank-match", [2, 5, 3], attacks=["best"], measures=["rfm"], seed=1)
    assert [point.value for point in found.points] == [2, 5, 3]
    for point in found.points:
        release = tk.anonymize(history, "rank-match", k=point.value, seed=1)
        scores = tk.measure(history, release)
        assert point.loss == scores["loss"].value
        assert point.rows_kept == scores["rows_kept"].value
        assert point.measured["rfm"] == scores["rfm"].value
        assert point.risk == 1 / point.value
        clusters = 30 // point.value
        assert point.measured["attack_best"] * 30 <= clusters + 3.3 * clusters**0.5


def test_threads_change_nothing(history: tk.History, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("TOKUMEI_THREADS", threads)
        found.append(tk.sweep(history, "rank-match", range(2, 8), seed=1).as_json())
    assert found[0] == found[1]
    monkeypatch.setenv("TOKUMEI_THREADS", "none")
    with pytest.raises(tk.UsageError, match="TOKUMEI_THREADS"):
        tk.sweep(history, "rank-match", [2])


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
