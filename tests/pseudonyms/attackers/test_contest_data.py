"""The attacks on the contest data: customers found, half years linked."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.attackers.best import BestPseudonymAttack
from tokumei.pseudonyms.attackers.challenge import PublicAndKnownRows
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.data.period_rows import PERIOD_COLUMNS, Months, PeriodRows
from tokumei.pseudonyms.formats.pws2017 import read_period_history, read_rows
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores

NOISE = {"day": 15, "price_noise": 0.1, "quantity_noise": 2}
TARGETS = {
    # release: {alpha: reid_all at least}; within .015 of those heard of at T50 and T75
    "plain": ({}, {25: 0.865, 100: 1.0}),
    "R1 no time": ({**NOISE, "time": "constant"}, {25: 0.79, 100: 0.97}),
    "R1": (NOISE, {25: 0.85, 50: 0.939}),
    "R2 no time": ({**NOISE, "time": "constant", "delete": 0.3}, {25: 0.67, 100: 0.97}),
    "R2": ({**NOISE, "delete": 0.3}, {25: 0.86, 75: 0.975}),
}


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize("name", TARGETS)
def test_best_finds_the_contest_customers(real_data, name):
    folder = real_data / "pwscup2017"
    history = read_period_history(folder / "T.csv", folder / "M.csv")
    params, targets = TARGETS[name]
    made = Pseudonyms(lifetime=1, **params).anonymize(history, rng=Randomness(1))
    for alpha, least in targets.items():
        guess = BestPseudonymAttack().attack(
            made.public,
            read_rows(folder / f"T{alpha}.csv"),
            customers=history.master.customers,
            months=history.months,
            rng=Randomness(1),
        )
        scores = reid_scores(GuessClaims.of_table(guess.table, made.table))
        assert scores["reid_all"].value >= least, alpha


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
    top = scores.table(np.arange(447), np.arange(447)).argmax(axis=0)
    assert (top == owner).mean() >= 0.47
    guess = Profile().attack(public, known, customers=customers, months=months, rng=Randomness(1))
    found = guess.table.codes.max(axis=1)
    assert (found == order).mean() >= 0.60
