"""Tests of tokumei.pseudonyms.attackers.challenge."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.data.purchase_text_cells import PERIOD_COLUMNS, Months, PeriodRows


@pytest.mark.data
def test_profiles_link_half_years(real_data):
    columns = ["customer", "day", "item", "price", "quantity"]
    frame = pl.read_csv(
        real_data / "pwscup2018" / "T.csv",
        has_header=False,
        infer_schema=False,
        new_columns=columns,
    )
    blank = pl.lit("").alias("invoice"), pl.lit("").alias("time")
    rows = PeriodRows(frame.with_columns(blank).select(PERIOD_COLUMNS))
    months = Months.spanning(rows.days)
    early = months.of(rows.days) < 6
    both = set(rows.take(early).people) & set(rows.take(~early).people)
    customers = pl.Series("customer", sorted(both))
    assert len(customers) == 447
    chosen = rows.cells["customer"].is_in(customers.implode()).to_numpy()
    known, late = rows.take(early & chosen), rows.take(~early & chosen)
    order = np.random.default_rng(1).permutation(len(customers))
    names = {customer: f"p{order[place]:03d}" for place, customer in enumerate(customers)}
    public = PeriodRows(late.cells.with_columns(pl.col("customer").replace_strict(names))).public()
    owner = np.argsort(order)
    sides = PublicAndKnownRows.of(public, known, customers=customers, months=months)
    scores = Profile().scores(sides, np.ones((sides.months, sides.pseudonyms), dtype=bool))
    top = scores.score_table(np.arange(447), np.arange(447)).argmax(axis=0)
    assert (top == owner).mean() >= 0.47
    guess = Profile().attack(public, known, customers=customers, months=months, rng=Randomness(1))
    found = guess.table.codes.max(axis=1)
    assert (found == order).mean() >= 0.60
