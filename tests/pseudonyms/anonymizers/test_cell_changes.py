"""Deleted rows and replaced items, against the obvious way."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.period_histories import period_histories
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers import cell_changes as items
from tokumei.pseudonyms.anonymizers.cell_changes import (
    NEIGHBOUR_COUNT,
    choose_deleted_rows,
    replace_items,
)
from tokumei.pseudonyms.anonymizers.lifetimes import PurchaseCodes


def purchases(person: list[int], item: list[int]) -> PurchaseCodes:
    period = np.zeros(len(person), dtype=np.int64)
    return PurchaseCodes(
        np.array(person), period, np.array(item), max(person) + 1, 1, max(item) + 1
    )


few = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=25).map(
    lambda pairs: purchases([p for p, _ in pairs], [i for _, i in pairs])
)


@given(few, st.floats(0, 0.99), st.integers(0, 3))
def test_exactly_the_share_is_deleted_in_every_order(bought, share, seed):
    wanted = int(np.floor(share * len(bought.person) + 0.5 + 1e-9))
    for order in ("random", "rare-items", "heavy-customers"):
        assert choose_deleted_rows(bought, share, order, rng=Randomness(seed)).sum() == wanted


@given(few, st.floats(0, 0.99), st.integers(0, 3))
def test_no_row_of_a_rarer_item_stays(bought, share, seed):
    gone = choose_deleted_rows(bought, share, "rare-items", rng=Randomness(seed))
    buyers = {
        i: len(set(bought.person[bought.item == i].tolist())) for i in set(bought.item.tolist())
    }
    stay = [buyers[i] for i in bought.item[~gone].tolist()]
    left = [buyers[i] for i in bought.item[gone].tolist()]
    assert not stay or not left or max(left) <= min(stay)


@given(few, st.floats(0, 0.99), st.integers(0, 3))
def test_always_the_heaviest_customer_loses_a_row(bought, share, seed):
    gone = choose_deleted_rows(bought, share, "heavy-customers", rng=Randomness(seed))
    counts = Counter(bought.person.tolist())
    for _ in range(int(gone.sum())):
        counts[max(counts, key=lambda c: counts[c])] -= 1
    left = Counter(bought.person[~gone].tolist())
    assert sorted(left.values()) == sorted(n for n in counts.values() if n)


def test_which_rows_go_is_chance():
    bought = purchases([0] * 40, list(range(40)))
    kept = np.zeros(40)
    for seed in range(200):
        kept += ~choose_deleted_rows(bought, 0.5, "random", rng=Randomness(seed))
    assert kept.min() > 60
    assert kept.max() < 140


@settings(max_examples=40)
@given(period_histories(), st.floats(0, 1), st.integers(1, 3), st.integers(0, 3))
def test_items_are_replaced_by_others_that_begin_alike(history, share, prefix, seed):
    bought, names = PurchaseCodes.of(history), history.items
    found = replace_items(
        bought, names, share=share, like="prefix", prefix=prefix, rng=Randomness(seed)
    )
    changed = 0
    for old, new in zip(bought.item.tolist(), found.tolist(), strict=True):
        assert names[old][:prefix] == names[new][:prefix]
        changed += old != new
    number = int(np.floor(share * len(bought.item) + 0.5 + 1e-9))
    lonely = [n for n in names if sum(m[:prefix] == n[:prefix] for m in names) == 1]
    assert changed <= number if lonely else changed == number


def test_every_item_that_begins_alike_can_come():
    names = pl.Series(["1a", "1b", "1c", "1d", "2"])
    bought = purchases([0] * 900, [1] * 900)
    bought = PurchaseCodes(bought.person, bought.period, bought.item, 1, 1, len(names))
    found = replace_items(bought, names, share=1, like="prefix", prefix=1, rng=Randomness(1))
    counts = np.bincount(found, minlength=5)
    assert counts[1] == counts[4] == 0
    assert counts[[0, 2, 3]].min() > 250


@given(few, st.floats(0, 1), st.integers(0, 3))
def test_items_are_replaced_by_those_with_the_most_similar_buyers(bought, share, seed):
    names = pl.Series([f"i{n}" for n in range(bought.items)])
    found = replace_items(
        bought, names, share=share, like="bought-together", prefix=1, rng=Randomness(seed)
    )
    buyers = [set(bought.person[bought.item == i].tolist()) for i in range(bought.items)]
    for old, new in zip(bought.item.tolist(), found.tolist(), strict=True):
        near = [i for i in range(bought.items) if i != old and buyers[i] & buyers[old]]
        near.sort(key=lambda i: -len(buyers[i] & buyers[old]) / np.sqrt(len(buyers[i])))
        assert new == old or new in near[:NEIGHBOUR_COUNT]
        if share == 1 and near:
            assert new != old


@given(few)
def test_the_nearest_comes_first_and_of_equal_ones_the_smaller(bought):
    names = pl.Series([f"i{n}" for n in range(bought.items)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(items, "NEIGHBOUR_COUNT", 1)
        found = replace_items(
            bought, names, share=1, like="bought-together", prefix=1, rng=Randomness(1)
        )
    buyers = [set(bought.person[bought.item == i].tolist()) for i in range(bought.items)]
    for old, new in zip(bought.item.tolist(), found.tolist(), strict=True):
        near = [i for i in range(bought.items) if i != old and buyers[i] & buyers[old]]
        near.sort(key=lambda i: (-len(buyers[i] & buyers[old]) / np.sqrt(len(buyers[i])), i))
        assert new == (near[0] if near else old)
