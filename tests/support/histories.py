"""Histories for tests: the paper's, small random ones, and the contest's own."""

from __future__ import annotations

import random
from datetime import date, timedelta
from pathlib import Path

import polars as pl
from hypothesis import strategies as st

from tokumei.histories.data.history import COLUMNS, History

Row = tuple[str, date, str, float, int]
START = date(2010, 12, 1)


def history(rows: list[Row]) -> History:
    """A history from plain rows."""
    return History.of(pl.DataFrame(rows, schema=list(COLUMNS), orient="row"))


def contest_history(folder: Path) -> History:
    """The contest's T."""
    frame = pl.read_csv(
        folder / "pwscup2018" / "T.csv",
        has_header=False,
        new_columns=list(COLUMNS),
        infer_schema=False,
    )
    return History.of(frame)


def rows(
    *, customers: int = 6, items: int = 4, most: int = 24, least: int = 1
) -> st.SearchStrategy[list[Row]]:
    """Few customers, items, days and prices, so that ties and repetitions are common.

    Hypothesis draws a seed only: cell by cell it takes longer than what is tested.
    """

    def row(chance: random.Random) -> Row:
        return (
            f"c{chance.randint(1, customers)}",
            START + timedelta(days=chance.randint(0, 9)),
            f"i{chance.randint(1, items)}",
            chance.choice([0.42, 0.85, 1.25, 2.0, 300.0]),
            chance.randint(1, 5),
        )

    def make(seed: int) -> list[Row]:
        chance = random.Random(seed)
        return [row(chance) for _ in range(chance.randint(least, most))]

    return st.integers(0, 2**32).map(make)
