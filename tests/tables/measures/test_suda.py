"""Minimal sample uniques against all subsets of columns, row by row."""

from __future__ import annotations

from itertools import combinations
from math import prod

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.errors import UsageError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.suda import SpecialRecords, suda

Rows = list[tuple[int, ...]]
NAMES = ["a", "b", "c", "d"]
ROWS = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=10)


def table(rows: Rows) -> Table:
    return Table.of(pl.DataFrame(rows, schema=NAMES, orient="row"), qi=NAMES)


def alone(rows: Rows, row: int, columns: tuple[int, ...]) -> bool:
    return sum(all(rows[row][j] == other[j] for j in columns) for other in rows) == 1


def msus(rows: Rows, row: int, most: int) -> list[tuple[int, ...]]:
    every = [s for size in range(1, most + 1) for s in combinations(range(4), size)]
    return [
        s
        for s in every
        if alone(rows, row, s)
        and not any(alone(rows, row, t) for size in range(len(s)) for t in combinations(s, size))
    ]


@settings(max_examples=200)
@given(rows=ROWS, most=st.integers(1, 4))
def test_equals_brute_force(rows: Rows, most: int) -> None:
    found = suda(table(rows), NAMES, max_size=most)
    wanted = [msus(rows, row, most) for row in range(len(rows))]
    assert found.msus.tolist() == [len(part) for part in wanted]

    def weight(size: int) -> int:
        return prod(4 - i for i in range(size, min(most, 3) + 1))

    assert found.scores.tolist() == [sum(weight(len(s)) for s in part) for part in wanted]
    flat = [s for part in wanted for s in part]
    counted = {tuple(columns): number for columns, _, number, _ in found.sets.iter_rows()}
    assert counted == {tuple(NAMES[j] for j in s): flat.count(s) for s in flat}
    total = sum(weight(len(s)) for s in flat)
    for j, (_, number, score, share) in enumerate(found.contributions.iter_rows()):
        using = [s for s in flat if j in s]
        assert number == len(using)
        assert score == sum(weight(len(s)) for s in using)
        assert share == pytest.approx(score / total if total else 0)


def test_by_hand() -> None:
    # Row 0 is alone by its first column, row 3 only by columns b and c together.
    rows = [(1, 0, 0, 0), (0, 0, 1, 0), (0, 0, 1, 0), (0, 1, 1, 0), (0, 1, 0, 0), (0, 1, 0, 0)]
    found = suda(table(rows), NAMES, max_size=2)
    assert found.msus.tolist() == [2, 0, 0, 1, 0, 0]  # row 0 also by b and c
    assert found.scores.tolist() == [3 * 2 + 2, 0, 0, 2, 0, 0]
    assert found.contributions["share"].to_list() == pytest.approx([0.6, 0.4, 0.4, 0])
    case = Comparison(table(rows), table(rows), np.arange(6))
    assert SpecialRecords(max_size=2).score(case).value == pytest.approx(2 / 6)


def test_sizes_below_one_are_refused() -> None:
    with pytest.raises(UsageError, match="max_size"):
        suda(table([(0, 0, 0, 0)]), NAMES, max_size=0)


@pytest.mark.data
def test_adult_over_all_sizes_finds_exactly_the_sample_uniques(real_data) -> None:
    frame = pl.read_csv(real_data / "adult" / "adult.csv", separator=";")
    qi = [name for name in frame.columns if name != "occupation"]
    found = suda(Table.of(frame, qi=qi), qi, max_size=8)
    assert round(100 * float((found.msus > 0).mean()), 2) == 29.31
