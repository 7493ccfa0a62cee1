"""Tests of tokumei.histories.report.verdict."""

from __future__ import annotations

from dataclasses import replace
from math import exp, factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.attack_rates import wilson
from tokumei.core.measure import Level
from tokumei.core.sweep import Sweep, SweepPoint
from tokumei.histories.data.guess import HistoryHits
from tokumei.histories.report.chart_data import to_sweep_runs
from tokumei.histories.report.verdict import (
    exceeds_chance,
    history_verdict,
    select_main_run,
    strongest_attack,
)
from tokumei.histories.study import HistoryStudy


def hits(right: int, tried: int, threshold: int = 10_000) -> HistoryHits:
    low, high = wilson(right, tried, 0.95)
    return HistoryHits(tried, right, threshold, right / max(tried, 1), low, high, 0.001)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(2, 9), st.integers(1, 5))
def test_beyond_chance_is_the_poisson_tail(right: int, more: int, k: int, attacks: int) -> None:
    n = right + more
    tail = 1 - sum(exp(-n / k) * (n / k) ** i / factorial(i) for i in range(right))
    if abs(tail - 0.01 / attacks) > 1e-9:
        assert exceeds_chance(hits(right, n), k, attacks) == (tail < 0.01 / attacks)


def test_the_strongest_attack_is_the_surest() -> None:
    assert strongest_attack({"lucky": hits(3, 5), "sure": hits(300, 1000)}) == "sure"
    assert strongest_attack({"none": hits(0, 1000)}) is None


def test_a_sound_release_is_told_in_plain_words(study: HistoryStudy) -> None:
    sound = replace(study, attacks={"a": hits(164, 1000), "b": hits(1, 1000)}, k=6, chosen=6)
    found = history_verdict(select_main_run(to_sweep_runs([sound])))
    assert found.headline.show("en") == "Every released history is shared by at least 6 people."
    assert "6 人以上" in found.headline.show("ja")
    assert "The strongest of 2 attacks" in found.detail.show("en")
    assert "16.4 %" in found.detail.show("en")
    assert "no more than guessing at a rate of 1/6 = 16.7 %" in found.detail.show("en")
    assert f"the loss is {sound.point.loss:.3f}" in found.detail.show("en")
    assert "全購買を知る攻撃者を想定した 2 種の攻撃のうち最も強いもの" in found.detail.show("ja")
    assert found.level is Level.MID
    assert [figure.value for figure in found.figures][:2] == ["k = 6", "16.4 %"]


@pytest.mark.parametrize("attack", [hits(400, 1000), hits(10, 30, threshold=10)])
def test_a_broken_release_is_not_to_be_handed_out(study: HistoryStudy, attack: HistoryHits) -> None:
    broken = replace(study, attacks={"strong": attack}, k=4, chosen=4)
    found = history_verdict(select_main_run(to_sweep_runs([broken])))
    assert found.level is Level.BAD
    assert found.headline.show("en").startswith("“strong” finds more people than k = 4")
    assert "k = 4 から想定されるより多くの人" in found.headline.show("ja")


def test_no_hit_is_told_too(study: HistoryStudy) -> None:
    found = history_verdict(to_sweep_runs([replace(study, attacks={"a": hits(0, 10)})])[0])
    assert found.detail.show("en").startswith("No attack found anybody.")


def test_a_plain_sweep_speaks_of_its_smallest_sum() -> None:
    sweep = Sweep("rank-match", "k", (SweepPoint(2, 0.4, 0.5, 1.0), SweepPoint(4, 0.5, 0.25, 0.8)))
    found = history_verdict(to_sweep_runs([sweep])[0])
    assert found.headline.show("en") == "k = 4 has the smallest sum of loss and risk."
    assert "2 of the 2 values" in found.detail.show("en")


def test_categories_do_not_win_by_the_flattering_figure(study: HistoryStudy) -> None:
    plain = Sweep("rank-match", "k", (SweepPoint(4, 0.50, 0.25, 1.0),))
    flattered = SweepPoint(4, 0.40, 0.25, 1.0, {"honest_loss": 0.60})
    runs = to_sweep_runs([plain, Sweep("rank-match", "k", (flattered,))])
    assert select_main_run(runs) is runs[0]
    assert history_verdict(runs[1]).figures[-1].value == "0.600"
