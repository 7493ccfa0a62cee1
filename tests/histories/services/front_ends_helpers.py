"""What the tests split from test_front_ends share."""

from __future__ import annotations

import numpy as np
import polars as pl

ROWS, CUSTOMERS = 120, 12


def purchases() -> pl.DataFrame:
    draw = np.random.default_rng(5)
    days = np.datetime64("2024-01-05") + draw.integers(0, 90, ROWS)
    return pl.DataFrame(
        {
            "customer": [f"c{n % CUSTOMERS:02d}" for n in range(ROWS)],
            "day": [str(day) for day in days],
            "item": [f"{n:03d}" for n in draw.integers(0, 9, ROWS) * 31],
            "price": draw.integers(100, 2500, ROWS) / 10,
            "quantity": draw.integers(1, 9, ROWS),
        }
    )
