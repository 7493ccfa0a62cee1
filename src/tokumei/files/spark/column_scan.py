"""Scans a table on a cluster in one pass: counts, and types of text columns.

    scan = scan_columns(table, ["age", "sex"])
    scan.rows, scan.tuples              # exact, and approximate
    scan, tuples = scan_and_count_tuples(table, ["age", "sex"], most=1_000_000)      # both exact

The types are those of `files/column_types.py`, decided by all cells; but a column that would be
written otherwise than it stands there stays text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from tokumei.files.spark.distinct_tuples import DistinctTuples, count_tuples, hash_tuple
from tokumei.files.spark.table_files import SparkTable, column_by_name

if TYPE_CHECKING:
    from pyspark.sql import Column

INTEGER_PATTERN = r"^(0|-?[1-9][0-9]*)$"
REAL_PATTERN = r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
DATE_PATTERN = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$"
DISTINCT_COUNT_ERROR = 0.02
"""The relative standard error of estimated numbers of distinct values."""
NO_PATTERNS: Mapping[str, str] = {}
_TYPE_PREFIX, _MATCH_PREFIX = "tokumei_kind_", "tokumei_like_"
HAS_CELLS, NOT_INTEGER, NOT_REAL, NOT_DIGITS, NOT_DATE = (1 << bit for bit in range(5))


@dataclass(frozen=True)
class ColumnScan:
    """How many rows, about how many tuples, and the Spark type of each text column asked for."""

    rows: int
    tuples: int
    types: dict[str, str] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    """How many cells of some columns are as `like` said."""


def scan_columns(
    table: SparkTable,
    columns: Sequence[str],
    *,
    types: Sequence[str] = (),
    like: Mapping[str, str] = NO_PATTERNS,
) -> ColumnScan:
    """Count, and find the `types` of text.

    `like`: regular expressions by column, whose cells are counted.
    """
    from pyspark.sql import functions as f

    rows, tuples = f.count("*"), f.approx_count_distinct(hash_tuple(columns), DISTINCT_COUNT_ERROR)
    aggregates = _scan_aggregates(table, types, like)
    named_aggregates = [column.alias(name) for name, column in aggregates.items()]
    result = pl.DataFrame(pl.from_arrow(table.frame.agg(rows, tuples, *named_aggregates).toArrow()))
    counts = result.row(0)
    return ColumnScan(counts[0], counts[1], _types_by_column(result), _match_counts(result, like))


def scan_and_count_tuples(
    table: SparkTable,
    columns: Sequence[str],
    *,
    most: int,
    key: Sequence[str] = (),
    types: Sequence[str] = (),
    as_text: Sequence[str] = (),
    like: Mapping[str, str] = NO_PATTERNS,
) -> tuple[ColumnScan, DistinctTuples | None]:
    """The same and, in the same pass, the tuples themselves if they are no more than `most`."""
    aggregates = _scan_aggregates(table, types, like)
    tuples = count_tuples(table, columns, key=key, beside=aggregates, most=most, as_text=as_text)
    if tuples.cells.height > most:
        return scan_columns(table, columns, types=types, like=like), None
    result = tuples.beside
    return ColumnScan(
        tuples.rows, tuples.cells.height, _types_by_column(result), _match_counts(result, like)
    ), tuples


def first_rows_as_text(table: SparkTable, count: int) -> pl.DataFrame:
    """Some rows as text, whichever come first."""
    limited = table.frame.limit(count)
    texts = limited.select(
        [column_by_name(name).cast("string").alias(name) for name in limited.columns]
    )
    return pl.DataFrame(pl.from_arrow(texts.toArrow()))


def cast_columns(table: SparkTable, types: dict[str, str]) -> SparkTable:
    """The table with these columns cast."""
    casts = {
        name: column_by_name(name).cast(kind) for name, kind in types.items() if kind != "string"
    }
    return table.with_frame(table.frame.withColumns(casts)) if casts else table


def _scan_aggregates(
    table: SparkTable, types: Sequence[str], like: Mapping[str, str]
) -> dict[str, Column]:
    """Aggregates that count the cells; of Parquet the types are known."""
    from pyspark.sql import functions as f

    typed_names = types if table.is_text else ()
    kinds = {_TYPE_PREFIX + name: f.bit_or(_type_bits(name)) for name in typed_names}
    match_counts = {
        _MATCH_PREFIX + name: f.count_if(column_by_name(name).cast("string").rlike(text))
        for name, text in like.items()
    }
    return kinds | match_counts


def _type_bits(name: str) -> Column:
    """Bits: there is a cell, and which types it cannot have without being written otherwise."""
    from pyspark.sql import functions as f

    cell = column_by_name(name)
    is_integer, double = cell.rlike(INTEGER_PATTERN), cell.try_cast("double")
    rules = {
        NOT_INTEGER: is_integer & cell.try_cast("bigint").isNotNull(),
        NOT_REAL: cell.rlike(REAL_PATTERN) & (double.cast("string") == cell),
        NOT_DIGITS: is_integer,
        NOT_DATE: cell.rlike(DATE_PATTERN) & cell.try_cast("date").isNotNull(),
    }
    bits = f.lit(HAS_CELLS)
    for bit, rule in rules.items():
        bits = bits + f.when(rule, 0).otherwise(bit)
    return f.when(cell.isNotNull(), bits).otherwise(0)


def _match_counts(result: pl.DataFrame, like: Mapping[str, str]) -> dict[str, int]:
    return {name: int(result[_MATCH_PREFIX + name].sum()) for name in like}


def _types_by_column(result: pl.DataFrame) -> dict[str, str]:
    """The types of all columns whose bits were asked for."""
    names = [name for name in result.columns if name.startswith(_TYPE_PREFIX)]
    bits = result.select(pl.col(names).bitwise_or()).row(0) if names else ()
    return {
        name.removeprefix(_TYPE_PREFIX): _type_from_bits(b or 0)
        for name, b in zip(names, bits, strict=True)
    }


def _type_from_bits(bits: int) -> str:
    if not bits:
        return "string"
    if not bits & NOT_INTEGER:
        return "bigint"
    # Whole numbers too long for 64 bits would lose digits as reals.
    if not bits & NOT_REAL and bits & NOT_DIGITS:
        return "double"
    return "string" if bits & NOT_DATE else "date"
