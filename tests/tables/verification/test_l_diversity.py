"""Tests of tokumei.tables.verification.l_diversity."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.verification.privacy_models_helpers import ONE, people
from tables.verification.rules_helpers import rows, table, vector
from tokumei.tables.data.table import Table
from tokumei.tables.verification.l_diversity import (
    EntropyLDiversity,
    LDiversity,
    RecursiveLDiversity,
)
from tokumei.tables.verification.value_frequency import AlphaK


def test_the_worst_class_comes_first_then_the_first_line() -> None:
    worse = people(("A", "xxy"), ("B", "xxxy"), ("C", "xy"), ("D", "xxxy"), ("E", "x"))
    found = [fault.line for fault in AlphaK(0.5, **ONE).check(worse) if fault.column]
    assert found == [15, 5, 11, 2]
    found = [fault.line for fault in EntropyLDiversity(2, **ONE).check(worse)]
    assert found == [15, 5, 11, 2]
    found = [fault.line for fault in RecursiveLDiversity(2, 2, **ONE).check(worse)]
    assert found == [15, 5, 11, 2]


def test_each_sensitive_column_is_checked_on_its_own() -> None:
    both = people(("A", "xy"), ("B", "xy"), other=[1, 2, 3, 3])
    rule = EntropyLDiversity(2, ("town",), ("s", "other"))
    assert [(fault.line, fault.column) for fault in rule.check(both)] == [(4, "other")]


def test_generalized_and_missing_cells_are_values_as_they_stand() -> None:
    cells = pl.Series("s", ["[1;2]", "[1;3]", None, None])
    frame = pl.DataFrame({"a": ["x", "x", None, None], "s": cells})
    submission = Table.of(frame, qi=["a"], sa=["s"])
    faults = EntropyLDiversity(2, ("a",), ("s",)).check(submission)
    assert [fault.line for fault in faults] == [4]
    assert "(a=None)" in faults[0].message.show("en")


@pytest.mark.parametrize("l", [2, 3, 7, 10, 49])
def test_equally_frequent_values_reach_their_number(l: int) -> None:  # noqa: E741
    uniform = people(("A", "".join(chr(97 + i) for i in range(l)) * 3))
    assert EntropyLDiversity(l, **ONE).check(uniform) == []
    assert len(EntropyLDiversity(l + 0.001, **ONE).check(uniform)) == 1


@given(rows=rows, l=st.integers(2, 4))
def test_l_diversity_counts_values_per_class(rows: list[tuple[Any, ...]], l: int) -> None:  # noqa: E741
    values, lines = defaultdict(set), {}
    for line, row in enumerate(rows, start=2):
        values[row[:2]] |= {row[2]} - {None}
        lines.setdefault(row[:2], line)
    poor = Counter(
        f"the class {vector(v)}, first on line {lines[v]}, has {len(found)} "
        f"value{'' if len(found) == 1 else 's'} of 's'; l = {l} needed"
        for v, found in values.items()
        if len(found) < l
    )
    faults = LDiversity(l, ("a", "b"), ("s",)).check(table(rows))
    assert Counter(fault.message.show("en") for fault in faults) == poor
    counted = [int(fault.message.show("en").split(" has ")[1].split()[0]) for fault in faults]
    assert counted == sorted(counted)
