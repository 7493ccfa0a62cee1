"""Prosecutor, journalist and marketer against counting equal rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import InputError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.record_risk import (
    HighestRisk,
    MarketerRisk,
    RecordsAtRisk,
    journalist,
    marketer,
    prosecutor,
)
from tokumei.tables.registry import measures

ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("xy")), min_size=1, max_size=12)
QI = ["a", "b"]


def table(rows: list[tuple[int, str]]) -> Table:
    return Table.of(pl.DataFrame(rows, schema=QI, orient="row"), qi=QI)


@given(rows=ROWS, threshold=st.sampled_from([0.0, 0.2, 0.25, 0.5, 1.0]))
def test_prosecutor_and_marketer(rows: list[tuple[int, str]], threshold: float) -> None:
    risks = [1 / sum(other == row for other in rows) for row in rows]
    found = prosecutor(table(rows), QI)
    assert found.risks.tolist() == risks
    assert found.highest == max(risks)
    assert found.share_above(threshold) == sum(r > threshold for r in risks) / len(risks)
    assert found.mean == pytest.approx(sum(risks) / len(risks))
    assert marketer(table(rows), QI) == pytest.approx(len(set(rows)) / len(rows))


@given(rows=ROWS, chosen=st.lists(st.integers(0, 11), min_size=1, max_size=12, unique=True))
def test_journalist(rows: list[tuple[int, str]], chosen: list[int]) -> None:
    sample = [rows[i] for i in chosen if i < len(rows)] or rows[:1]
    found = journalist(table(sample), table(rows), QI)
    assert found.risks.tolist() == [1 / rows.count(row) for row in sample]
    assert found.highest <= prosecutor(table(sample), QI).highest


def test_a_population_that_lacks_rows_is_refused() -> None:
    with pytest.raises(InputError, match="1 class"):
        journalist(table([(1, "x"), (1, "x")]), table([(1, "x"), (2, "y")]), QI)


def test_measures_by_hand() -> None:
    rows = [(1, "x")] * 6 + [(2, "x")] * 3 + [(2, "y")]
    case = Comparison(table(rows), table(rows), np.arange(10))
    assert HighestRisk().score(case).value == 1
    assert RecordsAtRisk().score(case).value == 0.4
    assert RecordsAtRisk(threshold=0.5).score(case).value == 0.1
    assert MarketerRisk().score(case).value == pytest.approx(0.3)


@pytest.mark.data
def test_raw_adult(real_data) -> None:
    frame = pl.read_csv(real_data / "adult" / "adult.csv", separator=";")
    qi = [name for name in frame.columns if name != "occupation"]
    adult = Table.of(frame, qi=qi)
    assert round(100 * prosecutor(adult, qi).share_above(0.2), 2) == 50.90
    assert round(100 * marketer(adult, qi), 2) == 41.30


def test_a_population_gives_the_journalist_s_risk(tmp_path: Path) -> None:
    rows = [(1, "a"), (1, "a"), (2, "b")]
    people = table([*rows, (1, "a"), (2, "b"), (3, "c")])
    case = Comparison(table(rows), table(rows), np.arange(3))
    people.frame.write_csv(tmp_path / "people.csv")
    for population in (people, str(tmp_path / "people.csv")):
        found = {
            name: measures.build(name, {"population": population}).score(case).value
            for name in ("highest_risk", "records_at_risk", "marketer_risk")
        }
        assert found["highest_risk"] == 0.5
        assert found["records_at_risk"] == 1
        assert found["marketer_risk"] == pytest.approx((1 / 3 + 1 / 3 + 1 / 2) / 3)
