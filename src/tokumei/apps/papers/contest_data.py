"""Builds the data of a contest as paper 001 describes it: drawn customers, a 2-anonymous master.

    purchases = retail_purchases(read_frame("online_retail.parquet"))
    history = draw_contest(purchases, customers=500, seed=1)
    history.rows, history.master            # T and M

Online Retail has neither sex nor age: both are drawn, as they were made up for the contest of 2016.
Countries are abstracted to those of the paper's Table 4. Customers whose sex, decade and country
nobody else has are left out and others drawn for them, as section 2.4 says.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.randomness import Randomness
from tokumei.histories.data.history import History
from tokumei.histories.formats.online_retail import clean_online_retail, to_trimmed_text
from tokumei.pseudonyms.data.noise import format_prices, format_quantities
from tokumei.pseudonyms.data.period_history import MASTER_COLUMNS, CustomerMaster, PeriodHistory
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, PeriodRows

NAMED_COUNTRIES = ("United Kingdom", "France", "Germany")
OTHER_COUNTRIES = "Others"
SEXES, SEX_SHARES = ("f", "m"), (0.5, 0.5)
DECADES = tuple(range(1930, 1990, 10))
BLANK_INVOICE, NO_TIME_KNOWN = "0", "0:00"


@dataclass(frozen=True, eq=False)
class ContestPurchases:
    """Cleaned purchases as a contest's cells but for numbers, and the country of each customer."""

    rows: pl.DataFrame
    countries: dict[str, str]


def retail_purchases(
    frame: pl.DataFrame, *, cleaning: str = "pwscup", last_day: date | None = None
) -> ContestPurchases:
    """The purchases of Online Retail after cleaning, until a day."""
    cleaned = clean_online_retail(frame, cleaning=cleaning)
    rows = cleaned.purchases.with_columns(
        time=cleaned.moments.dt.strftime("%-H:%M"), price=pl.col("price").round(2)
    )
    if last_day is not None:
        rows = rows.filter(pl.col("day") <= last_day)
    customers = to_trimmed_text(frame["CustomerID"]).str.replace(r"\.0+$", "")
    pairs = zip(customers.to_list(), to_trimmed_text(frame["Country"]).to_list(), strict=True)
    countries = {str(customer): str(country) for customer, country in pairs if customer}
    return ContestPurchases(rows, countries)


def history_purchases(history: History) -> ContestPurchases:
    """The purchases of any history, which tells neither times nor countries."""
    rows = history.frame.with_columns(
        pl.lit(NO_TIME_KNOWN).alias("time"), pl.col("price") / 10**history.decimals
    )
    return ContestPurchases(rows.with_columns(pl.col("customer").cast(pl.String)), {})


def draw_contest(
    purchases: ContestPurchases,
    *,
    customers: int,
    seed: int | None,
    without: Collection[str] = (),
) -> PeriodHistory:
    """T and M of so many drawn customers, none of `without`."""
    everybody = purchases.rows["customer"].unique().sort()
    free = everybody.filter(~everybody.is_in(list(without)))
    rng = Randomness(seed).child("contest")
    order = rng.child("customers").generator.permutation(len(free))
    master = _draw_master(free[order], purchases.countries, customers, rng.child("master"))
    chosen = master["customer"].to_list()
    rows = purchases.rows.filter(pl.col("customer").is_in(chosen))
    return PeriodHistory.of(PeriodRows(_contest_cells(rows)), CustomerMaster(master))


def _contest_cells(rows: pl.DataFrame) -> pl.DataFrame:
    """The seven text columns of T; the invoice is blanked, as in the contest."""
    return rows.select(
        "customer",
        pl.lit(BLANK_INVOICE).alias("invoice"),
        pl.col("day").dt.strftime("%Y/%-m/%-d"),
        "time",
        pl.col("item").cast(pl.String),
        format_prices(rows["price"].to_numpy()),
        format_quantities(rows["quantity"].to_numpy()),
    ).select(pl.col(PERIOD_COLUMNS).cast(pl.String))


def _draw_master(
    candidates: pl.Series, countries: dict[str, str], wanted: int, rng: Randomness
) -> pl.DataFrame:
    """The first candidates whose sex, decade and country somebody else among them has, too."""
    draw = rng.generator
    described = pl.DataFrame(
        {
            "customer": candidates,
            "sex": draw.choice(SEXES, len(candidates), p=SEX_SHARES),
            "birth": [f"{decade}/1/1" for decade in draw.choice(DECADES, len(candidates))],
            "country": [_abstract_country(countries.get(name, "")) for name in candidates],
        }
    )
    for count in range(wanted, described.height + 1):
        drawn = described.head(count)
        kept = _trim_groups(drawn.filter(pl.len().over(MASTER_COLUMNS[1:]) > 1), wanted)
        if kept.height == wanted:
            return kept.sort("customer")
    raise UsageError(
        "{wanted:,} customers with a 2-anonymous master cannot be drawn; there are {people:,}",
        wanted=wanted,
        people=len(candidates),
    )


def _trim_groups(kept: pl.DataFrame, wanted: int) -> pl.DataFrame:
    """At most so many customers, every combination still at least twice."""
    while kept.height > wanted:
        sizes = kept.select(pl.len().over(MASTER_COLUMNS[1:])).to_series().to_numpy()
        spare = np.flatnonzero(sizes > 2)
        if not len(spare):
            break
        kept = kept.filter(pl.int_range(pl.len()) != int(spare[-1]))
    return kept


def _abstract_country(country: str) -> str:
    return country if country in NAMED_COUNTRIES else OTHER_COUNTRIES
