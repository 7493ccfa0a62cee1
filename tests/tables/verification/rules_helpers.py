"""What the tests split from test_rules share."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

from tokumei.tables.data.table import Release, Table
from tokumei.tables.datasets.households import sample_table

cells = st.none() | st.sampled_from(["[1;2]", "*", "a"])


rows = st.lists(
    st.tuples(cells, st.none() | st.integers(0, 1), st.none() | st.integers(0, 3)), min_size=1
)


def table(given_rows: list[tuple[Any, ...]]) -> Table:
    schema = {"a": pl.String, "b": pl.Int64, "s": pl.Int64}
    return Table.of(pl.DataFrame(given_rows, schema=schema, orient="row"), qi=["a", "b"], sa=["s"])


def vector(row: tuple[Any, ...]) -> str:
    return f"(a={row[0]}, b={row[1]})"


PEOPLE = sample_table(400, seed=1)


def broken(release: Release, column: str, value: Any, row: int = 7) -> Table:
    """The public part with one cell changed."""
    cells = release.public.frame[column].to_list()
    cells[row] = value
    series = pl.Series(column, cells)
    return release.public.with_frame(release.public.frame.with_columns(series))
