"""What the tests split from test_frames_in_and_out share."""

from __future__ import annotations

from typing import Any

import pandas as pd

ROWS = 60


def visits(**more: Any) -> pd.DataFrame:
    columns = {
        "age": [20 + i % 12 for i in range(ROWS)],
        "sex": pd.Categorical(["MF"[i % 2] for i in range(ROWS)], categories=["M", "F", "secret"]),
        "visits": pd.array([i % 5 if i % 7 else None for i in range(ROWS)], dtype="Int64"),
        "seen": pd.to_datetime([f"2024-01-{1 + i % 3:02d}" for i in range(ROWS)]),
        "paid": [i * 1.5 for i in range(ROWS)],
        "open": [True] * ROWS,
        "shop": pd.array([["A", None][i % 2] for i in range(ROWS)], dtype="string"),
        "score": pd.array([i % 3 for i in range(ROWS)], dtype="int64[pyarrow]"),
        **more,
    }
    return pd.DataFrame(columns, index=[f"row {i}" for i in range(ROWS)])
