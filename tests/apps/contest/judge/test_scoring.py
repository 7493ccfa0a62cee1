"""Tests of tokumei.apps.contest.judge.scoring."""

from __future__ import annotations

import json
import math
from statistics import fmean, harmonic_mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.contest.judge.scoring import build_scorecard, combine_total, combine_values


def test_an_infinite_loss_is_still_a_number(histories):
    card = build_scorecard(
        histories.judge.contest.scoring, {"loss": math.inf}, {"best": {"1": 0.5}}
    )
    assert json.loads(json.dumps(card.as_json(), allow_nan=False))["total"] == card.utility > 1e200


def test_what_is_no_number_counts_as_the_worst(histories):
    scoring = histories.judge.contest.scoring
    card = build_scorecard(
        scoring, {"loss": 0.1, "own": math.nan}, {"a": {"1": 0.1}, "b": {"1": math.nan}}
    )
    assert card.figures["utility"]["own"] == card.utility == 1e300
    assert card.figures["safety"]["b"] == {"1": 1.0}
    assert card.safety == 1.0


@pytest.mark.parametrize(
    ("how", "value"),
    [
        ("mean", 0.3),
        ("utility", 0.2),
        ("harmonic", 1 - 2 * 0.8 * 0.6 / 1.4),
        ("product", 1 - 0.8 * 0.6),
        ("max", 0.4),
        ("min", 0.2),
    ],
)
def test_totals_by_hand(how, value):
    assert combine_total(0.2, 0.4, how) == pytest.approx(value)
    assert combine_total(None, 0.4, how) is None
    assert combine_total(0.2, None, how) == (0.2 if how == "utility" else None)


@pytest.mark.parametrize("how", ["harmonic", "product", "max"])
@given(st.floats(0, 2), st.floats(0, 1))
def test_raw_data_have_the_worst_of_these_totals(how, utility, safety):
    assert combine_total(0.0, 1.0, how) == 1.0
    assert combine_total(0.0, 1.0, how) >= combine_total(min(utility, 1.0), safety, how) >= 0.0


@given(st.lists(st.floats(0, 2), min_size=1, max_size=6))
def test_combinations_are_what_they_are_called(values):
    assert combine_values(values, "mean") == fmean(values)
    assert combine_values(values, "max") == max(values)
    assert combine_values(values, "min") == min(values)
    assert combine_values(values, "harmonic") == pytest.approx(harmonic_mean(values), rel=1e-9)
