"""What the tests split from test_gaps_and_texts share."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
from hypothesis import strategies as st

from tokumei.core.randomness import Randomness
from tokumei.tables.data.table import Release, Table

SEEDS = st.integers(0, 2**32)


def gappy(seed: int, rows: int = 30) -> Table:
    chance = random.Random(seed)
    cells: dict[str, list[Any]] = {
        "q": [chance.choice(["x", "y", None]) for _ in range(rows)],
        "pay": [chance.choice([1, 2, 5, 9, None]) for _ in range(rows)],
        "ill": [chance.choice(["flu", "cold", "asthma", None]) for _ in range(rows)],
    }
    dtypes = {"pay": pl.Int64, "ill": pl.String, "q": pl.String}
    return Table.of(pl.DataFrame(cells, schema_overrides=dtypes), qi=["q"], sa=["pay", "ill"])


def made(method: Any, table: Table) -> Release:
    release: Release = method.anonymize(table, rng=Randomness(1), shuffle=False)
    return release


def by_class(frame: pl.DataFrame, name: str) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for key, cell in frame.select("q", name).iter_rows():
        found.setdefault(key, []).append(cell)
    return found
