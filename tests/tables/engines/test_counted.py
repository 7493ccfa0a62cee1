"""Rows that stand for many: methods, hierarchies and rules see the table that they stand for."""

from __future__ import annotations

import re

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import UsageError
from tokumei.core.provenance import Claim
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymization.in_memory import build_method
from tokumei.tables.anonymizers.protocol import Step
from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN, row_count_column
from tokumei.tables.hierarchies.choose import propose_hierarchy
from tokumei.tables.verification.claims import claim_violations

QI = ["n", "t"]
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 40),
        st.sampled_from(["a", "b", "c", "d", "e"]),
        st.sampled_from(["x", "y", "z"]),
    ),
    min_size=8,
    max_size=60,
)


def tables(rows):
    """All rows, and each distinct one with its count."""
    whole = pl.DataFrame(rows, schema={"n": pl.Int64, "t": pl.String, "s": pl.String}, orient="row")
    whole = whole.sort(pl.all())
    few = whole.group_by(pl.all(), maintain_order=True).len(COUNT_COLUMN)
    return [Table(frame, schema_for(frame, qi=QI)) for frame in (whole, few)]


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


@settings(max_examples=30)
@given(rows=ROWS)
def test_proposed_hierarchies_count_rows(rows):
    whole, few = (table.frame for table in tables(rows))
    for name in QI:
        found, wanted = (
            propose_hierarchy(few[name], row_count_column(few)),
            propose_hierarchy(whole[name]),
        )
        assert found.frame().equals(wanted.frame())


@pytest.mark.parametrize(
    "claim",
    [
        Claim("k-anonymity", {"k": 3, "columns": ["t"]}),
        Claim("l-diversity", {"l": 3, "columns": ["t"], "sensitive": ["s"]}),
        Claim("t-closeness", {"t": 0.2, "columns": ["t"], "sensitive": ["s"]}),
        Claim("entropy-l-diversity", {"l": 2.0, "columns": ["t"], "sensitive": ["s"]}),
        Claim("alpha-k", {"alpha": 0.5, "k": 3, "columns": ["t"], "sensitive": ["s"]}),
    ],
    ids=lambda claim: claim.rule,
)
@settings(max_examples=15)
@given(rows=ROWS)
def test_rules_find_the_same_faults(claim, rows):
    whole, few = tables(rows)
    found, wanted = (claim_violations(table, [claim]) for table in (few, whole))
    assert len(found) == len(wanted)
    assert sorted(_finding(fault) for fault in found) == sorted(_finding(one) for one in wanted)


def _finding(fault):
    """What was found, without the line."""
    return re.sub(r", first on line \d+,?", "", fault.message.en)
