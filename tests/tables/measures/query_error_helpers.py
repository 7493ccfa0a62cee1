"""What the tests split from test_query_error share."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table


def numbers_case() -> Comparison:
    x = Table.of(pl.DataFrame({"q": [1, 2, 3, 4, 10]}), qi=["q"])
    y = Table.of(pl.DataFrame({"q": ["[1;2]", "[1;2]", "*", "4", "10"]}), qi=["q"])
    return Comparison(x, y, np.arange(5))
