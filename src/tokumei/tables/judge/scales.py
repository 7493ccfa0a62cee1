"""What makes U1…U6 comparable: each is divided by what it would be if nothing were released.

table_scales(original, cross)["U6"]       # all rows lost

U1: the mean over SA of |mean|; U2: the mean over cross cells and SA of |mean in the cell|; U3: the
mean rows of a cross cell; U4, U5: 1 already; U6: the rows of X.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.tables.data.comparison import CROSS_DEFAULT
from tokumei.tables.data.table import Table


def table_scales(original: Table, cross: Sequence[str] = ()) -> dict[str, float]:
    """The scales of a table's measures; without `cross` the first six QI make the cross table."""
    names = list(cross) or original.schema.qi[:CROSS_DEFAULT]
    values = original.numbers(original.schema.sa)
    cell = original.frame.select(pl.struct(names).rank("dense")).to_series().to_numpy()
    counts = np.bincount(cell.astype(np.int64))[1:]
    sums = [np.bincount(cell.astype(np.int64), weights=column)[1:] for column in values.T]
    means = np.abs(np.array(sums) / counts)
    return {
        "U1": float(np.abs(values.mean(axis=0)).mean()),
        "U2": float(means.mean()),
        "U3": float(counts.mean()),
        "U4": 1.0,
        "U5": 1.0,
        "U6": float(original.rows),
    }
