"""Brings the distinct cells of a table on a cluster to the release gate, in batches.

Only cells that may identify somebody come to the driver, each once with the number of its rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.release_terms import ReleaseTerms
from tokumei.files.spark.table_files import column_by_name
from tokumei.release_gate.column_cells import CELLS, TEXT, ColumnBatch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BATCH = 100_000
_SHORT_NUMBER = r"^[-+]?\d{0,7}(\.\d*)?([eE][-+]?\d+)?$|^[-+]?0\.\d+([eE][-+]?\d+)?$"


def candidate_batches(frame: DataFrame, terms: ReleaseTerms) -> Iterator[ColumnBatch]:
    """The distinct cells of every column that was not released by name."""
    from pyspark.sql import functions as f

    for name in frame.columns:
        yield ColumnBatch(name, _text_counts([]))
        if name in terms.named:
            continue
        cells = frame.select(column_by_name(name).cast("string").alias(TEXT)).dropna()
        counts = cells.filter(~f.col(TEXT).rlike(_SHORT_NUMBER)).groupBy(TEXT).count()
        rows: list[tuple[str, int]] = []
        for text, count in counts.toLocalIterator():
            rows.append((text, count))
            if len(rows) == BATCH:
                yield ColumnBatch(name, _text_counts(rows))
                rows = []
        yield ColumnBatch(name, _text_counts(rows))


def _text_counts(rows: list[tuple[str, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={TEXT: pl.String, CELLS: pl.UInt32}, orient="row")
