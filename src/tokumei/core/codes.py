"""Values as places in a list of values."""

from __future__ import annotations

import numpy as np
import polars as pl


def codes_in(series: pl.Series, names: pl.Series) -> np.ndarray:
    """The place of every cell in `names` (-1 where it is not among them)."""
    places = pl.DataFrame({"name": names, "place": np.arange(len(names), dtype=np.int64)})
    cells = series.alias("name").to_frame()
    found = cells.join(places, on="name", how="left", maintain_order="left")
    return found["place"].fill_null(-1).to_numpy()
