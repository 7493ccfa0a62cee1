"""Rows kept by activity, customers kept, classes by rank; and what a case must be."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.released_histories import Small, history, smalls, unchanged
from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import rank_quantiles
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.measures.losses import CustomersKept, rows_by_activity
from tokumei.histories.measures.protocol import HistoryCase


def class_of(values: list[int], value: int, classes: int) -> int:
    """The mean rank of the value among equals, then the class that holds it."""
    ranks = [rank for rank, other in enumerate(sorted(values), 1) if other == value]
    place = (Fraction(sum(ranks), len(ranks)) - Fraction(1, 2)) / len(values)
    return next(c for c in range(1, classes + 1) if place < Fraction(c, classes))


@given(values=st.lists(st.integers(0, 6), min_size=1, max_size=25), classes=st.integers(1, 10))
def test_classes_share_the_mean_rank_of_equals(values: list[int], classes: int):
    wanted = [class_of(values, value, classes) for value in values]
    assert rank_quantiles(np.array(values), classes).tolist() == wanted


def test_different_values_fill_classes_evenly_and_equal_ones_the_middle():
    assert np.bincount(rank_quantiles(np.arange(1000), 5)).tolist() == [0, 200, 200, 200, 200, 200]
    assert set(rank_quantiles(np.ones(1000), 5)) == {3}
    assert rank_quantiles(np.array([7.0]), 5).tolist() == [3]


@given(small=smalls())
def test_rows_by_activity_counts_rows_customer_by_customer(small: Small):
    counts = {name: sum(row[0] == name for row in small.rows) for name in small.customers}
    wanted: dict[int, list[int]] = {}
    for name, count in counts.items():
        line = wanted.setdefault(class_of(list(counts.values()), count, 10), [0, 0, 0])
        pairs = zip(small.rows, small.released, strict=True)
        kept = sum(row[0] == name and new is not None for row, new in pairs)
        line[:] = [line[0] + 1, line[1] + count, line[2] + kept]
    found = rows_by_activity(small.case)
    assert found.rows() == [(d, c, r, kept / r) for d, (c, r, kept) in sorted(wanted.items())]


@given(small=smalls())
def test_customers_kept_are_those_with_a_row(small: Small):
    kept = [name for name in small.customers if small.pseudonym(name) is not None]
    score = CustomersKept().score(small.case)
    assert score.value == pytest.approx(len(kept) / len(small.customers))
    assert score.sample == len(small.customers)


def test_rank_and_match_cuts_the_most_active_and_drops_the_last():
    rows = [(f"c{n}", 0, "i1", 100, 1) for n in range(1, 6) for _ in range(2**n)]
    original = history(rows)
    case = HistoryCase(original, RankMatch(k=2).anonymize(original, rng=Randomness(1)).rows)
    assert CustomersKept().score(case).value == 0.8
    assert rows_by_activity(case)["kept"].to_list() == [0.0, 1.0, 0.5, 1.0, 0.5]


def test_the_pseudonym_of_a_customer_with_two_is_the_first():
    rows = [("c1", 0, "i1", 100, 1)] * 3
    _, second, third = unchanged(rows)
    case = Small(rows, [None, ("99", *second[1:]), third]).case
    assert case.released.pseudonyms[int(case.pseudonym[0])] == "99"


def test_a_case_needs_the_same_rows_and_decimals():
    rows = [("c1", 0, "i1", 100, 1), ("c2", 0, "i1", 100, 1)]
    case = Small(rows, unchanged(rows)).case
    with pytest.raises(InputError, match="1 rows and its release 2"):
        HistoryCase(history(rows[:1]), case.released)
    nobody = dataclasses.replace(case.released, person=case.released.person[:0])
    with pytest.raises(InputError, match="at least one"):
        HistoryCase(case.original.take(np.array([], dtype=np.int64)), nobody)
    finer = history([("c1", 0, "i1", 0.1, 1), ("c2", 0, "i1", 100, 1)])
    with pytest.raises(InputError, match="3 decimals in the original but 2"):
        HistoryCase(finer, case.released)
    assert "c1" not in repr(case)
