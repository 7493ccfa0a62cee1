"""Histories: reading columns, exact prices, categories, text and back."""

from __future__ import annotations

from datetime import date, datetime

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.histories import history
from tokumei.core.errors import InputError
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.data.generalized_history import format_history
from tokumei.histories.data.history import COLUMNS, History


def frame(**changes: list[object]) -> pl.DataFrame:
    columns: dict[str, list[object]] = {
        "customer": ["a", "b"],
        "day": ["2011/1/31", "2011-02-01"],
        "item": ["x", "y"],
        "price": [1.5, 2.0],
        "quantity": [1, 2],
    }
    return pl.DataFrame(columns | changes)


def test_columns_are_found_by_the_names_given() -> None:
    named = frame().rename({"customer": "CustomerID", "day": "when"})
    found = History.of(named.to_pandas(), customer="CustomerID", day="when")
    assert found.frame.columns == list(COLUMNS)
    assert found.frame["day"].to_list() == [date(2011, 1, 31), date(2011, 2, 1)]
    with pytest.raises(InputError, match="no column for customer=customer"):
        History.of(named)
    with pytest.raises(InputError, match="one column cannot be two"):
        History.of(frame(), price="quantity")


def test_other_columns_stay_and_keep_no_reserved_name() -> None:
    more = frame().with_columns(basket=pl.Series(["1", "2"]))
    assert History.of(more).frame.columns == [*COLUMNS, "basket"]


def test_spreadsheet_numbers_are_codes_again() -> None:
    found = History.of(frame(customer=[17850.0, 13047.0]))
    assert found.frame["customer"].to_list() == ["17850", "13047"]


def test_times_of_day_are_cut_off() -> None:
    found = History.of(frame(day=[datetime(2011, 1, 31, 23, 59), datetime(2011, 2, 1)]))
    assert found.frame["day"].to_list() == [date(2011, 1, 31), date(2011, 2, 1)]


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("customer", ["", "b"]),
        ("customer", [None, "b"]),
        ("day", ["2011/2/30", "2011/1/1"]),
        ("day", ["31/2/2011", "2011/1/1"]),
        ("price", ["1,5", "2"]),
        ("price", [float("nan"), 1.0]),
        ("price", [1e300, 1.0]),
        ("quantity", [1.5, 1.0]),
        ("quantity", [None, 1]),
    ],
)
def test_a_bad_cell_is_named(column: str, cells: list[object]) -> None:
    with pytest.raises(InputError) as caught:
        History.of(frame(**{column: cells}))
    assert caught.value.total == 1
    assert caught.value.faults[0].column == column
    assert "row 0" in caught.value.faults[0].message.show("en")


def test_no_rows_is_an_error() -> None:
    with pytest.raises(InputError, match="no purchases"):
        History.of(frame().head(0))


@pytest.mark.parametrize(
    ("prices", "decimals", "texts"),
    [
        ([1.0, 2.5], 2, ["1", "2.5"]),
        ([1.125, 0.1], 3, ["1.125", "0.1"]),
        ([0.29, -4.1], 2, ["0.29", "-4.1"]),
        ([2500.0, 0.000001], 6, ["2500", "0.000001"]),
    ],
)
def test_prices_are_exact(prices: list[float], decimals: int, texts: list[str]) -> None:
    found = History.of(frame(price=prices))
    assert found.decimals == decimals
    assert format_history(found)["price"].to_list() == texts


@given(st.lists(st.integers(-(10**8), 10**8), min_size=1, max_size=50), st.integers(2, 6))
def test_no_price_is_ever_rounded(units: list[int], places: int) -> None:
    prices = [unit / 10**places for unit in units]
    count = len(units)
    found = History.of(
        pd.DataFrame(
            {
                "customer": ["a"] * count,
                "day": ["2011/1/1"] * count,
                "item": ["x"] * count,
                "price": prices,
                "quantity": [1] * count,
            }
        )
    )
    assert [float(text) for text in format_history(found)["price"]] == prices


def test_categories_replace_every_item_or_none() -> None:
    found = History.of(frame())
    assert found.with_items({"x": "雑貨", "y": "雑貨"}).item_names.to_list() == ["雑貨"]
    with pytest.raises(InputError, match="1 item has no category: 'y'"):
        found.with_items({"x": "雑貨"})


def test_deleted_rows_are_stars_and_leave_the_public_part() -> None:
    made = RankMatch(2).anonymize(
        history([(c, date(2011, 1, 1), "a", 1.0, 1) for c in ("a", "a", "b")]), rng=Randomness(1)
    )
    assert made.aligned_text().rows()[1] == ("*",) * 5
    assert made.public.height == 2
    lines = [",".join(row) for row in made.public.rows()]
    assert lines == sorted(lines)


def test_the_day_is_that_of_the_clock_on_the_wall() -> None:
    moment = pl.Series([datetime(2010, 12, 31, 16), datetime(2011, 1, 1)])
    tokyo = moment.dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
    found = History.of(frame().with_columns(day=tokyo))
    assert found.frame["day"].to_list() == [date(2011, 1, 1), date(2011, 1, 1)]


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
def test_noise_of_binary_numbers_is_no_decimal(dtype: type[pl.DataType]) -> None:
    cents = pl.Series([595, 166], dtype=dtype) / 100
    found = History.of(frame().with_columns(price=cents))
    assert format_history(found)["price"].to_list() == ["5.95", "1.66"]
