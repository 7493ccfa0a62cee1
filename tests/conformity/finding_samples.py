"""What the tests split from test_finding share."""

from __future__ import annotations

import numpy as np
import polars as pl

import tokumei as tk
from tokumei.conformity.finding import Verdict

ROWS = 120


def case(frame: pl.DataFrame, **roles: object) -> tk.conformity.ConformityCase:
    text = frame.select(pl.all().cast(pl.String))
    return tk.conformity.ConformityCase(
        text, np.arange(frame.height) + 2, tk.conformity.Roles(**roles)
    )


def people(**more: list[str]) -> pl.DataFrame:
    base = {
        "age": [f"{20 + i % 4 * 10}" for i in range(ROWS)],
        "sex": ["MF"[i % 2] for i in range(ROWS)],
    }
    return pl.DataFrame({**base, **more})


def verdicts(frame: pl.DataFrame, **roles: object) -> dict[str, Verdict]:
    return {one.id: one.verdict for one in tk.conform(case(frame, **roles)).findings}
