"""Tests of tokumei.files.spark.distinct_tuples."""

from __future__ import annotations

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from support import histories
from tokumei.core.randomness import Randomness
from tokumei.files.spark.distinct_tuples import NUMBER_COLUMN
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.spark.anonymize import (
    _BUNDLE_COLUMN,
    _PSEUDONYM_COLUMN,
    _BundleGeneralizer,
    bundle_customers,
)
from tokumei.histories.spark.reading import CUSTOMER_KEY, PurchaseReader


@settings(max_examples=40, deadline=None)
@given(histories.rows(customers=9, most=40, least=12), st.integers(2, 3), st.integers(1, 20))
def test_bundles_get_the_cells_of_the_whole_history(rows, k, size):
    history = histories.history(rows)
    if len(history.customers) < k:
        return
    whole = RankMatch(k).anonymize(history, rng=Randomness(1))
    placed = format_history(history).with_columns(
        pl.Series(NUMBER_COLUMN, np.arange(history.rows)),
        pl.Series(CUSTOMER_KEY, history.frame["customer"]),
        pl.Series(
            _BUNDLE_COLUMN, bundle_customers(history.counts, k, rows=size)[history.customer_codes]
        ),
        pl.Series(
            _PSEUDONYM_COLUMN, whole.rows.pseudonyms.gather(pl.Series(history.customer_codes))
        ),
    )
    work = _BundleGeneralizer(PurchaseReader("table", "", lines=False), RankMatch(k))
    parts = [
        pl.DataFrame(pl.from_arrow(work.cells(part.sample(fraction=1.0, shuffle=True).to_arrow())))
        for part in placed.partition_by(_BUNDLE_COLUMN)
    ]
    assert pl.concat(parts).sort(NUMBER_COLUMN).drop(NUMBER_COLUMN).equals(whole.aligned_text())
