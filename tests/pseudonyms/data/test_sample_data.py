"""Look-alike histories with customers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.sample_data import draw_customers, sample_periods


def test_a_year_of_purchases_with_times_and_customers():
    made = sample_periods(3000, customers=50, seed=1)
    assert made.rows.rows == 3000
    assert made.months.count == 12
    assert len(made.master.customers) == len(made.rows.people) == 50
    assert set(made.rows.cells["invoice"]) == {"0"}
    assert made.rows.cells["price"].str.contains(r"^\d{1,5}(\.\d{1,2})?$").all()
    assert made.rows.cells["quantity"].str.contains(r"^\d{1,6}$").all()
    assert ((made.rows.minutes >= 480) & (made.rows.minutes < 1200)).all()


def test_a_basket_has_one_customer_one_day_and_one_time():
    cells = sample_periods(3000, customers=50, invoices=True, seed=1).rows.cells
    parts = cells.group_by("invoice").agg(pl.col("customer", "day", "time").n_unique())
    assert parts.height > 100
    assert (parts.drop("invoice").to_numpy() == 1).all()


def test_a_customers_time_of_day_is_a_habit():
    made = sample_periods(20_000, customers=200, seed=1)
    everyone = made.rows.minutes.std()
    own = [made.rows.minutes[made.person == place].std() for place in range(200)]
    assert np.mean(own) < 0.8 * everyone


@pytest.mark.parametrize("people", [2, 3, 7, 40, 500])
@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_alone_among_the_customers(people, seed):
    names = pl.Series([str(place) for place in range(people)])
    master = draw_customers(names, Randomness(seed))
    assert master.frame.group_by("sex", "birth", "country").len()["len"].min() >= 2
    assert master.customers.to_list() == names.to_list()


def test_seeds_decide():
    one, again = sample_periods(200, seed=1), sample_periods(200, seed=1)
    assert one.rows.cells.equals(again.rows.cells)
    assert one.master.frame.equals(again.master.frame)
    assert not one.rows.cells.equals(sample_periods(200, seed=2).rows.cells)
