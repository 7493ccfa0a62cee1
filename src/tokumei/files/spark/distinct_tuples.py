"""Collects the distinct tuples of a table on a cluster; numbers rows in file order.

    tuples = count_tuples(table, ["age", "sex"])
    tuples.cells                        # in their types, with counts

    numbered(session.read.text("hdfs:///sales"))        # column tokumei_number: 0, 1, …

Only distinct tuples travel. Their types are decided here as the local reader decides them. Files
come in the order of their names; a number depends neither on how they are cut into partitions nor
on how many workers there are, so it can be computed again when one fails.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote

import polars as pl

from tokumei.files.column_types import infer_column_types
from tokumei.files.frame_conversion import COUNT_COLUMN
from tokumei.files.spark.table_files import (
    SparkTable,
    column_by_name,
    minus_zero_flags,
    restore_minus_zeros,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

KEY_COLUMN = "tokumei_key"
NUMBER_COLUMN = "tokumei_number"
_FILE, _BLOCK, _ID, _FIRST, _BEFORE = (
    f"tokumei_{name}" for name in ("file", "block", "id", "first", "before")
)
_SPLITS_SETTING = "spark.sql.files.minPartitionNum"


@dataclass(frozen=True, eq=False)
class DistinctTuples:
    """Distinct rows of some columns of a table on a cluster, here.

    `source` has the cells as they stand there and their key (text `1.0` and `1.00` apart), `cells`
    the same in their types, with counts; row i of one is row i of the other.
    """

    source: pl.DataFrame
    cells: pl.DataFrame
    hashed: tuple[str, ...]
    """The columns that the key is of."""
    beside: pl.DataFrame = field(default_factory=pl.DataFrame)
    """The further aggregates of the rows of each tuple."""

    @property
    def rows(self) -> int:
        """How many rows of the table they stand for."""
        return int(self.cells[COUNT_COLUMN].sum())


def count_tuples(
    table: SparkTable,
    columns: Sequence[str],
    *,
    key: Sequence[str] = (),
    beside: Mapping[str, Column] | None = None,
    most: int | None = None,
    as_text: Sequence[str] = (),
) -> DistinctTuples:
    """The distinct tuples of `columns`, with counts and the key of `key` (default: all).

    `beside`: further aggregates of the rows of each tuple. If there are more than `most` tuples,
    any `most` + 1 of them. Columns `decode_categories` stay as they are written.
    """
    from pyspark.sql import functions as f

    aggregates = {name: column.alias(name) for name, column in (beside or {}).items()}
    zero_columns = minus_zero_flags(table.frame, as_text)
    counted = table.frame.groupBy([column_by_name(name) for name in columns] + zero_columns).agg(
        f.count("*").alias(COUNT_COLUMN), *aggregates.values()
    )
    if most is not None:
        counted = counted.limit(most + 1)
    arrow = counted.withColumn(KEY_COLUMN, hash_tuple(key or columns)).toArrow()
    tuples = restore_minus_zeros(pl.DataFrame(pl.from_arrow(arrow)))
    cells = tuples.select(columns)
    if table.is_text:
        cells = infer_column_types(cells).with_columns(tuples.select(as_text))
    cells = cells.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None), tuples[COUNT_COLUMN])
    return DistinctTuples(
        tuples.select(*columns, KEY_COLUMN),
        cells,
        tuple(key or columns),
        tuples.select(*aggregates),
    )


def hash_tuple(columns: Sequence[str]) -> Column:
    """A hash of the cells of a row; whether a cell is missing counts, too."""
    from pyspark.sql import functions as f

    cells = [column_by_name(name) for name in columns]
    return f.xxhash64(*cells, *(cell.isNull() for cell in cells))


def digest_rows(frame: DataFrame) -> bytes:
    """A digest of all cells and the places of their rows, for chance that depends on the source."""
    from pyspark.sql import functions as f

    cells = [f.coalesce(column_by_name(name).cast("string"), f.lit("\0")) for name in frame.columns]
    row_id = f.monotonically_increasing_id()
    row_hashes = [f.xxhash64(f.lit(number), row_id, *cells) for number in range(4)]
    hashed = frame.select(*(word.alias(f"tokumei_word_{n}") for n, word in enumerate(row_hashes)))
    sums = [f.sum(f.col(name).cast("decimal(38,0)")).cast("string") for name in hashed.columns]
    return json.dumps([frame.columns, *hashed.agg(*sums).collect()[0]]).encode()


def number_rows(frame: DataFrame) -> DataFrame:
    """A frame that was just read from files, with the number of every row."""
    from pyspark.sql import functions as f

    session = frame.sparkSession
    # It cuts files alike in all jobs from now on, although workers come and go.
    if session.conf.get(_SPLITS_SETTING, None) is None:
        session.conf.set(_SPLITS_SETTING, str(session.sparkContext.defaultParallelism))
    rows = frame.select(
        "*",
        f.col("_metadata.file_path").alias(_FILE),
        f.col("_metadata.file_block_start").alias(_BLOCK),
        # The rows of a block follow each other in one partition, and so do these numbers.
        f.monotonically_increasing_id().alias(_ID),
    )
    block_starts = f.broadcast(session.createDataFrame(_file_blocks(rows).to_arrow()))
    joined = rows.join(block_starts, [_FILE, _BLOCK])
    number = f.col(_ID) - f.col(_FIRST) + f.col(_BEFORE)
    return joined.withColumn(NUMBER_COLUMN, number).select(
        *map(column_by_name, frame.columns), NUMBER_COLUMN
    )


def _file_blocks(rows: DataFrame) -> pl.DataFrame:
    """The blocks of all files in order: the first number in each, and the rows before it."""
    from pyspark.sql import functions as f

    counted = rows.groupBy(_FILE, _BLOCK).agg(f.min(_ID).alias(_FIRST), f.count("*").alias(_BEFORE))
    # Spark tells paths as URLs, in which a space would come after an exclamation mark.
    path = pl.col(_FILE).map_elements(unquote, return_dtype=pl.String)
    blocks = pl.DataFrame(pl.from_arrow(counted.toArrow())).sort(path, _BLOCK)
    return blocks.with_columns(pl.col(_BEFORE).cum_sum() - pl.col(_BEFORE))
