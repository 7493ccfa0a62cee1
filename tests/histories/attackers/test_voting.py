"""Tests of tokumei.histories.attackers.voting."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from histories.attackers.consistency_helpers import read, slow_counts
from histories.attackers.history_attacks_helpers import KNOWN, RNG, answers, public
from support.attacked_histories import hits, in_customer_order, random_history
from support.released_histories import smalls
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.attackers.voting import (
    ItemSetOverlap,
    OrderOfAppearance,
    UniqueRows,
    count_explained_rows,
)
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import History


@settings(max_examples=40)
@given(smalls())
def test_explained_rows_are_rows_with_a_consistent_purchase(small):
    released, known = read(small, numbers=False)
    slow = np.zeros((len(released.pseudonyms), len(known.customers)))
    for (name, per_customer), times in slow_counts(small, numbers=False).items():
        person = released.pseudonyms.to_list().index(name)
        slow[person] += times * (np.array(per_customer) > 0)
    assert np.array_equal(count_explained_rows(released, known), slow)


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


def test_a_value_that_only_one_has_names_its_customer() -> None:
    frame = pl.DataFrame(
        {"customer": ["a", "b"], "day": ["2024-05-01"] * 2, "price": [1, 1], "seat": ["12A", "3"]}
    )
    known = History.of(frame, value1="seat")
    public = format_history(known).with_columns(customer=pl.Series(["9", "8"]))
    answers = UniqueRows().attack(public, known, rng=Randomness(1))
    assert dict(answers.frame().iter_rows()) == {"9": "a", "8": "b"}
    blind = History.of(frame.drop("seat"))
    assert UniqueRows().attack(public, blind, rng=Randomness(1)).frame().is_empty()
