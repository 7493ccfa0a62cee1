"""The verifier's limits of risk against plain loops, in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.errors import UsageError
from tokumei.tables.data.schema import Column, ColumnKind, Role, Schema
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN
from tokumei.tables.verification.risk_limits import AverageRisk, HighestRisk, RecordsAtRisk

ROWS = st.lists(st.tuples(st.integers(0, 2), st.sampled_from("xy")), min_size=1, max_size=12)
QI = ("a", "b")


def table(rows: list[tuple[int, str]]) -> Table:
    return Table.of(pl.DataFrame(rows, schema=list(QI), orient="row"), qi=list(QI), sa=[])


@given(rows=ROWS, risk=st.sampled_from(["0.2", "0.25", "0.5"]))
def test_highest_and_average(rows: list[tuple[int, str]], risk: str) -> None:
    sizes, limit = Counter(rows), Fraction(risk)
    too_small = [size for size in sizes.values() if Fraction(1, size) > limit]
    assert len(HighestRisk(float(risk), QI).check(table(rows))) == len(too_small)
    is_average_kept = Fraction(len(sizes), len(rows)) <= limit
    assert (AverageRisk(float(risk), QI).check(table(rows)) == []) is is_average_kept


@given(
    rows=ROWS,
    threshold=st.sampled_from(["0.2", "0.25", "0.5"]),
    share=st.sampled_from(["0", "0.25", "0.5"]),
)
def test_records_at_risk(rows: list[tuple[int, str]], threshold: str, share: str) -> None:
    at_risk = [row for row in rows if Fraction(1, rows.count(row)) > Fraction(threshold)]
    faults = RecordsAtRisk(float(threshold), float(share), QI).check(table(rows))
    assert (faults == []) is (len(at_risk) <= Fraction(share) * len(rows))


def test_rows_that_stand_for_many() -> None:
    plain = table([(1, "x"), (2, "y")])
    counted = plain.frame.with_columns(pl.Series(COUNT_COLUMN, [6, 2]))
    columns = (*plain.schema.columns, Column(COUNT_COLUMN, Role.OTHER, ColumnKind.INTEGER))
    weighted = Table(counted, Schema(columns))
    assert AverageRisk(0.25, QI).check(weighted) == []
    assert len(AverageRisk(0.2, QI).check(weighted)) == 1
    (fault,) = HighestRisk(0.4, QI).check(weighted)
    assert fault.line is None
    assert "chance of 1/2" in fault.message.show("en")
    assert RecordsAtRisk(0.4, 0.25, QI).check(weighted) == []
    assert len(RecordsAtRisk(0.4, 0.2, QI).check(weighted)) == 1


def test_words_and_lines() -> None:
    rows = [(1, "x")] * 4 + [(2, "y")]
    (fault,) = HighestRisk(0.5, QI).check(table(rows))
    assert fault.line == 6
    assert "a=2, b=y" in fault.message.show("en")
    (fault,) = AverageRisk(0.25, QI).check(table(rows))
    assert "5 rows are in 2 classes, an average risk of 0.4" in fault.message.show("en")
    (fault,) = RecordsAtRisk(0.5, 0.1, QI).check(table(rows))
    assert "1 of 5 rows have a risk above 0.5" in fault.message.show("en")
    assert "25 %" in AverageRisk(0.25, QI).words().show("en")


def test_parameters_that_prove_nothing() -> None:
    for risk in (0, 1, float("nan")):
        with pytest.raises(UsageError):
            AverageRisk(risk, QI)
    with pytest.raises(UsageError):
        RecordsAtRisk(0.2, 1, QI)
    with pytest.raises(UsageError):
        HighestRisk(0.2, ())
