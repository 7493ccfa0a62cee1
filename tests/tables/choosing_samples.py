"""What the tests split from test_choosing share."""

from __future__ import annotations

import polars as pl


def members(rows: int = 240, **more: list[object]) -> pl.DataFrame:
    columns = {
        "age": [20 + i * 7 % 40 for i in range(rows)],
        "sex": ["MF"[i % 2] for i in range(rows)],
        **more,
    }
    return pl.DataFrame(columns)
