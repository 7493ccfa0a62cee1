"""Generates histories with customers: `sample_periods(45_000, seed=1)`.

In the shape of the files of PWSCUP 2017: twelve months of a shop, times of day, and a list of
customers by sex, decade of birth and country. No value comes from them.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.datasets.purchases import sample_purchases
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.noise import format_prices, format_quantities, format_times
from tokumei.pseudonyms.data.period_history import CustomerMaster, PeriodHistory
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows

BLANK_INVOICE = "0"
_SEXES, _SEX_SHARES = ("f", "m"), (0.82, 0.18)
_DECADES, _DECADE_SHARES = range(1940, 2000, 10), (0.05, 0.16, 0.31, 0.29, 0.14, 0.05)
_COUNTRIES = ("Japan", "Korea", "Taiwan", "Others")
_COUNTRY_SHARES = (0.9, 0.04, 0.03, 0.03)
_OPEN, _CLOSE, _MIDDLE = 8 * 60, 20 * 60 - 1, 12 * 60 + 40
_HABIT_SPREAD, _VISIT_SPREAD = 100.0, 60.0


def sample_periods(
    rows: int,
    *,
    customers: int | None = None,
    items: int | None = None,
    invoices: bool = False,
    seed: int | None = None,
) -> PeriodHistory:
    """Exactly `rows` purchases in twelve months, and their customers.

    Every combination of sex, decade and country has at least two customers. Invoices are blanked
    to 0, as in the contest, unless `invoices` asks for real ones.
    """
    bought, _ = sample_purchases(rows, customers=customers, items=items, seed=seed)
    rng = Randomness(seed).child("periods")
    cells = bought.select(
        "customer",
        pl.col("basket").alias("invoice") if invoices else pl.lit(BLANK_INVOICE).alias("invoice"),
        pl.col("day").dt.strftime("%Y/%-m/%-d"),
        _draw_times(bought, rng.child("times")),
        "item",
        format_prices(bought["price"].to_numpy()),
        format_quantities(bought["quantity"].to_numpy()),
    )
    master = draw_customers(bought["customer"].unique().sort(), rng.child("master"))
    return PeriodHistory.of(PeriodRows(cells.select(PERIOD_COLUMNS)), master)


def draw_customers(customers: pl.Series, rng: Randomness) -> CustomerMaster:
    """Customers with sex, decade of birth and country, no combination of them alone."""
    people, draw = len(customers), rng.generator
    sex = draw.choice(len(_SEXES), people, p=_SEX_SHARES)
    decade = draw.choice(len(_DECADES), people, p=_DECADE_SHARES)
    country = draw.choice(len(_COUNTRIES), people, p=_COUNTRY_SHARES)
    combination = (sex * len(_DECADES) + decade) * len(_COUNTRIES) + country
    counts = np.bincount(combination)
    # Whoever would stand alone is like most others.
    combination[counts[combination] == 1] = counts.argmax()
    rest, country = np.divmod(combination, len(_COUNTRIES))
    sex, decade = np.divmod(rest, len(_DECADES))
    return CustomerMaster(
        pl.DataFrame(
            {
                "customer": customers,
                "sex": [_SEXES[place] for place in sex],
                "birth": [f"{_DECADES[place]}/1/1" for place in decade],
                "country": [_COUNTRIES[place] for place in country],
            }
        )
    )


def _draw_times(bought: pl.DataFrame, rng: Randomness) -> pl.Series:
    """One time for each basket, near the hour at which its customer likes to buy."""
    draw = rng.generator
    customer = bought["customer"].rank("dense").to_numpy() - 1
    basket = bought["basket"].rank("dense").to_numpy() - 1
    habit = draw.normal(_MIDDLE, _HABIT_SPREAD, int(customer.max()) + 1)
    visit_offset = draw.normal(0, _VISIT_SPREAD, int(basket.max()) + 1)
    minutes = np.rint(habit[customer] + visit_offset[basket]).astype(np.int64)
    return format_times(np.clip(minutes, _OPEN, _CLOSE))
