"""Tests of tokumei.tables.hierarchies.dates."""

import datetime as dt
from datetime import date, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.recommendation_rules.leaf_boxes_helpers import chosen
from tokumei.core.errors import InputError, UsageError
from tokumei.tables.hierarchies.dates import date_hierarchy

DAYS = st.lists(st.dates(date(1, 1, 1), date(9999, 12, 31)), min_size=1, max_size=8)


@given(DAYS)
def test_dates_by_month_quarter_year_and_decade(days):
    made = date_hierarchy(pl.Series("x", days))
    wanted = [
        (
            f"{d.year:04d}-{d.month:02d}-{d.day:02d}",
            f"{d.year:04d}-{d.month:02d}",
            f"{d.year:04d}-Q{(d.month + 2) // 3}",
            f"{d.year:04d}",
            f"{d.year // 10:03d}0s",
            "*",
        )
        for d in sorted(set(days))
    ]
    assert made.frame().rows() == wanted


@pytest.mark.parametrize("written", ["2011-01-31", "2011/01/31", "20110131", "2011年01月31日"])
def test_text_is_read_as_dates(written):
    made = date_hierarchy(pl.Series("x", [written]), levels=["year"])
    assert made.frame().rows() == [(written, "2011", "*")]


def test_times_get_a_level_of_days_and_missing_cells_stay_missing():
    times = [datetime(2011, 1, 5, 3), datetime(2011, 1, 5, 4, 30), None]
    made = date_hierarchy(pl.Series("x", times), levels=["year"])
    assert made.frame().rows() == [
        ("2011-01-05T03:00:00", "2011-01-05", "2011", "*"),
        ("2011-01-05T04:30:00", "2011-01-05", "2011", "*"),
        ("", "", "", "*"),
    ]
    assert made.leaf_codes(pl.Series(times)).tolist() == [0, 1, 2]


def test_times_may_be_text():
    made = date_hierarchy(pl.Series("x", ["2011-01-05 03:00:00", "2011-01-06"]), levels=["year"])
    assert made.frame().rows() == [
        ("2011-01-05T03:00:00", "2011-01-05", "2011", "*"),
        ("2011-01-06", "2011-01-06", "2011", "*"),
    ]


def test_what_is_no_date_is_listed():
    with pytest.raises(InputError) as caught:
        date_hierarchy(pl.Series("x", ["2011-01-31", "2011-02-31", "soon"]))
    assert [f.message.show("en") for f in caught.value.faults] == [
        "'2011-02-31' (1 row)",
        "'soon' (1 row)",
    ]
    with pytest.raises(InputError):
        date_hierarchy(pl.Series("x", [1.5]))
    for levels in (["week"], ["year", "month"], ["year", "year"]):
        with pytest.raises(UsageError):
            date_hierarchy(pl.Series("x", [date(2000, 1, 1)]), levels=levels)


def test_a_day_holds_all_its_times():
    times = [dt.datetime(2011, 1, day, hour) for day in (4, 5, 6) for hour in (0, 23)]
    visits = date_hierarchy(pl.Series("t", times), levels=["day"])
    assert chosen(visits, "<=2011-01-05") == chosen(visits, "<2011-01-06") != []
    assert len(chosen(visits, "<=2011-01-05")) == 4
    assert chosen(visits, ">2011-01-05") == chosen(visits, ">=2011-01-06")
    assert len(chosen(visits, ">2011-1-5")) == 2
