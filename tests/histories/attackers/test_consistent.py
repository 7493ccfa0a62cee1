"""Tests of tokumei.histories.attackers.consistent."""

import numpy as np
import polars as pl
import pytest

from histories.attackers.history_attacks_helpers import DAY, RNG, answers, public
from support.attacked_histories import hide_items, hits, in_customer_order, random_history, shuffled
from support.histories import history
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.voting import ItemSetOverlap


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


def test_consistent_reads_intervals_and_sets():
    rows = public(
        ["7", "[2011/1/1;2011/2/1]", "{cup;jam;tea}", "[1;3]", "[1;2]"],
        ["7", "*", "{cup;jam;pot}", "[1;5]", "[1;9]"],
        ["8", "2011/1/31", "*", "[5;10]", "*"],
        ["9", "2011/1/31", "*", "[1.9;2.1]", "[5;9]"],
    )
    assert answers(ConsistentCells(), rows) == {"7": "ann", "8": "bob", "9": "eve"}


def test_a_purchase_explains_one_released_row_only():
    """Two equal rows need two purchases: of the two customers only one made them twice."""
    known = history([("ann", DAY, "tea", 1, 1)] * 3 + [("bob", DAY, "tea", 1, 1)])
    twice = public(*[["7", "*", "tea", "*", "*"]] * 2)
    assert {answers(ConsistentCells(), twice, known, seed)["7"] for seed in range(20)} == {"ann"}


def test_a_row_nobody_explains_is_tolerated():
    rows = public(
        ["7", "2011/1/31", "cup", "3", "1"],
        ["7", "1999/1/1", "lie", "99", "99"],
        ["8", "2011/1/31", "pot", "9", "1"],
    )
    found = answers(ConsistentCells(), rows)
    assert (found["7"], found["8"]) == ("ann", "bob")


def test_consistent_finds_almost_everyone_behind_item_sets():
    known = random_history(customers=200)
    release = hide_items(known, largest=20, seed=5)
    guess = ConsistentCells().attack(release.public, known, rng=RNG)
    assert hits(guess, release) >= 195


@pytest.mark.parametrize("share", [0.3, 0.7])
def test_consistent_finds_many_with_partial_knowledge(share):
    everything = random_history(customers=200)
    release = hide_items(everything, largest=10, seed=6)
    part = np.random.default_rng(7).random(everything.rows) < share
    guess = ConsistentCells().attack(release.public, everything.take(np.flatnonzero(part)), rng=RNG)
    assert hits(guess, release) >= 100 + 90 * (share > 0.5)


def test_pseudonyms_of_unknown_customers_are_doubted():
    everything = random_history(customers=100)
    release = hide_items(everything, largest=10, seed=8)
    known = everything.take(np.flatnonzero(everything.customer_codes < 50))
    guess = ConsistentCells().attack(release.public, known, rng=RNG)
    names = set(known.customers)
    truth = dict(release.truth().iter_rows())
    stranger = np.array([truth[name] not in names for name in guess.pseudonyms])
    assert guess.confidence[stranger].mean() < 0.1 < 0.9 < guess.confidence[~stranger].mean()


def test_confidence_is_the_chance_of_being_right():
    """Over releases of which too little is left to be sure."""
    told, right, tried = 0.0, 0, 0
    for seed in range(20):
        known = random_history(customers=60, most=6, seed=seed)
        release = hide_items(known, largest=40, keep=0.4, seed=seed)
        coarse = release.public.with_columns(pl.lit("*").alias(name) for name in ("day", "price"))
        guess = ConsistentCells().attack(coarse, known, rng=Randomness(seed))
        told += guess.expected_hits
        right += hits(guess, release)
        tried += int(guess.answered.sum())
    assert 0.2 < right / tried < 0.95
    assert told / tried == pytest.approx(right / tried, abs=0.1)
