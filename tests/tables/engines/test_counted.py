"""Rows that stand for many: methods, hierarchies and rules see the table that they stand for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from tables.engines.counted_helpers import QI, ROWS, tables
from tokumei.core.provenance import Claim
from tokumei.tables.data.weighted_rows import row_count_column
from tokumei.tables.hierarchies.choose import propose_hierarchy
from tokumei.tables.verification.claims import claim_violations


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
    return re.sub(r", first on line \d+,?", "", fault.message.show("en"))
