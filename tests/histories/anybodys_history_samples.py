"""What the tests split from test_anybodys_history share."""

from __future__ import annotations

import numpy as np
import polars as pl


def like_cdnow(rows: int = 900, customers: int = 120) -> pl.DataFrame:
    """Who, when, how many CDs, for how many dollars; no item."""
    draw = np.random.default_rng(1)
    who = np.concatenate([np.arange(customers), draw.integers(0, customers, rows - customers)])
    days = np.datetime64("1997-01-01") + draw.integers(0, 540, rows)
    return pl.DataFrame(
        {
            "date": [str(day).replace("-", "") for day in days],
            "CustomerNo": [f"{one:05d}" for one in who],
            "cds": draw.integers(1, 8, rows),
            "dollars": draw.lognormal(3, 0.7, rows).round(2),
            "clerk": ["x"] * rows,
        }
    )


COLUMNS = {"customer": "CustomerNo", "day": "date", "quantity": "cds", "price": "dollars"}
