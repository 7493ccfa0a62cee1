"""Non-uniform entropy against its definition, row by row."""

from __future__ import annotations

from math import log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings

from support.generalized_tables import Generalized, generalized_tables
from support.small_tables import Small, covers, small_tables
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.qi_information import EntropyLoss


@settings(max_examples=200)
@given(made=generalized_tables())
def test_with_hierarchies_equals_the_formula(made: Generalized) -> None:
    losses = []
    for j in range(len(made.trees)):
        column = [row[j] for row in made.original]
        bits = [log2(len(column) / column.count(leaf)) for leaf in column]
        lost = list(bits)
        for row, origin in enumerate(made.link):
            inside = sum(leaf in made.leaves(row, j) for leaf in column)
            lost[origin] = log2(inside / column.count(column[origin]))
        losses.append(sum(lost) / sum(bits) if sum(bits) else 0.0)
    found = EntropyLoss(made.hierarchies()).score(made.case()).value
    assert found == pytest.approx(sum(losses) / len(losses), abs=1e-12)


@settings(max_examples=200)
@given(small=small_tables(general_qi=True, nulls=True))
def test_without_hierarchies_equals_the_formula(small: Small) -> None:
    losses = []
    for j in range(2):
        column = [row[j] for row in small.original]
        bits = [log2(len(column) / column.count(value)) for value in column]
        lost = list(bits)
        for row, origin in enumerate(small.link):
            cell = small.released[row][j]
            if covers(cell, column[origin]):
                inside = sum(covers(cell, value) for value in column)
                lost[origin] = log2(inside / column.count(column[origin]))
        losses.append(sum(lost) / sum(bits) if sum(bits) else 0.0)
    found = EntropyLoss().score(small.case()).value
    assert found == pytest.approx(sum(losses) / 2, abs=1e-12)


def test_by_hand() -> None:
    x = Table.of(pl.DataFrame({"q": ["a", "a", "b", "c"]}), qi=["q"])
    y = Table.of(pl.DataFrame({"q": ["{a;b}", "a", "{a;b}", "*"]}), qi=["q"])
    # bits 1 1 2 2; lost: log2(3/2), 0, log2(3/1), 2
    found = EntropyLoss().score(Comparison(x, y, np.arange(4))).value
    assert found == pytest.approx((log2(1.5) + log2(3) + 2) / 6)
