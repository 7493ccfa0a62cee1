"""Rows kept by activity, customers kept, classes by rank; and what a case must be."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from histories.measures.activity_helpers import class_of
from support.released_histories import Small, unchanged
from tokumei.core.generalized_cells import rank_quantiles


@given(values=st.lists(st.integers(0, 6), min_size=1, max_size=25), classes=st.integers(1, 10))
def test_classes_share_the_mean_rank_of_equals(values: list[int], classes: int):
    wanted = [class_of(values, value, classes) for value in values]
    assert rank_quantiles(np.array(values), classes).tolist() == wanted


def test_different_values_fill_classes_evenly_and_equal_ones_the_middle():
    assert np.bincount(rank_quantiles(np.arange(1000), 5)).tolist() == [0, 200, 200, 200, 200, 200]
    assert set(rank_quantiles(np.ones(1000), 5)) == {3}
    assert rank_quantiles(np.array([7.0]), 5).tolist() == [3]


def test_the_pseudonym_of_a_customer_with_two_is_the_first():
    rows = [("c1", 0, "i1", 100, 1)] * 3
    _, second, third = unchanged(rows)
    case = Small(rows, [None, ("99", *second[1:]), third]).case
    assert case.released.pseudonyms[int(case.pseudonym[0])] == "99"
