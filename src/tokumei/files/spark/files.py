"""Tables on a cluster: CSV and Parquet on any path that Hadoop sees, read and written.

    source = read_spark(session, "hdfs:///people/*.csv", sep=None)
    write_spark(frame, ".hidden", source.form, sep=source.sep)

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

from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import Format, check_content, format_of, input_error, own_separator
from tokumei.files.csv_text import check_header, detect_separator, header_bytes, parse_csv
from tokumei.files.encodings import to_utf8
from tokumei.files.spark.session import SparkPaths

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession

FORMS = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz", ".parquet")
_MINUS = "tokumei_minus_"
UTF8 = ("auto", "utf-8", "utf8")
CSV = {
    "quote": '"',
    "escape": '"',
    "ignoreLeadingWhiteSpace": "false",
    "ignoreTrailingWhiteSpace": "false",
    "header": "true",
    "encoding": "UTF-8",
}
CELLS = ("byte", "short", "integer", "long", "float", "double", "string", "date", "boolean")
"""The Spark types whose values mean the same here as there; decimals and times without zone too."""


@dataclass(frozen=True, eq=False)
class SparkTable:
    """Rows on a cluster; `is_text`: cells are text whose types all cells decide, as in CSV."""

    frame: DataFrame
    form: Format = Format.PARQUET
    sep: str = ","
    where: str = ""

    @property
    def is_text(self) -> bool:
        """Whether types are still to be decided."""
        return self.form is not Format.PARQUET

    def with_frame(self, frame: DataFrame) -> SparkTable:
        """The same kind of table with other rows."""
        return replace(self, frame=frame)


def read_spark(
    session: SparkSession, path: str, *, sep: str | None = None, encoding: str = "auto"
) -> SparkTable:
    """The table at a path, a folder or a pattern."""
    form = format_of(path, FORMS)
    paths = SparkPaths(session)
    if form is Format.PARQUET:
        paths.data_files(path)
        return SparkTable(plain_frame(session.read.parquet(path), path), form, where=path)
    if encoding.lower() not in UTF8:
        raise UsageError(
            f"on Spark a CSV must be UTF-8, not {encoding}; convert it first",
            f"Spark では CSV は UTF-8 です ({encoding} は使えません)。先に変換してください",
        )
    head = paths.head(path)
    check_content(path, head[:64], Format.CSV)
    head = to_utf8(header_bytes(head), "utf-8", where=path)
    sep = sep or own_separator(path) or detect_separator(head)
    # As its own only row, the header is checked like any other text.
    line = head.rstrip(b"\r\n")
    names = parse_csv(line + b"\n" + head, sep=sep, where=path).frame.columns
    lines = CsvLines(path, line.decode(), len(names), sep)
    plain = lines.are_plain(session, files=len(paths.data_files(path)))
    frame = lines.read(session, names) if plain else _read_csv(session, path, names, sep)
    return SparkTable(frame, form, sep, path)


def write_spark(frame: DataFrame, path: str, form: Format, *, sep: str = ",") -> None:
    """A folder of files at a path that must be new."""
    if form is Format.PARQUET:
        frame.write.parquet(path)
        return
    packed = "gzip" if form is Format.CSV_GZ else "none"
    writer = frame.write.options(**CSV, sep=sep, compression=packed, nullValue="", emptyValue="")
    writer.csv(path)


def reread(session: SparkSession, path: str, names: list[str], form: Format, sep: str) -> DataFrame:
    """What stands at a path that `write_spark` wrote."""
    if form is Format.PARQUET:
        return session.read.parquet(path)
    return _read_csv(session, path, names, sep)


def plain_frame(frame: DataFrame, where: str = "") -> DataFrame:
    """The frame with NaN as null; fails on cells that are no single values and on times zones."""
    from pyspark.sql import functions as f

    check_header(frame.columns, where)
    faults = [
        _fault(name, kind)
        for name, kind in _kinds(frame).items()
        if kind not in (*CELLS, "timestamp_ntz") and not kind.startswith("decimal")
    ]
    if faults:
        raise input_error(
            where or "DataFrame",
            "some columns have types that Tokumei cannot read",
            "読めない型の列があります",
            faults=faults,
        )
    real = [name for name, kind in _kinds(frame).items() if kind in ("float", "double")]
    return frame.withColumns({name: f.when(~f.isnan(quoted(name)), quoted(name)) for name in real})


def quoted(name: str) -> Column:
    """A column by its exact name, whatever characters it has."""
    from pyspark.sql import functions as f

    return f.col("`" + name.replace("`", "``") + "`")


def minus_zeros(frame: DataFrame, names: Sequence[str]) -> list[Column]:
    """Columns by which to group as well, so that 0.0 and -0.0, one number, stay two values."""
    from pyspark.sql import functions as f

    kinds = _kinds(frame)
    reals = [name for name in names if kinds[name] in ("float", "double")]
    minus = {name: quoted(name).cast("string") == "-0.0" for name in reals}
    return [f.coalesce(cell, f.lit(False)).alias(_MINUS + name) for name, cell in minus.items()]


def with_minus_zeros(found: pl.DataFrame) -> pl.DataFrame:
    """What was grouped so, with those columns as text."""
    marked = [name for name in found.columns if name.startswith(_MINUS)]
    texts = {}
    for mark in marked:
        name = mark.removeprefix(_MINUS)
        plain = pl.col(name).cast(pl.String)
        texts[name] = pl.when(pl.col(mark)).then(pl.lit("-0.0")).otherwise(plain)
    return found.with_columns(**texts).drop(marked)


def _kinds(frame: DataFrame) -> dict[str, str]:
    return {field.name: field.dataType.typeName() for field in frame.schema.fields}


def _fault(name: str, kind: str) -> Fault:
    message = Text(
        f"column '{name}' holds {kind}; numbers, text, dates, booleans and times without a "
        "zone are possible",
        f"列 '{name}' の型は {kind} です。数値・文字列・日付・真偽値・時差なしの時刻が使えます",
    )
    return Fault(rule="type", column=name, message=message)


def _read_csv(session: SparkSession, path: str, names: list[str], sep: str) -> DataFrame:
    from pyspark.sql import functions as f
    from pyspark.sql.types import StringType, StructField, StructType

    schema = StructType([StructField(name, StringType()) for name in names])
    reader: DataFrameReader = session.read.schema(schema).options(**CSV, sep=sep)
    frame = reader.options(mode="FAILFAST", enforceSchema="false").csv(path)
    filled = {name: f.when(quoted(name) != "", quoted(name)) for name in names}
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
        header, marked, wrong = line == self.header, ~self._is_plain(line), self._is_wrong(line)
        looked_at = session.read.text(self.path).where(reduce(or_, (header, marked, wrong)))
        found = looked_at.groupBy("_metadata.file_path").agg(
            f.min(f.when(wrong, line)), f.count_if(marked & (line != "")), f.count_if(header)
        )
        each = found.collect()
        if bad := [row[1] for row in each if row[1] is not None]:
            raise _unreadable(self.path, min(bad))
        return len(each) == files and all(row[2] == 0 and row[3] == 1 for row in each)

    def read(self, session: SparkSession, names: list[str]) -> DataFrame:
        """The cells of plain lines; an empty one is null."""
        from pyspark.sql import functions as f

        line = f.col("value")
        rows = session.read.text(self.path).where((line != self.header) & (line != ""))
        cells = f.split(line, self._mark)
        return rows.select(
            [f.nullif(cells[place], f.lit("")).alias(name) for place, name in enumerate(names)]
        )

    @property
    def _mark(self) -> str:
        """The separator in a pattern."""
        return self.sep if self.sep.isalnum() else "\\" + self.sep

    def _is_plain(self, line: Column) -> Column:
        """As many cells as there must be, and nothing that needs a closer look."""
        cell = f'[^"{self._mark}\\x00]*+'
        return line.rlike(f"^{cell}(?:{self._mark}{cell}){{{self.width - 1}}}+\\z")

    def _is_wrong(self, line: Column) -> Column:
        """No whole record; empty lines are passed over, unless they could be cells."""
        from pyspark.sql import functions as f

        cell = f'(?:"(?:[^"]++|"")*+"|[^"{self._mark}]*+)'
        record = line.rlike(f"^{cell}(?:{self._mark}{cell}){{{self.width - 1}}}+\\z")
        record &= ~line.contains("\0")
        wrong = ~f.is_valid_utf8(line) | ~f.when(self._is_plain(line), True).otherwise(record)
        if self.width == 1 or self.sep.isspace():
            # Spark passes over lines without a visible character, which would be cells here.
            wrong |= f.btrim(line, f.lit(" \t\r")) == ""
        return wrong & ~((line == "") & f.lit(self.width > 1))


def _unreadable(path: str, line: str) -> InputError:
    shown = line if len(line) <= 60 else line[:60] + "…"
    return input_error(
        path,
        f"on Spark every line must be a whole record in UTF-8 with as many fields as the "
        f"header, but this is not: {shown!r}; use Parquet for cells with line ends",
        f"Spark では各行が見出しと同じ数の欄を持つ UTF-8 の一レコードでなければなりません: "
        f"{shown!r}。セルに改行がある場合は Parquet にしてください",
    )
