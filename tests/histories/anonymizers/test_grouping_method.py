"""Tests of tokumei.histories.anonymizers.grouping_method."""

import pytest

from support.attacked_histories import hits, random_history
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.grouping_method import generalize_groups
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.best import BestHistoryAttack
from tokumei.histories.data.release import HistoryRelease


@pytest.mark.parametrize("method", [RankMatch, Aligned])
@pytest.mark.parametrize("k", [2, 3, 6])
def test_the_best_attack_reaches_one_in_k_and_no_more(k, method):
    known = random_history(customers=100, items=100, most=20)
    clusters, total, times = len(known.customers) // k, 0, 10
    groups = method(k).groups(known, rng=Randomness(0))
    for seed in range(times):
        rows = generalize_groups(known, groups, rng=Randomness(seed), give_up=method.give_up)
        release = HistoryRelease(rows, known.customers)
        guess = BestHistoryAttack().attack(release.public, known, rng=Randomness(100 + seed))
        assert guess.confidence.max() < 1 / k + 0.05
        total += hits(guess, release)
    assert abs(total - times * clusters) <= 3.3 * (times * clusters) ** 0.5
