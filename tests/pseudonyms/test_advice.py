"""Advice on pseudonyms over time: the curve of lifetimes as candidates."""

from __future__ import annotations

import pytest

import tokumei as tk
from tokumei.advice import Purpose, adviser
from tokumei.core.errors import UsageError
from tokumei.pseudonyms.advice import KNOWN_SHARE
from tokumei.pseudonyms.data.period_history import PeriodHistory


@pytest.fixture(scope="module")
def history() -> PeriodHistory:
    return tk.pseudonyms.sample_periods(300, customers=10, seed=1)


def test_candidates_are_points_of_the_lifetime_curve(history: PeriodHistory) -> None:
    asked = adviser(history, Purpose("partner"), seed=3)
    found = {one.id: one for one in asked.steps(steps=4)}.values()
    months = history.months.count
    lifetimes = [one.request.steps[0]["lifetime"] for one in found]
    assert lifetimes == [1, months]
    curve = tk.lifetime(history, lifetimes=lifetimes, alphas=[KNOWN_SHARE], seed=3)
    for one, point in zip(found, curve.points, strict=True):
        assert one.risk is not None
        assert one.risk.people == pytest.approx(point.links.rate * 10)
        assert one.figures.loss == pytest.approx(min(1.0, point.utility["worst"]))


def test_near_a_candidate_are_shorter_and_longer_lifetimes(history: PeriodHistory) -> None:
    asked = adviser(history, Purpose("partner"), seed=3)
    whole = list(asked.steps(steps=4))[-1]
    safer = [one.request.steps[0] for one in asked.proposals_near(whole, "safer", None)]
    assert [step["lifetime"] for step in safer] == [6, 11, 12]
    assert [step.get("day") for step in safer] == [None, None, 15]
    assert list(asked.proposals_near(whole, "more detail", None)) == []
    with pytest.raises(UsageError, match="drop"):
        list(asked.proposals_near(whole, "drop", "day"))
