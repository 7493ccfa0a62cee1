"""What the tests split from test_advice share."""

from __future__ import annotations

import polars as pl

from tokumei.advice import Purpose

ILL = ("cold", "flu", "asthma", "none")


def people(rows: int = 120) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "full name": [f"Alice Miller{i}" for i in range(rows)],
            "age": [20 + i * 7 % 41 for i in range(rows)],
            "sex": ["MF"[i * 5 % 7 % 2] for i in range(rows)],
            "zip code": [f"{10000 + i * 37 % 23 * 100}" for i in range(rows)],
            "diagnosis": [ILL[i * 11 % 13 % 4] for i in range(rows)],
        }
    )


PARTNER = Purpose("partner", known=("age", "sex", "zip code"), keep=("diagnosis",))
