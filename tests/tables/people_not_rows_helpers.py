"""What the tests split from test_people_not_rows share."""

from __future__ import annotations

import numpy as np
import polars as pl


def visits() -> pl.DataFrame:
    """Thirty people with one to three rows each."""
    rng = np.random.default_rng(4)
    who = np.repeat(np.arange(30), rng.integers(1, 4, 30))
    sexes, towns = rng.integers(0, 2, 30), rng.integers(0, 4, 30)
    return pl.DataFrame(
        {
            "patient": [f"P{i:03d}" for i in who],
            "sex": ["fm"[sexes[i]] for i in who],
            "town": [
                f"t{(towns[i] + moved) % 4}"
                for i, moved in zip(who, rng.random(len(who)) > 0.8, strict=True)
            ],
            "cost": rng.integers(1, 9, len(who)),
        }
    )


def people_by(frame: pl.DataFrame, columns: tuple[str, ...]) -> dict[tuple[object, ...], set[str]]:
    """Who has which cells, row by row."""
    found: dict[tuple[object, ...], set[str]] = {}
    for row in frame.iter_rows(named=True):
        found.setdefault(tuple(row[name] for name in columns), set()).add(row["patient"])
    return found
