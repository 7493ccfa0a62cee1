"""Reads and writes CSV and Parquet tables on any path that Hadoop sees.

    source = read_spark_table(session, "hdfs:///people/*.csv", sep=None)
    write_spark_folder(frame, ".hidden", source.form, sep=source.sep)

Cells are what the local reader sees: CSV cells are text (an empty one is null, quoted or not),
Parquet cells have the file's types (NaN is null). CSV must be UTF-8 with a header line in every
file and one line per record; what breaks that is refused before anything is computed. Lines
without quotation marks can be cut at the separators, which takes Spark half as long as its own CSV
reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import polars as pl

from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import check_header, detect_separator, header_record, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    FileFormat,
    check_signature,
    detect_format,
    input_error,
    separator_from_name,
)
from tokumei.files.spark.session import SparkPaths

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession

SPARK_SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".parquet")
_MINUS_ZERO_PREFIX = "tokumei_minus_"
UTF8_NAMES = ("auto", "utf-8", "utf8")
CSV_OPTIONS = {
    "quote": '"',
    "escape": '"',
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
    "header": "true",
    "encoding": "UTF-8",
}
SUPPORTED_TYPES = (
    "byte",
    "short",
    "integer",
    "long",
    "float",
    "double",
    "string",
    "date",
    "boolean",
)
"""The Spark types whose values mean the same here as there; decimals and times without zone too."""


@dataclass(frozen=True, eq=False)
class SparkTable:
    """Rows on a cluster; `is_text`: cells are text whose types all cells decide, as in CSV."""

    frame: DataFrame
    form: FileFormat = FileFormat.PARQUET
    sep: str = ","
    where: str = ""

    @property
    def is_text(self) -> bool:
        """Whether types are still to be decided."""
        return self.form is not FileFormat.PARQUET

    def with_frame(self, frame: DataFrame) -> SparkTable:
        """The same kind of table with other rows."""
        return replace(self, frame=frame)


def read_spark_table(
    session: SparkSession, path: str, *, sep: str | None = None, encoding: str = "auto"
) -> SparkTable:
    """The table at a path, a folder or a pattern."""
    form = detect_format(path, SPARK_SUFFIXES)
    paths = SparkPaths(session)
    if form is FileFormat.PARQUET:
        paths.data_files(path)
        return SparkTable(require_plain_cells(session.read.parquet(path), path), form, where=path)
    if encoding.lower() not in UTF8_NAMES:
        raise UsageError(
            "on Spark a CSV must be UTF-8, not {encoding}; convert it first", encoding=encoding
        )
    head = paths.read_head(path)
    check_signature(path, head[:64], FileFormat.CSV)
    head = to_utf8(header_record(head), "utf-8", where=path)
    sep = sep or separator_from_name(path) or detect_separator(head)
    # As its own only row, the header is checked like any other text.
    line = head.rstrip(b"\r\n")
    names = parse_csv(line + b"\n" + head, sep=sep, where=path).frame.columns
    lines = CsvLines(path, line.decode(), len(names), sep)
    plain = lines.are_plain(session, files=len(paths.data_files(path)))
    frame = lines.read(session, names) if plain else _read_csv(session, path, names, sep)
    return SparkTable(frame, form, sep, path)


def write_spark_folder(frame: DataFrame, path: str, form: FileFormat, *, sep: str = ",") -> None:
    """A folder of files at a path that must be new."""
    if form is FileFormat.PARQUET:
        frame.write.parquet(path)
        return
    packed = "gzip" if form is FileFormat.CSV_GZ else "none"
    writer = frame.write.options(
        **CSV_OPTIONS, sep=sep, compression=packed, nullValue="", emptyValue=""
    )
    writer.csv(path)


def reread_spark_folder(
    session: SparkSession, path: str, names: list[str], form: FileFormat, sep: str
) -> DataFrame:
    """Read a folder that `write_spark_folder` wrote."""
    if form is FileFormat.PARQUET:
        return session.read.parquet(path)
    return _read_csv(session, path, names, sep)


def require_plain_cells(frame: DataFrame, where: str = "") -> DataFrame:
    """The frame with NaN as null; fails on cells that are no single values and on times zones."""
    from pyspark.sql import functions as f

    check_header(frame.columns, where)
    faults = [
        _type_violation(name, kind)
        for name, kind in _spark_types(frame).items()
        if kind not in (*SUPPORTED_TYPES, "timestamp_ntz") and not kind.startswith("decimal")
    ]
    if faults:
        raise input_error(
            where or "DataFrame",
            Message("some columns have types that Tokumei cannot read"),
            faults=faults,
        )
    real_columns = [
        name for name, kind in _spark_types(frame).items() if kind in ("float", "double")
    ]
    return frame.withColumns(
        {
            name: f.when(~f.isnan(column_by_name(name)), column_by_name(name))
            for name in real_columns
        }
    )


def column_by_name(name: str) -> Column:
    """A column by its exact name, whatever characters it has."""
    from pyspark.sql import functions as f

    return f.col("`" + name.replace("`", "``") + "`")


def minus_zero_flags(frame: DataFrame, names: Sequence[str]) -> list[Column]:
    """Columns by which to group as well, so that 0.0 and -0.0, one number, stay two values."""
    from pyspark.sql import functions as f

    kinds = _spark_types(frame)
    reals = [name for name in names if kinds[name] in ("float", "double")]
    minus = {name: column_by_name(name).cast("string") == "-0.0" for name in reals}
    return [
        f.coalesce(cell, f.lit(False)).alias(_MINUS_ZERO_PREFIX + name)
        for name, cell in minus.items()
    ]


def restore_minus_zeros(grouped: pl.DataFrame) -> pl.DataFrame:
    """The grouped rows, with those columns as text."""
    mark_columns = [name for name in grouped.columns if name.startswith(_MINUS_ZERO_PREFIX)]
    texts = {}
    for mark in mark_columns:
        name = mark.removeprefix(_MINUS_ZERO_PREFIX)
        plain = pl.col(name).cast(pl.String)
        texts[name] = pl.when(pl.col(mark)).then(pl.lit("-0.0")).otherwise(plain)
    return grouped.with_columns(**texts).drop(mark_columns)


def _spark_types(frame: DataFrame) -> dict[str, str]:
    return {field.name: field.dataType.typeName() for field in frame.schema.fields}


def _type_violation(name: str, kind: str) -> Violation:
    message = Message(
        "column '{column}' holds {type}; numbers, text, dates, booleans and times without a zone "
        "are possible",
        column=name,
        type=kind,
    )
    return Violation(rule="type", column=name, message=message)


def _read_csv(session: SparkSession, path: str, names: list[str], sep: str) -> DataFrame:
    from pyspark.sql import functions as f
    from pyspark.sql.types import StringType, StructField, StructType

    schema = StructType([StructField(name, StringType()) for name in names])
    reader: DataFrameReader = session.read.schema(schema).options(**CSV_OPTIONS, sep=sep)
    frame = reader.options(mode="FAILFAST", enforceSchema="false").csv(path)
    filled = {name: f.when(column_by_name(name) != "", column_by_name(name)) for name in names}
    return frame.withColumns(filled)


@dataclass(frozen=True)
class CsvLines:
    """Where they are, the header line, how many cells a line has, and what separates them."""

    path: str
    header: str
    width: int
    sep: str

    def are_plain(self, session: SparkSession, *, files: int) -> bool:
        """Whether none has quotation marks, and every file has the header line once.

        Fails on lines that are no whole records of UTF-8 text.
        """
        from pyspark.sql import functions as f

        line = f.col("value")
        header, marked, wrong = (
            line == self.header,
            ~self._is_plain_line(line),
            self._is_malformed_line(line),
        )
        looked_at = session.read.text(self.path).where(reduce(or_, (header, marked, wrong)))
        per_file = looked_at.groupBy("_metadata.file_path").agg(
            f.min(f.when(wrong, line)), f.count_if(marked & (line != "")), f.count_if(header)
        )
        file_rows = per_file.collect()
        if bad_lines := [row[1] for row in file_rows if row[1] is not None]:
            raise _unreadable_line_error(self.path, min(bad_lines))
        return len(file_rows) == files and all(row[2] == 0 and row[3] == 1 for row in file_rows)

    def read(self, session: SparkSession, names: list[str]) -> DataFrame:
        """The cells of plain lines; an empty one is null."""
        from pyspark.sql import functions as f

        line = f.col("value")
        rows = session.read.text(self.path).where((line != self.header) & (line != ""))
        cells = f.split(line, self._separator_pattern)
        return rows.select(
            [f.nullif(cells[index], f.lit("")).alias(name) for index, name in enumerate(names)]
        )

    @property
    def _separator_pattern(self) -> str:
        """The separator in a pattern."""
        return self.sep if self.sep.isalnum() else "\\" + self.sep

    def _is_plain_line(self, line: Column) -> Column:
        """As many cells as there must be, and nothing that needs a closer look."""
        cell = f'[^"{self._separator_pattern}\\x00]*+'
        return line.rlike(f"^{cell}(?:{self._separator_pattern}{cell}){{{self.width - 1}}}+\\z")

    def _is_malformed_line(self, line: Column) -> Column:
        """No whole record; empty lines are passed over, unless they could be cells."""
        from pyspark.sql import functions as f

        cell = f'(?:"(?:[^"]++|"")*+"|[^"{self._separator_pattern}]*+)'
        record = line.rlike(f"^{cell}(?:{self._separator_pattern}{cell}){{{self.width - 1}}}+\\z")
        record &= ~line.contains("\0")
        wrong = ~f.is_valid_utf8(line) | ~f.when(self._is_plain_line(line), True).otherwise(record)
        if self.width == 1 or self.sep.isspace():
            # Spark passes over lines without a visible character, which would be cells here.
            wrong |= f.btrim(line, f.lit(" \t\r")) == ""
        return wrong & ~((line == "") & f.lit(self.width > 1))


def _unreadable_line_error(path: str, line: str) -> InputError:
    line_excerpt = line if len(line) <= 60 else line[:60] + "…"
    return input_error(
        path,
        Message(
            "on Spark every line must be a whole record in UTF-8 with as many fields as the "
            "header, but this is not: {line!r}; use Parquet for cells with line ends",
            line=line_excerpt,
        ),
    )
