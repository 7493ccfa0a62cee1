"""Pseudonyms over time: the judge's seven utilities, and scoring a guess."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl

from bench.harness import Result, best_of
from tokumei.pseudonyms.data.period_history import PeriodHistory
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows
from tokumei.pseudonyms.data.sample_data import sample_periods
from tokumei.pseudonyms.formats.pws2017 import read_master, read_rows
from tokumei.pseudonyms.measures.contest_measures import score_measures
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores

CONTEST_ROWS = 44_917
LARGE = 1_000_000


def results() -> list[Result]:
    return [*_generated(), *_real()]


def _generated() -> list[Result]:
    contest = sample_periods(CONTEST_ROWS, seed=1)
    large = sample_periods(LARGE, seed=1)
    return [
        *_measured(contest, f"{CONTEST_ROWS:,} generated rows", "≤ 1 s"),
        *_measured(large, f"{LARGE:,} generated rows", ""),
    ]


def _real() -> list[Result]:
    """The contest's data, where it is at hand."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TOKUMEI_DATA", beside)) / "pwscup2017"
    if not folder.exists():
        return []
    source = PeriodHistory.of(read_rows(folder / "T.csv"), read_master(folder / "M.csv"))
    return _measured(source, f"contest of 2017 ({CONTEST_ROWS:,} rows)", "≤ 1 s")


def _measured(source: PeriodHistory, what: str, target: str) -> list[Result]:
    released = monthly(source.rows)
    truth = PseudonymTable.of_rows(
        source.rows, released, customers=source.master.customers, months=source.months
    )
    floor = best_of(3, lambda: _pairs_once(source.rows, released))
    utilities = best_of(3, lambda: _utilities(source, released))
    guess = best_of(3, lambda: reid_scores(GuessClaims.of_table(truth, truth)))
    name = "Polars: distinct (user, item) of both sides"
    return [
        Result(f"nine utilities, monthly pseudonyms, {what}", utilities, floor, name, target),
        Result(f"scoring a guess, {what}", guess, None, "", ""),
    ]


def monthly(rows: PeriodRows) -> PeriodRows:
    """A new pseudonym for every customer and month, nothing else."""
    month = pl.col("day").str.replace(r"/\d+$", "").str.replace("/", "_")
    return PeriodRows(rows.cells.with_columns(customer=pl.format("p{}_{}", "customer", month)))


def _utilities(source: PeriodHistory, released: PeriodRows) -> None:
    # New objects, so that nothing kept from an earlier run helps.
    original = PeriodRows(source.rows.cells)
    score_measures(PeriodCase(original, PeriodRows(released.cells), source.master))


def _pairs_once(*sides: PeriodRows) -> None:
    """The least any of them must do: who bought what, on both sides."""
    for side in sides:
        side.cells.group_by("customer", "item").len()
