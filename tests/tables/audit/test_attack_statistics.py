"""Figures of scores and intervals of shares, against slow and obvious ones."""

import math

import numpy as np
import pytest
from bench import audit_coverage

from tokumei.tables.audit.attack_statistics import (
    MembershipFigures,
    auc_interval,
    clopper_pearson,
    clustered_risk,
    membership_advantage,
    risk_above_control,
    true_positive_rate,
    weighted_auc,
)


def scores(seed, n=60, ties=True):
    rng = np.random.default_rng(seed)
    found = rng.normal(0.5, 1, n), rng.normal(0, 1, n + 7)
    return [np.round(one, 1) if ties else one for one in found]


def slow_delong(members, control):
    """AUC and its variance, pair by pair."""
    wins = np.array([[(m > c) + (m == c) / 2 for c in control] for m in members])
    by_member, by_control = wins.mean(axis=1), wins.mean(axis=0)
    variance = by_member.var(ddof=1) / len(members) + by_control.var(ddof=1) / len(control)
    return wins.mean(), variance


@pytest.mark.parametrize("seed", range(5))
def test_the_auc_is_that_of_all_pairs(seed):
    members, control = scores(seed)
    value, variance = slow_delong(members, control)
    found = auc_interval(members, control)
    assert found.value == pytest.approx(value)
    low, high = (math.log(end / (1 - end)) for end in (found.low, found.high))
    half = 1.959964 * math.sqrt(variance) / (value * (1 - value))
    assert (low + high) / 2 == pytest.approx(math.log(value / (1 - value)), abs=1e-9)
    assert high - low == pytest.approx(2 * half, rel=1e-6)


def test_near_its_end_the_auc_still_has_an_interval_that_holds_it():
    """100 + 100 people, true AUC .99: without log odds 86 % of the intervals do."""
    rng = np.random.default_rng(5)
    draws = [auc_interval(rng.normal(3.29, 1, 100), rng.normal(0, 1, 100)) for _ in range(400)]
    held = np.mean([one.low <= 0.99 <= one.high for one in draws])
    assert 0.91 <= held <= 0.975


@pytest.mark.parametrize("seed", range(3))
def test_the_weighted_auc_is_that_of_all_weighted_pairs(seed):
    members, control = scores(seed)
    weights = np.random.default_rng(seed).random(len(control))
    weights /= weights.sum()
    pairs = [
        w * ((m > c) + (m == c) / 2) for m in members for c, w in zip(control, weights, strict=True)
    ]
    assert weighted_auc(members, control, weights).value == pytest.approx(sum(pairs) / len(members))


def test_equal_weights_are_none():
    members, control = scores(2)
    one = auc_interval(members, control)
    other = weighted_auc(members, control, np.full(len(control), 1 / len(control)))
    assert vars(other) == pytest.approx(vars(one), abs=1e-3)
    apart = weighted_auc(members + 99, control, np.full(len(control), 1 / len(control)))
    assert (apart.value, apart.high) == (1, 1)
    assert 0.9 < apart.low < 1


def test_swapping_the_sides_mirrors_the_auc():
    members, control = scores(1)
    one, other = auc_interval(members, control), auc_interval(control, members)
    assert one.value == pytest.approx(1 - other.value)
    assert one.low == pytest.approx(1 - other.high)


def test_a_perfect_attack_has_an_interval_that_is_not_a_point():
    found = auc_interval(np.ones(50), np.zeros(40))
    assert (found.value, found.high) == (1, 1)
    assert 0.85 < found.low < 0.95


@pytest.mark.parametrize(("rate", "above"), [(0.01, 1), (0.1, 3)])
def test_members_count_strictly_above_the_threshold(rate, above):
    control = np.arange(100.0)
    threshold = control[::-1][math.floor(rate * 100)]
    members = np.array([threshold + 1] * above + [threshold] * (10 - above))
    assert true_positive_rate(members, control, rate).value == above / 10


def test_ties_are_not_broken():
    """All share one score: nobody is above, however many are equal."""
    assert true_positive_rate(np.zeros(50), np.zeros(100), 0.1).value == 0


def test_rates_need_enough_controls():
    found = MembershipFigures.of(np.arange(50.0), np.arange(99.0))
    assert list(found.tpr) == [0.1]


def test_the_interval_of_a_rate_holds_it():
    members, control = scores(3, ties=False)
    found = true_positive_rate(members, control, 0.1)
    assert found.low < found.value < found.high


def test_the_advantage_is_judged_on_other_rows():
    rng = np.random.default_rng(2)
    draws = [membership_advantage(rng.normal(size=100), rng.normal(size=100)) for _ in range(300)]
    assert abs(np.mean(draws)) < 0.015


@pytest.mark.parametrize(("hits", "n"), [(0, 20), (3, 20), (20, 20)])
def test_the_exact_interval_is_where_the_tails_are(hits, n):
    low, high = clopper_pearson(hits, n)

    def tail(p, counts):
        return sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts)

    if hits:
        assert tail(low, range(hits, n + 1)) == pytest.approx(0.025)
    if hits < n:
        assert tail(high, range(hits + 1)) == pytest.approx(0.025)


def test_a_negative_risk_stays_negative():
    found = risk_above_control(10, 100, 40, 100)
    assert found.value == pytest.approx(-0.5)
    assert found.high < 0


def test_the_risk_of_large_samples_is_that_of_the_delta_method():
    a, c, n = 0.6, 0.3, 100_000
    found = risk_above_control(a * n, n, c * n, n)
    variance = a * (1 - a) / n / (1 - c) ** 2 + c * (1 - c) / n * (1 - a) ** 2 / (1 - c) ** 4
    assert found.value == pytest.approx((a - c) / (1 - c))
    assert found.high - found.low == pytest.approx(2 * 1.959964 * math.sqrt(variance), rel=1e-3)


@pytest.mark.parametrize("control", [0, 1, 50, 99, 100])
@pytest.mark.parametrize("hits", [0, 1, 50, 99, 100])
def test_the_interval_of_a_risk_holds_it_at_the_ends(hits, control):
    found = risk_above_control(hits, 100, control, 100)
    assert found.low <= found.value <= found.high


def test_clusters_of_one_are_a_difference_of_pairs():
    rng = np.random.default_rng(0)
    hits, control = rng.integers(0, 2, (2, 400)).astype(float)
    found = clustered_risk(hits, control, np.ones(400))
    left = 1 - control.mean()
    half = (1 + 1.6 / 20) * 1.959964 * (hits - control).std() / math.sqrt(400) / left
    assert found.value == pytest.approx((hits.mean() - control.mean()) / left)
    assert found.high - found.value == pytest.approx(half, rel=1e-5)


def test_a_cluster_that_stands_twice_counts_once():
    """Attempts that repeat each other make the interval no narrower."""
    rng = np.random.default_rng(1)
    hits, control = rng.integers(0, 2, (2, 300)).astype(float)
    once = clustered_risk(hits, control, np.ones(300))
    twice = clustered_risk(2 * hits, 2 * control, np.full(300, 2.0))
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))


def test_where_everybody_is_hit_the_lower_end_is_not():
    found = clustered_risk(np.ones(50), np.zeros(50), np.ones(50))
    assert 0.9 < found.low < found.value == 1


def test_where_nobody_is_hit_the_upper_end_is_not():
    found = clustered_risk(np.zeros(50), np.zeros(50), np.ones(50))
    assert found.low <= found.value == 0 < found.high < 0.1


@pytest.mark.long
def test_intervals_hold_the_truth():
    """A few draws of what `bench/audit_coverage.py` does with hundreds."""
    for part, draws in ((audit_coverage.scores, 60), (audit_coverage.risks, 200)):
        for name, share in part(draws, np.random.default_rng(2)):
            assert share >= 0.87, name
