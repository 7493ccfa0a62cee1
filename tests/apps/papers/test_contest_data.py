"""Tests of tokumei.apps.papers.contest_data."""

from datetime import date

import polars as pl
import pytest

import tokumei as tk
from tokumei.apps.papers.contest_data import draw_contest, history_purchases, retail_purchases
from tokumei.core.errors import UsageError
from tokumei.files.reading import read_frame
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS


@pytest.fixture(scope="module")
def purchases():
    return history_purchases(tk.sample_history(900, customers=80, seed=1))


def smallest_group(master: pl.DataFrame) -> int:
    return master.group_by(MASTER_COLUMNS[1:]).len()["len"].min()


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_alone_by_sex_decade_and_country(purchases, seed):
    drawn = draw_contest(purchases, customers=31, seed=seed)
    assert drawn.master.frame.height == 31
    assert smallest_group(drawn.master.frame) >= 2


def test_all_rows_of_the_drawn_and_of_nobody_else(purchases):
    drawn = draw_contest(purchases, customers=30, seed=1)
    names = drawn.master.customers.to_list()
    own = purchases.rows.filter(pl.col("customer").is_in(names))
    assert drawn.rows.rows == own.height
    assert drawn.rows.prices.tolist() == pytest.approx(own["price"].to_list())
    other = draw_contest(purchases, customers=30, seed=1, without=names)
    assert not set(names) & set(other.master.customers)


def test_too_many_are_refused(purchases):
    with pytest.raises(UsageError, match="cannot be drawn"):
        draw_contest(purchases, customers=81, seed=1)


@pytest.mark.data
@pytest.mark.long
def test_a_contest_of_online_retail(real_data):
    frame = read_frame(real_data / "online_retail.parquet")
    purchases = retail_purchases(frame, last_day=date(2011, 11, 30))
    drawn = draw_contest(purchases, customers=500, seed=1)
    assert (drawn.master.frame.height, drawn.months.count) == (500, 12)
    assert smallest_group(drawn.master.frame) >= 2
    assert set(drawn.master.frame["country"]) <= {"United Kingdom", "France", "Germany", "Others"}
    row = drawn.frame.row(0, named=True)
    assert row["invoice"] == "0"
    assert ":" in row["time"]
