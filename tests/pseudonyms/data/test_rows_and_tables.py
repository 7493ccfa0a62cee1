"""Rows, months and pseudonym tables against what the contest's page says of them."""

from __future__ import annotations

from datetime import date

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pseudonyms.data.rows_and_tables_helpers import RELEASED, T
from support.period_rows import rows_of
from tokumei.pseudonyms.data.purchase_text_cells import NO_DAY, NO_TIME, Months


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
