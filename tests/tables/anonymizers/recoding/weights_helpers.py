"""What the tests split from test_weights share."""

from __future__ import annotations

import polars as pl

NAMES = ["age", "town"]


def table(rows: int = 90) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "age": [20 + i * 7 % 43 for i in range(rows)],
            "town": [f"T{i * 5 % 31:02}" for i in range(rows)],
        }
    )
