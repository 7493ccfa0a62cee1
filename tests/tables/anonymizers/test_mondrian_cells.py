"""Tests of tokumei.tables.anonymizers.mondrian_cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tables.anonymizers.mondrian_helpers import TEXT_ORDER, positions, table, tables
from tokumei.kernels.mondrian.hierarchy_free import CutColumns, cut_up
from tokumei.tables.anonymizers.mondrian import build_value_line
from tokumei.tables.anonymizers.mondrian_cells import rank_values
from tokumei.tables.engines.local import LocalEngine


def slow_relaxed(
    columns: list[list[float]], rows: list[int], k: int
) -> list[tuple[tuple[float, ...], ...]]:
    """The QI vectors of each class (which of several equal rows go where does not matter)."""
    spreads = [max(c[i] for i in rows) - min(c[i] for i in rows) for c in columns]
    if len(rows) < 2 * k or max(spreads) == 0:
        return [tuple(sorted(tuple(c[i] for c in columns) for i in rows))]
    widest = columns[spreads.index(max(spreads))]
    ordered = sorted(rows, key=lambda i: (widest[i], *(c[i] for c in columns)))
    half = len(rows) // 2
    return slow_relaxed(columns, ordered[:half], k) + slow_relaxed(columns, ordered[half:], k)


@settings(max_examples=200)
@given(columns=tables, k=st.integers(2, 4))
def test_the_relaxed_partition_is_that_of_the_slow_one(columns: dict[str, Any], k: int) -> None:
    source = table(**columns)
    qi = source.schema.qi
    placed = [positions(source.frame[name].to_list()) for name in qi]
    found = LocalEngine(source.frame).tuples(qi)
    codes = np.column_stack(
        [rank_values(found, j, TEXT_ORDER.get(n))[found.codes[:, j]] for j, n in enumerate(qi)]
    )
    lines = [build_value_line(values) for values in found.values]
    pieces = cut_up(codes, found.counts, CutColumns.of(lines), k=k, cut="relaxed")
    vectors = [tuple(float(at.positions[c]) for at, c in zip(lines, t, strict=True)) for t in codes]
    members = defaultdict(list)
    for t, rows, number in zip(*(part.tolist() for part in pieces), strict=True):
        members[number] += [vectors[t]] * rows
    assert Counter(tuple(sorted(m)) for m in members.values()) == Counter(
        slow_relaxed(placed, list(range(source.rows)), k)
    )
