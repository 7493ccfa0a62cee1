"""A first look at a table on a cluster: one pass that counts and decides types of text columns.

    look = look_at(table, ["age", "sex"])
    look.rows, look.tuples              # exact, and about
    look, tuples = counted_look(table, ["age", "sex"], most=1_000_000)      # both exact

The types are those of `files/column_types.py`, decided by all cells; but a column that would be
written otherwise than it stands there stays text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from tokumei.files.spark.files import SparkTable, quoted
from tokumei.files.spark.tuples import Tuples, count_tuples, tuple_key

if TYPE_CHECKING:
    from pyspark.sql import Column

WHOLE = r"^(0|-?[1-9][0-9]*)$"
REAL = r"^[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$"
DAY = r"^[1-9][0-9]{3}-[0-9]{2}-[0-9]{2}$"
PRECISION = 0.02
"""The relative standard error of estimated numbers of distinct values."""
NOTHING: Mapping[str, str] = {}
_KIND, _LIKE = "tokumei_kind_", "tokumei_like_"
CELLS, NOT_WHOLE, NOT_REAL, NOT_DIGITS, NOT_DAY = (1 << bit for bit in range(5))


@dataclass(frozen=True)
class Look:
    """How many rows, about how many tuples, and the Spark type of each text column asked for."""

    rows: int
    tuples: int
    types: dict[str, str] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    """How many cells of some columns are as `like` said."""


def look_at(
    table: SparkTable,
    columns: Sequence[str],
    *,
    types: Sequence[str] = (),
    like: Mapping[str, str] = NOTHING,
) -> Look:
    """Count, and find the `types` of text.

    `like`: regular expressions by column, whose cells are counted.
    """
    from pyspark.sql import functions as f

    rows, tuples = f.count("*"), f.approx_count_distinct(tuple_key(columns), PRECISION)
    asked = _asked(table, types, like)
    wanted = [column.alias(name) for name, column in asked.items()]
    found = pl.DataFrame(pl.from_arrow(table.frame.agg(rows, tuples, *wanted).toArrow()))
    counts = found.row(0)
    return Look(counts[0], counts[1], _kinds(found), _counts(found, like))


def counted_look(
    table: SparkTable,
    columns: Sequence[str],
    *,
    most: int,
    key: Sequence[str] = (),
    types: Sequence[str] = (),
    as_text: Sequence[str] = (),
    like: Mapping[str, str] = NOTHING,
) -> tuple[Look, Tuples | None]:
    """The same and, in the same pass, the tuples themselves if they are no more than `most`."""
    asked = _asked(table, types, like)
    tuples = count_tuples(table, columns, key=key, beside=asked, most=most, as_text=as_text)
    if tuples.cells.height > most:
        return look_at(table, columns, types=types, like=like), None
    found = tuples.beside
    return Look(tuples.rows, tuples.cells.height, _kinds(found), _counts(found, like)), tuples


def first_rows(table: SparkTable, count: int) -> pl.DataFrame:
    """Some rows as text, whichever come first."""
    some = table.frame.limit(count)
    texts = some.select([quoted(name).cast("string").alias(name) for name in some.columns])
    return pl.DataFrame(pl.from_arrow(texts.toArrow()))


def with_types(table: SparkTable, types: dict[str, str]) -> SparkTable:
    """The table with these columns cast."""
    casts = {name: quoted(name).cast(kind) for name, kind in types.items() if kind != "string"}
    return table.with_frame(table.frame.withColumns(casts)) if casts else table


def _asked(table: SparkTable, types: Sequence[str], like: Mapping[str, str]) -> dict[str, Column]:
    """What is counted of the cells; of Parquet the types are known."""
    from pyspark.sql import functions as f

    asked = types if table.is_text else ()
    kinds = {_KIND + name: f.bit_or(_breaks(name)) for name in asked}
    alike = {
        _LIKE + name: f.count_if(quoted(name).cast("string").rlike(text))
        for name, text in like.items()
    }
    return kinds | alike


def _breaks(name: str) -> Column:
    """Bits: there is a cell, and which types it cannot have without being written otherwise."""
    from pyspark.sql import functions as f

    cell = quoted(name)
    whole, double = cell.rlike(WHOLE), cell.try_cast("double")
    rules = {
        NOT_WHOLE: whole & cell.try_cast("bigint").isNotNull(),
        NOT_REAL: cell.rlike(REAL) & (double.cast("string") == cell),
        NOT_DIGITS: whole,
        NOT_DAY: cell.rlike(DAY) & cell.try_cast("date").isNotNull(),
    }
    found = f.lit(CELLS)
    for bit, rule in rules.items():
        found = found + f.when(rule, 0).otherwise(bit)
    return f.when(cell.isNotNull(), found).otherwise(0)


def _counts(found: pl.DataFrame, like: Mapping[str, str]) -> dict[str, int]:
    return {name: int(found[_LIKE + name].sum()) for name in like}


def _kinds(found: pl.DataFrame) -> dict[str, str]:
    """The types of all columns whose bits were asked for."""
    names = [name for name in found.columns if name.startswith(_KIND)]
    bits = found.select(pl.col(names).bitwise_or()).row(0) if names else ()
    return {name.removeprefix(_KIND): _kind(b or 0) for name, b in zip(names, bits, strict=True)}


def _kind(bits: int) -> str:
    if not bits:
        return "string"
    if not bits & NOT_WHOLE:
        return "bigint"
    # Whole numbers too long for 64 bits would lose digits as reals.
    if not bits & NOT_REAL and bits & NOT_DIGITS:
        return "double"
    return "string" if bits & NOT_DAY else "date"
