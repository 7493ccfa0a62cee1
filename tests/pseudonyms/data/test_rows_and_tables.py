"""Rows, months and pseudonym tables against what the contest's page says of them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.period_rows import rows_of
from tokumei.core.errors import InputError, UsageError
from tokumei.files.atomic_write import write_all
from tokumei.pseudonyms.data.period_rows import NO_DAY, NO_TIME, Months
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.formats.pws2017 import (
    read_master,
    read_rows,
    read_table,
    rows_output,
    table_output,
)

T = [
    "A,0,2010/12/1,9:09,21258,10.95,32",
    "B,0,2010/12/31,0:00,22,8.5,6",
    "A,0,2011/1/2,23:59,x,1,1",
]
RELEASED = ["q,0,2010/12/1,9:09,21258,10.95,32", "DEL,,,,,,", "p,0,2011/1/2,23:59,x,1,1"]


def test_cells_mean_what_they_say() -> None:
    rows = rows_of([*T, "C,0,2011/2/30,24:00,x,abc,"])
    assert rows.days.tolist()[:3] == [14944, 14974, 14976]
    assert rows.days[3] == NO_DAY
    assert rows.minutes.tolist() == [549, 0, 1439, NO_TIME]
    assert rows.prices.tolist()[:3] == [10.95, 8.5, 1.0]
    assert np.isnan(rows.prices[3])
    assert rows.people.to_list() == ["A", "B", "C"]
    assert rows.person.tolist() == [0, 1, 0, 2]


def test_deleted_rows_are_nobodys() -> None:
    rows = rows_of(T).with_deleted(np.array([False, True, False]))
    assert rows.cells.rows()[1] == ("DEL", "", "", "", "", "", "")
    assert rows.kept.tolist() == [True, False, True]
    assert rows.person.tolist() == [0, -1, 0]
    assert rows.people.to_list() == ["A"]


def test_public_rows_are_sorted_lines_without_deleted_ones() -> None:
    seen = rows_of([*RELEASED, "p-1,0,2011/1/2,23:59,x,1,1", "p,0,2011/1/10,23:59,x,1,1"]).public()
    lines = [",".join(row) for row in seen.cells.rows()]
    assert lines == sorted(lines)
    assert len(lines) == 4


def test_months_count_from_the_first_to_the_last() -> None:
    rows = rows_of(T)
    months = Months.spanning(rows.days)
    assert months.names == ["2010-12", "2011-01"]
    assert months.of(rows.days).tolist() == [0, 0, 1]
    assert months.of(np.array([NO_DAY, 14943, 15006])).tolist() == [-1, -1, -1]


def test_no_day_at_all_is_an_error() -> None:
    with pytest.raises(UsageError):
        Months.spanning(np.array([NO_DAY]))


def century(year: int) -> st.SearchStrategy[list[date]]:
    days = st.dates(date(year, 1, 1), date(year + 99, 12, 31))
    return st.lists(days, min_size=1, max_size=20)


@given(st.integers(1, 9900).flatmap(century))
def test_every_day_lies_in_its_month(dates: list[date]) -> None:
    days = np.array(dates, dtype="datetime64[D]").astype(np.int64)
    months = Months.spanning(days)
    names = months.names
    for day, period in zip(dates, months.of(days), strict=True):
        assert names[period] == f"{day.year:04d}-{day.month:02d}"


def test_the_table_of_a_release() -> None:
    original, released = rows_of(T), rows_of(RELEASED)
    months = Months.spanning(original.days)
    customers = pl.Series("customer", ["B", "A"])
    table = PseudonymTable.of_rows(original, released, customers=customers, months=months)
    assert table.cells().rows() == [("B", "DEL", "DEL"), ("A", "q", "p")]
    again = PseudonymTable.of_cells(customers, table.cells().drop("customer"))
    assert again.codes.tolist() == table.codes.tolist() == [[-1, -1], [1, 0]]
    assert table.codes_among(pl.Series(["z", "q"])).tolist() == [[-1, -1], [1, -2]]
    assert "q" not in repr(table)


def test_files_come_back_as_they_were(tmp_path: Path) -> None:
    original, released = rows_of(T), rows_of(RELEASED)
    table = PseudonymTable.of_rows(
        original,
        released,
        customers=pl.Series("customer", ["A", "B"]),
        months=Months.spanning(original.days),
    )
    rows, f = tmp_path / "A.csv", tmp_path / "F.csv"
    write_all([rows_output(released, rows, secret=True), table_output(table, f)])
    assert rows.read_text() == "\n".join(RELEASED) + "\n"
    assert f.read_text() == "A,q,p\nB,DEL,DEL\n"
    assert f.stat().st_mode & 0o077 == 0
    assert read_rows(rows).cells.equals(released.cells)
    assert read_table(f, periods=2).cells().equals(table.cells())


def test_a_line_with_too_few_fields_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "T.csv"
    path.write_text(T[0] + "\nA,0,2010/12/1\n")
    with pytest.raises(InputError, match="line 2"):
        read_rows(path)


def test_a_customer_stands_in_the_master_once(tmp_path: Path) -> None:
    path = tmp_path / "M.csv"
    path.write_text("A,f,1950/1/1,Others\nB,m,1960/1/1,UK\nA,f,1950/1/1,Others\n")
    with pytest.raises(InputError, match="1 customer"):
        read_master(path)
    path.write_text("A,f,1950/1/1,Others\nB,m,1960/1/1,UK\n")
    assert read_master(path).customers.to_list() == ["A", "B"]
