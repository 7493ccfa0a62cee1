"""Tests of tokumei.histories.spark.anonymize."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.histories.anonymizers.rank_match import rank_customers
from tokumei.histories.spark.anonymize import bundle_customers


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=30), st.integers(2, 4), st.integers(1, 40))
def test_bundles_are_whole_clusters_in_the_order_of_the_ranking(counts, k, rows):
    if len(counts) < k:
        return
    found = bundle_customers(np.array(counts), k, rows=rows)[rank_customers(np.array(counts))]
    assert (np.diff(found) >= 0).all()
    for place in range(0, len(counts) // k * k, k):
        assert len(set(found[place : place + k])) == 1
    assert set(found[len(counts) // k * k :]) <= {found[len(counts) // k * k - 1]}
