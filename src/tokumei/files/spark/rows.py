"""The rows of files on a cluster, numbered in the order of the files.

    rows = numbered(session.read.text("hdfs:///sales"))     # column tokumei_number: 0, 1, …

Files come in the order of their names. A number depends neither on how files are cut into
partitions nor on how many workers there are, so it can be computed again when one fails.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import unquote

import polars as pl

from tokumei.files.spark.files import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NUMBER = "tokumei_number"
_FILE, _BLOCK, _ID, _FIRST, _BEFORE = (
    f"tokumei_{name}" for name in ("file", "block", "id", "first", "before")
)
_SPLITS = "spark.sql.files.minPartitionNum"


def numbered(frame: DataFrame) -> DataFrame:
    """A frame that was just read from files, with the number of every row."""
    from pyspark.sql import functions as f

    _cut_alike(frame.sparkSession)
    rows = frame.select(
        "*",
        f.col("_metadata.file_path").alias(_FILE),
        f.col("_metadata.file_block_start").alias(_BLOCK),
        # The rows of a block follow each other in one partition, and so do these numbers.
        f.monotonically_increasing_id().alias(_ID),
    )
    there = f.broadcast(frame.sparkSession.createDataFrame(_blocks(rows).to_arrow()))
    joined = rows.join(there, [_FILE, _BLOCK])
    number = f.col(_ID) - f.col(_FIRST) + f.col(_BEFORE)
    return joined.withColumn(NUMBER, number).select(*map(quoted, frame.columns), NUMBER)


def rows_digest(frame: DataFrame) -> bytes:
    """A digest of all cells and the places of their rows, for chance that depends on the source."""
    from pyspark.sql import functions as f

    cells = [quoted(name).cast("string") for name in frame.columns]
    place = f.monotonically_increasing_id()
    words = [
        f.xxhash64(f.lit(number), place, *(f.coalesce(c, f.lit("\0")) for c in cells))
        for number in range(4)
    ]
    sums = [f.sum(word.cast("decimal(38,0)")).cast("string") for word in words]
    return json.dumps([frame.columns, *frame.agg(*sums).collect()[0]]).encode()


def _blocks(rows: DataFrame) -> pl.DataFrame:
    """The blocks of all files in order: the first number in each, and the rows before it."""
    from pyspark.sql import functions as f

    counted = rows.groupBy(_FILE, _BLOCK).agg(f.min(_ID).alias(_FIRST), f.count("*").alias(_BEFORE))
    # Spark tells paths as URLs, in which a space would come after an exclamation mark.
    path = pl.col(_FILE).map_elements(unquote, return_dtype=pl.String)
    found = pl.DataFrame(pl.from_arrow(counted.toArrow())).sort(path, _BLOCK)
    return found.with_columns(pl.col(_BEFORE).cum_sum() - pl.col(_BEFORE))


def _cut_alike(session: SparkSession) -> None:
    """From now on the session cuts files alike in all jobs, although workers come and go."""
    if session.conf.get(_SPLITS, None) is None:
        session.conf.set(_SPLITS, str(session.sparkContext.defaultParallelism))
