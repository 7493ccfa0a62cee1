"""Purchase histories on a cluster: read there, by the local reader's rules, and counted.

    source = read_spark_history(session, "hdfs:///T.csv", format="pws2018")
    found = customers_of(source)            # customer, key, rows; by first appearance

Cells stay as they stand in the files until a worker reads them (`Reader`), in Python, with the
code that reads a file on one machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import Format, format_of, input_error
from tokumei.files.contest_text import CONTEST_SUFFIXES, contest_cells, split_lines
from tokumei.files.spark.files import UTF8, SparkTable, plain_frame, quoted, read_spark
from tokumei.files.spark.look import look_at, with_types
from tokumei.files.spark.session import SparkPaths
from tokumei.files.spark.tuples import NUMBER, numbered
from tokumei.histories.data.columns import require_present
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.formats.pws2018 import contest_history
from tokumei.histories.registry import formats

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession

KEY = "tokumei_customer"
"""The cell of the customer as it stands in the file."""
_LINE = "value"
_COUNTS = f"{KEY} string, customer string, rows bigint, first bigint, fault string"


@dataclass(frozen=True)
class Reader:
    """Rows as purchases; `lines`: rows are whole lines of a contest's file.

    `columns`: what the file calls customer, day, item, price, quantity.
    """

    format: str
    where: str
    lines: bool
    header: int = 0
    columns: Mapping[str, str] = field(default_factory=dict)

    def history(self, rows: pl.DataFrame) -> History:
        """The purchases in some rows, in their order."""
        numbers = rows[NUMBER].to_numpy() + 1 + self.header
        cells = rows.drop(KEY, NUMBER).rename(dict(self.columns))
        if self.lines:
            text = split_lines(cells[_LINE], COLUMNS, numbers=numbers)
            return contest_history(text, where=self.where)
        if self.format == "pws2018":
            text = contest_cells(cells, COLUMNS, where=self.where, numbers=numbers)
            return contest_history(text, where=self.where)

        def line_of(row: int) -> int:
            return int(numbers[row])

        # Nothing is normalized: the rows of a worker cannot decide it for all.
        how: dict[str, Any] = {**self.columns, "line_of": line_of}
        return History.of(cells, where=self.where, no_normalize=("all",), **how)

    def counted(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows and first number of every customer; or what is wrong."""
        try:
            history = self.history(rows)
            formats.get(self.format).require_writable(history)
        except InputError as error:
            return pl.DataFrame({"fault": [json.dumps(one.as_json()) for one in error.faults]})
        people = rows.select(KEY, NUMBER).with_columns(history.frame["customer"])
        return people.group_by(KEY, "customer").agg(
            rows=pl.len().cast(pl.Int64), first=pl.min(NUMBER)
        )


@dataclass(frozen=True, eq=False)
class SparkHistory:
    """Purchases on a cluster: cells as they stand, their `tokumei_customer` and number."""

    frame: DataFrame
    reader: Reader


def read_spark_history(
    session: SparkSession,
    path: str | DataFrame,
    *,
    format: str = "table",
    columns: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
) -> SparkHistory:
    """The purchases at a path, a folder or a pattern (files by name), or in a Spark DataFrame."""
    if not history_layout(format, columns=columns, sep=sep, encoding=encoding).on_spark:
        can = ", ".join(name for name in formats.names() if formats.get(name).on_spark)
        raise UsageError(
            f"Spark reads histories as {can}, not {format}; convert the file first",
            f"Spark で読める履歴の形式は {can} です ({format} は先に変換してください)",
        )
    if values := [own for own in columns or {} if own not in COLUMNS]:
        raise UsageError(
            f"Spark releases no further values of a history, such as {values[0]}",
            f"Spark では履歴のほかの値 ({values[0]} など) を公開できません",
        )
    if not isinstance(path, str):
        table, path = SparkTable(plain_frame(path)), ""
    elif format == "pws2018" and format_of(path, CONTEST_SUFFIXES) is not Format.PARQUET:
        return _read_lines(session, path, encoding)
    else:
        table = read_spark(session, path, sep=sep, encoding=encoding)
    there = table.frame.columns
    names = dict(zip(COLUMNS, COLUMNS, strict=True)) | dict(columns or {})
    if format == "pws2018":
        contest_cells(pl.DataFrame(schema=dict.fromkeys(there, pl.String)), COLUMNS, where=path)
        names = dict(zip(COLUMNS, there, strict=True))
    require_present(there, names, path)
    codes = [names["customer"], names["item"]]
    types = look_at(table, codes, types=codes).types
    _require_codes(table.frame, codes, types, path)
    chosen = with_types(table, types).frame
    # Under our own names: Spark does not group rows by Python code if a name has a dot.
    cells = (quoted(name).alias(own) for own, name in names.items())
    rows = numbered(chosen).select(*cells, NUMBER)
    keyed = rows.withColumn(KEY, quoted("customer").cast("string"))
    reader = Reader(format, path, lines=False, header=int(table.is_text), columns=names)
    return SparkHistory(keyed, reader)


def customers_of(source: SparkHistory) -> pl.DataFrame:
    """Customers by first appearance with their rows; fails, listing them, if cells are wrong.

    Column `keys`: the cells that name them.
    """
    from pyspark.sql import functions as f

    counts = source.frame.mapInArrow(_Counting(source.reader), _COUNTS)
    summed = counts.groupBy(KEY, "customer", "fault").agg(
        f.sum("rows").alias("rows"), f.min("first").alias("first")
    )
    found = pl.DataFrame(pl.from_arrow(summed.toArrow()))
    _require_good(found.filter(pl.col("customer").is_null()), source.reader.where)
    if found.is_empty():
        raise input_error(source.reader.where, "no purchases", "購買履歴がありません")
    people = found.group_by("customer").agg(
        pl.col("rows").sum(), pl.col("first").min(), pl.col(KEY).alias("keys")
    )
    return people.sort("first")


@dataclass(frozen=True)
class _Counting:
    """What Spark calls with the rows of a partition."""

    reader: Reader

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        kinds = {"rows": pa.int64(), "first": pa.int64()}
        names = [one.split()[0] for one in _COUNTS.split(", ")]
        schema = pa.schema([(name, kinds.get(name, pa.string())) for name in names])
        for batch in batches:
            found = self.reader.counted(pl.DataFrame(pl.from_arrow(batch)))
            missing = [pl.lit(None).alias(name) for name in names if name not in found.columns]
            table = found.with_columns(missing).select(names).to_arrow().cast(schema)
            yield from table.to_batches()


def _read_lines(session: SparkSession, path: str, encoding: str) -> SparkHistory:
    from pyspark.sql import functions as f

    if encoding.lower() not in UTF8:
        raise UsageError(
            f"on Spark a CSV must be UTF-8, not {encoding}; convert it first",
            f"Spark では CSV は UTF-8 です ({encoding} は使えません)。先に変換してください",
        )
    SparkPaths(session).data_files(path)
    rows = numbered(session.read.text(path)).where(f.col(_LINE) != "")
    # What is no text becomes a line without fields, which is reported with its number.
    line = f.when(is_text(_LINE), f.col(_LINE)).otherwise("\ufffd")
    keyed = rows.withColumn(_LINE, line).withColumn(KEY, f.substring_index(_LINE, ",", 1))
    return SparkHistory(keyed, Reader("pws2018", path, lines=True))


def is_text(name: str) -> Column:
    """Whether a line is UTF-8 text: other bytes would be taken for each other."""
    from pyspark.sql import functions as f

    return f.is_valid_utf8(f.col(name)) & ~f.col(name).contains("\0")


def _require_codes(frame: DataFrame, names: list[str], types: Mapping[str, str], path: str) -> None:
    """Fail on customers and items that are reals: their text would depend on all other cells."""
    kinds = {one.name: one.dataType.typeName() for one in frame.schema.fields}
    for name in names:
        if types.get(name, kinds[name]) in ("float", "double"):
            raise input_error(
                path,
                f"column '{name}' holds real numbers: on Spark customers and items must be "
                "text or whole numbers",
                f"列 '{name}' は実数です。Spark では顧客と商品は文字列か整数にしてください",
            )


def _require_good(wrong: pl.DataFrame, where: str) -> None:
    if wrong.is_empty():
        return
    faults = [_fault(json.loads(text)) for text in wrong["fault"].unique()]
    faults.sort(key=lambda one: (one.line or 0, one.column or ""))
    raise input_error(
        where,
        "some cells cannot be read or written as purchases",
        "購買履歴として読めない、または書けないセルがあります",
        faults=faults,
    )


def _fault(given: Mapping[str, Any]) -> Fault:
    message = Text(given["message_en"], given["message_ja"])
    return Fault(rule=given["rule"], message=message, line=given["line"], column=given["column"])
