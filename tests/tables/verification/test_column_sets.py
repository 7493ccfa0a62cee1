"""k over every m columns against plain loops, and against figures of a brute force on UCI Adult."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden_figures import adult_rows
from tokumei.core.errors import UsageError
from tokumei.tables.data.table import Table
from tokumei.tables.verification.column_sets import KOfColumns

QI = ("a", "b", "c")
ROWS = st.lists(st.tuples(*[st.sampled_from(["x", "y", "*"])] * 3), min_size=1, max_size=12)


@given(rows=ROWS, k=st.integers(2, 4), m=st.integers(1, 4))
def test_every_combination_is_counted(rows: list[tuple[str, ...]], k: int, m: int) -> None:
    table = Table.of(pl.DataFrame(rows, schema=list(QI), orient="row"), qi=list(QI), sa=[])
    rare = [
        cells
        for places in combinations(range(3), min(m, 3))
        for cells, count in Counter(tuple(row[j] for j in places) for row in rows).items()
        if count < k
    ]
    faults = KOfColumns(k, m, QI).check(table)
    assert len(faults) == len(rare)
    assert {fault.rule for fault in faults} <= {"k-of-columns"}


@pytest.mark.data
def test_as_many_rare_combinations_as_by_brute_force(real_data: Path) -> None:
    text = (real_data / "golden" / "km_anonymity.json").read_text(encoding="utf-8")
    records = [one for one in json.loads(text) if one["kind"] == "k_over_m_columns"]
    records = [one for one in records if one["dataset"] == "first1000" or one["m"] <= 2]
    assert len(records) >= 10
    for one in records:
        rows = adult_rows(real_data, one["dataset"])
        table = Table.of(rows.select(one["qi"]), qi=one["qi"], sa=[])
        faults = KOfColumns(one["k"], one["m"], tuple(one["qi"])).check(table)
        assert len(faults) == one["violating_tuples_exactly_m"], one


def test_parameters_that_prove_nothing() -> None:
    for k, m, columns in ((1, 1, QI), (2, 0, QI), (2, 1, ())):
        with pytest.raises(UsageError):
            KOfColumns(k, m, columns)
