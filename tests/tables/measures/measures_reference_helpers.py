"""What the tests split from test_measures_reference share."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table


def _one_column(x: pl.Series, y: pl.Series) -> Comparison:
    frames = [pl.DataFrame({"q": [1] * len(s), "s": s}) for s in (x, y)]
    return _case(frames[0], frames[1], ["s"])


def _case(x: pl.DataFrame, y: pl.DataFrame, sa: list[str]) -> Comparison:
    tables = [Table.of(frame, qi=["q"], sa=sa) for frame in (x, y)]
    return Comparison(tables[0], tables[1], np.arange(x.height))
