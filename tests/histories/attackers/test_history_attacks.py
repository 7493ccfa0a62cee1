"""What each attack answers, on releases small enough to see the answer."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from support.attacked_histories import hide_items, hits, random_history, shuffled
from support.histories import history
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.best import BestHistoryAttack
from tokumei.histories.attackers.consistent import ConsistentCells
from tokumei.histories.attackers.voting import ItemSetOverlap, OrderOfAppearance, UniqueRows
from tokumei.histories.data.history import COLUMNS

ALL = (
    OrderOfAppearance(),
    UniqueRows(),
    ItemSetOverlap(),
    ConsistentCells(),
    BestHistoryAttack(),
    BestHistoryAttack("most-confident"),
)
RNG = Randomness(1)
DAY = date(2011, 1, 31)
KNOWN = history(
    [
        ("ann", DAY, "tea", 1.5, 2),
        ("ann", DAY, "cup", 3.0, 1),
        ("bob", DAY, "tea", 1.5, 2),
        ("bob", DAY, "pot", 9.0, 1),
        ("eve", DAY, "jam", 2.0, 7),
    ]
)


def public(*rows):
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String), orient="row")


def answers(attack, rows, known=KNOWN, seed=1):
    return dict(attack.attack(rows, known, rng=Randomness(seed)).frame().iter_rows())


def test_first_pairs_by_order_of_appearance():
    rows = public(*([name, "*", "*", "*", "*"] for name in ("9", "9", "7", "8", "5")))
    guess = OrderOfAppearance().attack(rows, KNOWN, rng=RNG)
    assert guess.customers.to_list() == ["ann", "bob", "eve", None]
    assert guess.confidence.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_unique_rows_vote_and_rows_of_two_customers_do_not():
    rows = public(
        ["7", "2011/1/31", "tea", "1.5", "2"],
        ["8", "2011/1/31", "tea", "1.5", "2"],
        ["8", "2011/1/31", "pot", "9", "1"],
        ["9", "2011/1/31", "{jam;tea}", "2", "7"],
        ["9", "2011/1/31", "cup", "[2;3]", "1"],
    )
    assert answers(UniqueRows(), rows) == {"8": "bob"}


def test_most_votes_win_and_their_share_is_the_confidence():
    plain = ["2011/1/31", "pot", "9", "1"], ["2011/1/31", "cup", "3", "1"]
    rows = public(["7", *plain[0]], ["7", *plain[1]], ["7", *plain[1]])
    guess = UniqueRows().attack(rows, KNOWN, rng=RNG)
    assert guess.customers.to_list() == ["ann"]
    assert guess.confidence.tolist() == pytest.approx([2 / 3])


def test_item_sets_choose_who_bought_of_every_set_and_ignore_numbers():
    rows = public(
        ["7", "1999/1/1", "{jam;tea}", "0", "0"],
        ["7", "*", "{cup;jam;new}", "*", "*"],
        ["8", "*", "{pot;new}", "*", "*"],
    )
    found = [answers(ItemSetOverlap(), rows, seed=seed) for seed in range(30)]
    assert {each["7"] for each in found} == {"ann", "eve"}
    assert {each["8"] for each in found} == {"bob"}


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


@pytest.mark.parametrize("attack", ALL)
def test_an_empty_file_gets_no_answer(attack):
    guess = attack.attack(public(), KNOWN, rng=RNG)
    assert guess.frame().schema == {"pid": pl.String, "cid": pl.String}
    assert guess.frame().is_empty()
    assert len(guess.confidence) == 0


@pytest.mark.parametrize("attack", ALL)
def test_deleted_rows_are_no_pseudonym_and_strange_cells_no_error(attack):
    rows = public(["*"] * 5, ["7", "soon", "{}", "cheap", "few"], ["*"] * 5)
    guess = attack.attack(rows, KNOWN, rng=RNG)
    assert guess.pseudonyms.to_list() == ["7"]
    assert attack.attack(rows.head(1), KNOWN, rng=RNG).frame().is_empty()


@pytest.mark.parametrize("attack", ALL)
def test_the_same_seed_gives_the_same_answer(attack):
    known = random_history()
    rows = hide_items(known, largest=10, keep=0.5, seed=1).public
    one, two = (attack.attack(rows, known, rng=Randomness(5)) for _ in range(2))
    assert one.frame().equals(two.frame())
    assert np.array_equal(one.confidence, two.confidence)


@pytest.mark.parametrize("attack", [UniqueRows(), ConsistentCells(), BestHistoryAttack()])
def test_file_order_changes_no_answer_that_is_not_a_tie(attack):
    known = random_history()
    rows = hide_items(known, largest=10, seed=2).public
    moved = rows.sample(fraction=1, shuffle=True, seed=3)
    assert answers(attack, rows, known) == answers(attack, moved, shuffled(known, 4))


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
