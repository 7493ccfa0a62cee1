"""Hellinger distance against plain sums over leaves."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given

from support.generalized_tables import Generalized, generalized_tables
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.cell_spans import build_column_spans
from tokumei.tables.measures.hellinger import Hellinger, hellinger_distance


@given(made=generalized_tables(columns=2))
def test_every_column_by_hand(made: Generalized) -> None:
    case = made.case()
    found = Hellinger(made.hierarchies()).score(case).value
    columns = build_column_spans(case, made.hierarchies())
    distances = []
    for j, column in enumerate(columns):
        before, after = [0.0] * column.leaves, [0.0] * column.leaves
        for row in made.original:
            before[row[j]] += 1 / len(made.original)
        for row in range(len(made.link)):
            for leaf in made.leaves(row, j):
                after[leaf] += 1 / len(made.leaves(row, j)) / len(made.link)
        common = sum(math.sqrt(p * q) for p, q in zip(before, after, strict=True))
        distances.append(math.sqrt(max(1 - common, 0)))
    assert found == pytest.approx(sum(distances) / len(distances), abs=1e-7)
    assert 0 <= found <= 1


def test_the_ends() -> None:
    assert hellinger_distance(np.array([0.5, 0.5]), np.array([0.5, 0.5])) == 0.0
    assert hellinger_distance(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1.0
    frame = pl.DataFrame({"a": ["x", "x", "y", "z"]})
    released = pl.DataFrame({"a": ["{x;y}", "{x;y}", "{x;y}", "z"]})
    tables = [Table.of(one, qi=["a"], sa=[]) for one in (frame, released)]
    found = Hellinger().score(Comparison(*tables, np.arange(4))).value
    common = math.sqrt(1 / 2 * 3 / 8) + math.sqrt(1 / 4 * 3 / 8) + 1 / 4
    assert found == pytest.approx(math.sqrt(1 - common))
