"""Distinct tuples of a table on a cluster, counted there and brought to the driver.

    tuples = count_tuples(table, ["age", "sex"])
    tuples.cells                        # in their types, with counts

Only distinct tuples travel. Their types are decided here as the local reader decides them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from tokumei.files.column_names import COUNT
from tokumei.files.column_types import typed
from tokumei.files.spark.files import SparkTable, quoted

if TYPE_CHECKING:
    from pyspark.sql import Column

KEY = "tokumei_key"


@dataclass(frozen=True, eq=False)
class Tuples:
    """Distinct rows of some columns of a table on a cluster, here.

    `source` has the cells as they stand there and their key (text `1.0` and `1.00` apart), `cells`
    the same in their types, with counts; row i of one is row i of the other.
    """

    source: pl.DataFrame
    cells: pl.DataFrame
    hashed: tuple[str, ...]
    """The columns that the key is of."""
    beside: pl.DataFrame = field(default_factory=pl.DataFrame)
    """What else was asked of the rows of each tuple."""

    @property
    def rows(self) -> int:
        """How many rows of the table they stand for."""
        return int(self.cells[COUNT].sum())


def count_tuples(
    table: SparkTable,
    columns: Sequence[str],
    *,
    key: Sequence[str] = (),
    beside: Mapping[str, Column] | None = None,
    most: int | None = None,
) -> Tuples:
    """The distinct tuples of `columns`, with counts and the key of `key` (default: all).

    `beside`: further aggregates of the rows of each tuple. If there are more than `most` tuples,
    any `most` + 1 of them.
    """
    from pyspark.sql import functions as f

    more = {name: column.alias(name) for name, column in (beside or {}).items()}
    counted = table.frame.groupBy([quoted(name) for name in columns]).agg(
        f.count("*").alias(COUNT), *more.values()
    )
    if most is not None:
        counted = counted.limit(most + 1)
    arrow = counted.withColumn(KEY, tuple_key(key or columns)).toArrow()
    found = pl.DataFrame(pl.from_arrow(arrow))
    cells = found.select(columns)
    if table.is_text:
        cells = typed(cells)
    cells = cells.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None), found[COUNT])
    return Tuples(found.select(*columns, KEY), cells, tuple(key or columns), found.select(*more))


def tuple_key(columns: Sequence[str]) -> Column:
    """A hash of the cells of a row; whether a cell is missing counts, too."""
    from pyspark.sql import functions as f

    cells = [quoted(name) for name in columns]
    return f.xxhash64(*cells, *(cell.isNull() for cell in cells))
