"""Reads purchase histories on a cluster by the rules of the local reader, and counts them.

    source = read_spark_history(session, "hdfs:///T.csv", format="pws2018")
    customers = count_customers(source)            # customer, key, rows; by first appearance

Cells stay as they stand in the files until a worker reads them (`PurchaseReader`), in Python, with
the code that reads a file on one machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.contest_files import CONTEST_SUFFIXES, frame_to_contest_rows, split_contest_lines
from tokumei.files.file_formats import FileFormat, detect_format, input_error
from tokumei.files.spark.column_scan import cast_columns, scan_columns
from tokumei.files.spark.distinct_tuples import NUMBER_COLUMN, number_rows
from tokumei.files.spark.session import SparkPaths
from tokumei.files.spark.table_files import (
    UTF8_NAMES,
    SparkTable,
    column_by_name,
    read_spark_table,
    require_plain_cells,
)
from tokumei.histories.data.column_parsing import require_columns
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.formats.layout import history_layout
from tokumei.histories.formats.pws2018 import parse_contest_history
from tokumei.histories.registry import formats

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession

CUSTOMER_KEY = "tokumei_customer"
"""The cell of the customer as it stands in the file."""
_LINE_COLUMN = "value"
_COUNT_SCHEMA = f"{CUSTOMER_KEY} string, customer string, rows bigint, first bigint, fault string"


@dataclass(frozen=True)
class PurchaseReader:
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
        numbers = rows[NUMBER_COLUMN].to_numpy() + 1 + self.header
        cells = rows.drop(CUSTOMER_KEY, NUMBER_COLUMN).rename(dict(self.columns))
        if self.lines:
            text = split_contest_lines(cells[_LINE_COLUMN], COLUMNS, numbers=numbers)
            return parse_contest_history(text, where=self.where)
        if self.format == "pws2018":
            text = frame_to_contest_rows(cells, COLUMNS, where=self.where, numbers=numbers)
            return parse_contest_history(text, where=self.where)

        def line_of(row: int) -> int:
            return int(numbers[row])

        # Nothing is normalized: the rows of a worker cannot decide it for all.
        return History.of(
            cells, where=self.where, line_of=line_of, no_normalize=("all",), **self.columns
        )

    def counted(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Rows and first number of every customer; or what is wrong."""
        try:
            history = self.history(rows)
            formats.get(self.format).require_writable(history)
        except InputError as error:
            return pl.DataFrame(
                {"fault": [json.dumps(violation.as_json()) for violation in error.faults]}
            )
        people = rows.select(CUSTOMER_KEY, NUMBER_COLUMN).with_columns(history.frame["customer"])
        return people.group_by(CUSTOMER_KEY, "customer").agg(
            rows=pl.len().cast(pl.Int64), first=pl.min(NUMBER_COLUMN)
        )


@dataclass(frozen=True, eq=False)
class SparkHistory:
    """Purchases on a cluster: cells as they stand, their `tokumei_customer` and number."""

    frame: DataFrame
    reader: PurchaseReader


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
    layout_options = {"columns": columns, "sep": sep, "encoding": encoding}
    if not history_layout(format, layout_options).on_spark:
        readable = ", ".join(name for name in formats.names() if formats.get(name).on_spark)
        raise UsageError(
            "Spark reads histories as {formats}, not {format}; convert the file first",
            formats=readable,
            format=format,
        )
    if values := [column for column in columns or {} if column not in COLUMNS]:
        raise UsageError(
            "Spark releases no further values of a history, such as {column}", column=values[0]
        )
    if not isinstance(path, str):
        table, path = SparkTable(require_plain_cells(path)), ""
    elif format == "pws2018" and detect_format(path, CONTEST_SUFFIXES) is not FileFormat.PARQUET:
        return _read_contest_history(session, path, encoding)
    else:
        table = read_spark_table(session, path, sep=sep, encoding=encoding)
    file_columns = table.frame.columns
    names = dict(zip(COLUMNS, COLUMNS, strict=True)) | dict(columns or {})
    if format == "pws2018":
        frame_to_contest_rows(
            pl.DataFrame(schema=dict.fromkeys(file_columns, pl.String)), COLUMNS, where=path
        )
        names = dict(zip(COLUMNS, file_columns, strict=True))
    require_columns(file_columns, names, path)
    codes = [names["customer"], names["item"]]
    types = scan_columns(table, codes, types=codes).types
    _refuse_float_codes(table.frame, codes, types, path)
    typed = cast_columns(table, types).frame
    # Under our own names: Spark does not group rows by Python code if a name has a dot.
    cells = (column_by_name(name).alias(column) for column, name in names.items())
    rows = number_rows(typed).select(*cells, NUMBER_COLUMN)
    keyed = rows.withColumn(CUSTOMER_KEY, column_by_name("customer").cast("string"))
    reader = PurchaseReader(format, path, lines=False, header=int(table.is_text), columns=names)
    return SparkHistory(keyed, reader)


def count_customers(source: SparkHistory) -> pl.DataFrame:
    """Customers by first appearance with their rows; fails, listing them, if cells are wrong.

    Column `keys`: the cells that name them.
    """
    from pyspark.sql import functions as f

    counts = source.frame.mapInArrow(_CustomerCounter(source.reader), _COUNT_SCHEMA)
    summed = counts.groupBy(CUSTOMER_KEY, "customer", "fault").agg(
        f.sum("rows").alias("rows"), f.min("first").alias("first")
    )
    customer_counts = pl.DataFrame(pl.from_arrow(summed.toArrow()))
    _raise_violations(customer_counts.filter(pl.col("customer").is_null()), source.reader.where)
    if customer_counts.is_empty():
        raise input_error(source.reader.where, Message("no purchases"))
    people = customer_counts.group_by("customer").agg(
        pl.col("rows").sum(), pl.col("first").min(), pl.col(CUSTOMER_KEY).alias("keys")
    )
    return people.sort("first")


@dataclass(frozen=True)
class _CustomerCounter:
    """What Spark calls with the rows of a partition."""

    reader: PurchaseReader

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        column_types = {"rows": pa.int64(), "first": pa.int64()}
        names = [column_spec.split()[0] for column_spec in _COUNT_SCHEMA.split(", ")]
        schema = pa.schema([(name, column_types.get(name, pa.string())) for name in names])
        for batch in batches:
            counts = self.reader.counted(pl.DataFrame(pl.from_arrow(batch)))
            missing = [pl.lit(None).alias(name) for name in names if name not in counts.columns]
            table = counts.with_columns(missing).select(names).to_arrow().cast(schema)
            yield from table.to_batches()


def _read_contest_history(session: SparkSession, path: str, encoding: str) -> SparkHistory:
    from pyspark.sql import functions as f

    if encoding.lower() not in UTF8_NAMES:
        raise UsageError(
            "on Spark a CSV must be UTF-8, not {encoding}; convert it first", encoding=encoding
        )
    SparkPaths(session).data_files(path)
    rows = number_rows(session.read.text(path)).where(f.col(_LINE_COLUMN) != "")
    # What is no text becomes a line without fields, which is reported with its number.
    line = f.when(is_utf8_text(_LINE_COLUMN), f.col(_LINE_COLUMN)).otherwise("\ufffd")
    keyed = rows.withColumn(_LINE_COLUMN, line).withColumn(
        CUSTOMER_KEY, f.substring_index(_LINE_COLUMN, ",", 1)
    )
    return SparkHistory(keyed, PurchaseReader("pws2018", path, lines=True))


def is_utf8_text(name: str) -> Column:
    """Whether a line is UTF-8 text: other bytes would be taken for each other."""
    from pyspark.sql import functions as f

    return f.is_valid_utf8(f.col(name)) & ~f.col(name).contains("\0")


def _refuse_float_codes(
    frame: DataFrame, names: list[str], types: Mapping[str, str], path: str
) -> None:
    """Fail on customers and items that are reals: their text would depend on all other cells."""
    field_types = {
        field_info.name: field_info.dataType.typeName() for field_info in frame.schema.fields
    }
    for name in names:
        if types.get(name, field_types[name]) in ("float", "double"):
            raise input_error(
                path,
                Message(
                    "column '{column}' holds real numbers: on Spark customers and items must be "
                    "text or whole numbers",
                    column=name,
                ),
            )


def _raise_violations(bad_rows: pl.DataFrame, where: str) -> None:
    if bad_rows.is_empty():
        return
    faults = [_parse_violation(text) for text in bad_rows["fault"].unique()]
    faults.sort(key=lambda violation: (violation.line or 0, violation.column or ""))
    raise input_error(
        where, Message("some cells cannot be read or written as purchases"), faults=faults
    )


def _parse_violation(text: str) -> Violation:
    """The violation whose JSON a worker wrote."""
    data = json.loads(text)
    message = Message.of_json(data, "message")
    return Violation(rule=data["rule"], message=message, line=data["line"], column=data["column"])
