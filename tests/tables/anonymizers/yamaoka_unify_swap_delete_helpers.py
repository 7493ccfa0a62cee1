"""What the tests split from test_yamaoka_unify_swap_delete share."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st

from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.protocol import TableMethod
from tokumei.tables.data.table import Release, Table

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9), st.integers(0, 9)), min_size=1)


def table(rows: list[tuple[int, int, int]]) -> Table:
    frame = pl.DataFrame(rows, schema=["q", "s", "t"], orient="row")
    return Table.of(frame, qi=["q"], sa=["s", "t"])


def made_by(method: TableMethod, source: Table, seed: int = 1, **given: Any) -> Release:
    return method.anonymize(source, rng=Randomness(seed), **given)
