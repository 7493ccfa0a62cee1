"""Tests of tokumei.tables.judge.upload_checks."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.tables.judge.upload_checks import count_hits


@settings(max_examples=40)
@given(st.data())
def test_alike_rows_count_as_in_the_mean_over_their_orders(data):
    """A slow reference: all orders of alike rows of S, one after the other."""
    from itertools import permutations

    texts = sorted(data.draw(st.lists(st.sampled_from("ab"), min_size=1, max_size=5)))
    n = len(texts)
    truth = data.draw(st.permutations(range(n)))
    answers = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    orders = [
        order for order in permutations(range(n)) if [texts[place] for place in order] == texts
    ]
    hits = [sum(answers[row] == truth[order[row]] for row in range(n)) for order in orders]
    pairs = [np.column_stack([np.arange(n), column]) for column in (answers, truth)]
    assert count_hits(*pairs, pl.Series(texts)) == pytest.approx(np.mean(hits))
