"""Tests of tokumei.histories.attackers.best."""

import polars as pl
import pytest

from histories.attackers.history_attacks_helpers import ALL, RNG, answers
from support.attacked_histories import hide_items, hits, random_history, shuffled
from support.histories import contest_history
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.best import BestHistoryAttack
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.voting import UniqueRows
from tokumei.histories.data.history import COLUMNS

Z99 = 2.576


@pytest.fixture(scope="module")
def contest(real_data):
    return contest_history(real_data)


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


@pytest.mark.parametrize("attack", [UniqueRows(), ConsistentCells(), BestHistoryAttack()])
def test_file_order_changes_no_answer_that_is_not_a_tie(attack):
    known = random_history()
    rows = hide_items(known, largest=10, seed=2).public
    moved = rows.sample(fraction=1, shuffle=True, seed=3)
    assert answers(attack, rows, known) == answers(attack, moved, shuffled(known, 4))


def test_best_is_as_good_as_the_attack_that_expects_most():
    known = random_history()
    release = hide_items(known, largest=10, keep=0.5, seed=9)
    every = [attack.attack(release.public, known, rng=RNG) for attack in ALL[:4]]
    best = BestHistoryAttack().attack(release.public, known, rng=RNG)
    assert best.expected_hits == pytest.approx(max(guess.expected_hits for guess in every))


def test_best_keeps_doubtful_answers_to_itself():
    known = random_history(customers=100)
    release = hide_items(known, largest=10, seed=10)
    blurred = pl.col("customer").hash(1) % 2 == 0
    stars = [pl.when(blurred).then(pl.lit("*")).otherwise(name).alias(name) for name in COLUMNS[1:]]
    rows = release.public.with_columns(stars)
    everyone = BestHistoryAttack().attack(rows, known, rng=RNG)
    surest = BestHistoryAttack("most-confident").attack(rows, known, rng=RNG)
    assert everyone.answered.sum() == 100
    assert 7 <= surest.answered.sum() < 100
    assert surest.confidence[surest.answered].mean() > everyone.confidence.mean()
    assert set(surest.frame().rows()) <= set(everyone.frame().rows())
