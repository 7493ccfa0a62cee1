"""Tests of tokumei.tables.anonymization.in_memory."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.engines.counted_helpers import QI, ROWS, tables
from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, row_count_column


def changed(table, method):
    """The cells of every row that is left, and the claims."""
    step = method.change(Step.start(table), rng=Randomness(1))
    names = step.table.frame.select(pl.exclude(QI, COUNT_COLUMN)).columns
    frame = step.table.frame.select(pl.col(QI).cast(pl.String), *names)
    counts = row_count_column(step.table.frame)
    if counts is not None:
        frame = (
            frame.with_columns(counts)
            .group_by(pl.all().exclude(COUNT_COLUMN))
            .agg(pl.col(COUNT_COLUMN).sum())
        )
    else:
        frame = frame.group_by(pl.all()).len(COUNT_COLUMN)
    return sorted(frame.rows(), key=str), step.claims, step.searches


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("local", {}),
        ("flash", {"suppression": 0.2}),
        ("datafly", {"suppression": 0.1}),
        ("mondrian", {}),
        ("mondrian-hierarchical", {"hierarchies": "auto"}),
        ("local", {"conditions": ["l=2"], "sensitive": ["s"]}),
        ("mondrian", {"conditions": ["t=0.4"], "sensitive": ["s"]}),
        ("local", {"person": "s", "k": 2}),
    ],
)
@settings(max_examples=5)
@given(rows=ROWS, k=st.sampled_from([2, 8]))
def test_methods_do_with_counts_what_they_do_with_rows(name, params, rows, k):
    whole, few = tables(rows)
    if len({row[2] for row in rows}) < 2:
        return
    method = build_method(name, {"k": k, **params})
    assert changed(few, method) == changed(whole, method)


@pytest.mark.parametrize(
    "name", ["local", "flash", "datafly", "mondrian", "auto", "k-member", "one-pass"]
)
def test_k_is_compared_with_the_rows_that_tuples_stand_for(name):
    frame = pl.DataFrame({"n": [1, 2], "t": ["a", "a"], COUNT_COLUMN: [3, 4]})
    table = Table(frame, schema_for(frame, qi=QI))
    step = build_method(name, {"k": 7}).change(Step.start(table), rng=Randomness(1))
    assert step.link.tolist() == [0, 1]
    assert step.table.frame.select(QI).n_unique() == 1
    with pytest.raises(UsageError, match="more than the 7 rows"):
        build_method(name, {"k": 8}).change(Step.start(table), rng=Randomness(1))
