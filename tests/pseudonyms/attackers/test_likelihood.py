"""Tests of tokumei.pseudonyms.attackers.likelihood."""

from __future__ import annotations

import polars as pl

from support.small_contests import coarse, contest, rate, release
from tokumei.pseudonyms.attackers.likelihood import Likelihood, estimate_rates
from tokumei.pseudonyms.attackers.scoreboard import ScoreboardAttack
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows


def test_deleted_rows_and_single_attacks():
    rows = contest(seed=3)
    released = release(rows, delete=0.3)
    known = coarse(rows, 0.6)
    assert rate(Likelihood(), rows, released, known) > 0.7
    assert rate(ScoreboardAttack(), rows, released, known) > 0.6


def test_exchanged_pseudonyms_do_not_mislead_the_likelihood():
    rows = contest(seed=4, people=30)
    released = release(rows)
    months = Months.spanning(rows.days)
    names = released.cells["customer"].to_list()
    period = months.of(rows.days)
    again = {}
    for place, name in enumerate(names):
        key = period[place], name
        again.setdefault(key, f"x{sum(month == key[0] for month, _ in again):03d}")
    reused = [again[period[place], name] for place, name in enumerate(names)]
    exchanged = PeriodRows(released.cells.with_columns(pl.Series("customer", reused)))
    assert rate(Likelihood(), rows, exchanged, coarse(rows, 1.0)) > 0.85


def test_rates_are_those_of_the_files_where_they_have_all_lines():
    rows = contest()
    known = coarse(rows, 0.5)
    rates = estimate_rates(release(rows, delete=0.2).public(), known)
    assert rates.known == known.kept.mean()
    assert 0.1 < rates.deleted < 0.3
    assert estimate_rates(release(rows).public(), known.take(known.kept)).deleted == 0.1
