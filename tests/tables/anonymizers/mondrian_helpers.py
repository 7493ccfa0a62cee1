"""What the tests split from test_mondrian share."""

from __future__ import annotations

import random
from typing import Any

import polars as pl
from hypothesis import strategies as st

from tokumei.tables.data.table import Table


def table(**qi: Any) -> Table:
    columns = {name: pl.Series(values) for name, values in qi.items()}
    rows = len(next(iter(columns.values())))
    frame = pl.DataFrame(columns).with_columns(s=pl.Series(range(rows)))
    return Table.of(frame, qi=list(qi), sa=["s"])


def random_columns(seed: int) -> dict[str, Any]:
    """4 to 24 rows of whole numbers, letters and quarters, with ties and missing cells."""
    chance = random.Random(seed)
    rows = range(chance.randint(4, 24))
    numbers = [None, *range(-3, 7), 0, 1000]
    return {
        "a": pl.Series([chance.choice(numbers) for _ in rows], dtype=pl.Int64),
        "b": pl.Series([chance.choice([None, *"xyz"]) for _ in rows], dtype=pl.String),
        "c": [chance.randint(-36, 36) / 4 for _ in rows],
    }


tables = st.integers(0, 2**32).map(random_columns)


TEXT_ORDER = {"b": ["x", "y", "z"]}


def positions(values: list[Any]) -> list[float]:
    """Between 0 and 1 by value for numbers, by rank for categories; missing at −1."""
    known = sorted({v for v in values if v is not None})
    at = {v: float(v if not isinstance(v, str) else known.index(v)) for v in known}
    low, high = min(at.values(), default=0.0), max(at.values(), default=0.0)
    return [
        -1.0 if v is None else (at[v] - low) / (high - low) if high > low else 0.0 for v in values
    ]
