"""What the tests split from test_gap_cells share."""

from __future__ import annotations

from typing import Any

import polars as pl

from tokumei.tables.data.cell_reader import ColumnReader
from tokumei.tables.hierarchies.hierarchy import Hierarchy

AGES = [None, 20, 25, 30, 60]


def inside(values: list[Any], cell: str, tree: Hierarchy | None = None) -> list[str | None]:
    """The original's values (as text) behind a cell."""
    original = pl.Series("q", values)
    reader = ColumnReader.of(original, pl.Series("q", [cell, "*"]), tree)
    return reader.values.filter(pl.Series(reader.covered(reader.read(cell)))).to_list()
