"""What the tests split from test_strangers share."""

from __future__ import annotations

import polars as pl

ROWS = 120


def people(**more: list[object]) -> pl.DataFrame:
    """Ages and sexes of one row per person, and what else there is."""
    base = {
        "age": [20 + i * 7 % 50 for i in range(ROWS)],
        "sex": ["FM"[i % 2] for i in range(ROWS)],
    }
    return pl.DataFrame({**base, **more})
