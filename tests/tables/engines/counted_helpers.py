"""What the tests split from test_counted share."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st

from tokumei.tables.data.column_kinds import schema_for
from tokumei.tables.data.table import Table
from tokumei.tables.data.weighted_rows import COUNT_COLUMN

QI = ["n", "t"]


ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 40),
        st.sampled_from(["a", "b", "c", "d", "e"]),
        st.sampled_from(["x", "y", "z"]),
    ),
    min_size=8,
    max_size=60,
)


def tables(rows):
    """All rows, and each distinct one with its count."""
    whole = pl.DataFrame(rows, schema={"n": pl.Int64, "t": pl.String, "s": pl.String}, orient="row")
    whole = whole.sort(pl.all())
    few = whole.group_by(pl.all(), maintain_order=True).len(COUNT_COLUMN)
    return [Table(frame, schema_for(frame, qi=QI)) for frame in (whole, few)]
