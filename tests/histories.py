"""Histories for tests: the paper's, small random ones, and the contest's own."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import polars as pl
from hypothesis import strategies as st

from tokumei.data.history import COLUMNS, History

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
    """Few customers, items, days and prices, so that ties and repetitions are common."""
    row = st.tuples(
        st.integers(1, customers).map(lambda n: f"c{n}"),
        st.integers(0, 9).map(lambda n: START + timedelta(days=n)),
        st.integers(1, items).map(lambda n: f"i{n}"),
        st.sampled_from([0.42, 0.85, 1.25, 2.0, 300.0]),
        st.integers(1, 5),
    )
    return st.lists(row, min_size=least, max_size=most)
