"""Among k identical histories nobody is right more often than once in k; other releases fall.

The hits of a one-to-one answer in a cluster of k are the fixed points of a random permutation:
one on average, with variance one, whatever k is.
"""

import numpy as np
import pytest

from support.attacked_histories import hide_items, hits, in_customer_order, random_history, shuffled
from support.histories import contest_history
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.aligned import Aligned
from tokumei.histories.anonymizers.grouping_method import generalize_groups
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.best import BestHistoryAttack
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.voting import ItemSetOverlap, OrderOfAppearance
from tokumei.histories.data.release import HistoryRelease

Z99 = 2.576


@pytest.fixture(scope="module")
def contest(real_data):
    return contest_history(real_data)


def moved(release, known, order, seed):
    """The public and the known file in the orders in which the attacker gets them."""
    public = release.public
    if "public" in order:
        public = public.sample(fraction=1, shuffle=True, seed=seed)
    return public, shuffled(known, seed) if "known" in order else known


@pytest.mark.parametrize("attack", [ConsistentCells(), ItemSetOverlap()])
@pytest.mark.parametrize("order", [(), ("public",), ("known",)])
def test_file_order_gives_no_attack_an_advantage(attack, order):
    """Even where the pseudonyms rise in the order of the customers: ties are decided by lot."""
    known, k, times = random_history(customers=60), 3, 40
    release = in_customer_order(RankMatch(k).anonymize(known, rng=Randomness(1)))
    total = 0
    for seed in range(times):
        public, facts = moved(release, known, order, seed)
        total += hits(attack.attack(public, facts, rng=Randomness(seed)), release)
    expected = times * len(known.customers) / k
    assert total <= expected + 3.3 * expected**0.5
    assert total >= 0.4 * expected


def test_the_order_test_finds_a_careless_release():
    known = random_history(customers=60)
    release = RankMatch(3).anonymize(known, rng=Randomness(1))
    careless = in_customer_order(release)
    assert (
        hits(OrderOfAppearance().attack(careless.public, known, rng=Randomness(1)), careless) == 60
    )
    fair = [RankMatch(3).anonymize(known, rng=Randomness(seed)) for seed in range(50)]
    found = [
        hits(OrderOfAppearance().attack(one.public, known, rng=Randomness(1)), one) for one in fair
    ]
    assert np.mean(found) <= 1 + 3.3 * (1 / 50) ** 0.5


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


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize("k", [2, 3, 6])
def test_the_best_attack_on_the_contest_data_stays_within_one_in_k(contest, k):
    clusters, total, times = len(contest.customers) // k, 0, 2
    for seed in range(times):
        release = RankMatch(k).anonymize(contest, rng=Randomness(seed))
        guess = BestHistoryAttack().attack(release.public, contest, rng=Randomness(100 + seed))
        total += hits(guess, release)
    assert total <= times * clusters + Z99 * (times * clusters) ** 0.5


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(("keep", "least"), [(1.0, 950), (0.5, 700)])
def test_hidden_items_do_not_hide_the_customers_of_the_contest(contest, keep, least):
    release = hide_items(contest, largest=100, keep=keep, seed=1)
    guess = BestHistoryAttack().attack(release.public, contest, rng=Randomness(1))
    assert hits(guess, release) > least
