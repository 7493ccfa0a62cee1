"""Tests of tokumei.tables.verification.column_checks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from tables.verification.rules_helpers import rows, table
from tokumei.core.errors import UnknownNameError
from tokumei.tables.verification.column_checks import Constant, NoIdentifiers
from tokumei.tables.verification.k_anonymity import KAnonymity
from tokumei.tables.verification.l_diversity import LDiversity


@given(rows)
def test_constant_columns(rows: list[tuple[Any, ...]]) -> None:
    several = [name for j, name in enumerate("abs") if len({row[j] for row in rows}) > 1]
    faults = Constant(("a", "b", "s")).check(table(rows))
    assert [fault.column for fault in faults] == several


def test_no_identifiers() -> None:
    faults = NoIdentifiers(("a", "who")).check(table([("a", 1, 1)]))
    assert [fault.column for fault in faults] == ["a"]
    assert NoIdentifiers(("who",)).check(table([("a", 1, 1)])) == []


@pytest.mark.parametrize(
    "rule",
    [KAnonymity(2, ("z",)), LDiversity(2, ("a",), ("z",)), Constant(("z",))],
    ids=lambda rule: rule.name,
)
def test_a_missing_column_is_no_proof(rule: Any) -> None:
    with pytest.raises(UnknownNameError, match="unknown column 'z'"):
        rule.check(table([("a", 1, 1)] * 3))
