"""Tables of any number of rows for measuring: Adult drawn again and again, or generated people."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.tables.datasets.households import sample_table


def enlarged(
    rows: int, *, seed: int = 1, changed: float = 0.05
) -> tuple[pl.DataFrame, list[str], str]:
    """Adult's rows drawn again and again and changed a little; generated rows without Adult.

    Each age is moved by up to two years, and a share of the rows gets one QI from another row: the
    more, the more distinct tuples there are.
    """
    adult = adult_data()
    if adult is None:
        made = sample_table(rows, seed=seed)
        return made.frame, made.schema.qi[:8], "auto"
    plain, qi, hierarchies = adult
    random = np.random.default_rng(seed)
    drawn = plain[random.integers(plain.height, size=rows)]
    ages = plain["age"].to_numpy()
    moved = drawn["age"].to_numpy() + random.integers(-2, 3, size=rows)
    drawn = drawn.with_columns(age=pl.Series(moved.clip(ages.min(), ages.max())))
    other = plain[random.integers(plain.height, size=rows)]
    which = np.where(random.random(rows) < changed, random.integers(len(qi), size=rows), -1)
    cells = [other[name].zip_with(pl.Series(which == j), drawn[name]) for j, name in enumerate(qi)]
    return drawn.with_columns(cells), qi, hierarchies


def adult_data() -> tuple[pl.DataFrame, list[str], str] | None:
    """ARX's Adult with its quasi-identifiers and hierarchies, where the data is at hand."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    folder = Path(os.environ.get("TOKUMEI_DATA", beside)) / "adult"
    if not folder.exists():
        return None
    frame = pl.read_csv(folder / "adult.csv", separator=";")
    qi = [name for name in frame.columns if name != "occupation"]
    return frame, qi, str(folder / "adult_hierarchy_{column}.csv")
