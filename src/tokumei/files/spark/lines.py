"""The lines of CSV files on a cluster, which are read apart from each other.

    lines = CsvLines("hdfs:///people.csv", "age,sex", 2, ",")
    lines.are_plain(session, files=1)       # fails on a line that is no record
    lines.read(session, ["age", "sex"])     # only if they are plain

Lines without quotation marks can be cut at the separators, which takes Spark half as long as its
own CSV reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from tokumei.core.errors import InputError
from tokumei.core.text import Text
from tokumei.files.containers import input_error

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


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
        Text(
            f"on Spark every line must be a whole record in UTF-8 with as many fields as the "
            f"header, but this is not: {shown!r}; use Parquet for cells with line ends",
            f"Spark では各行が見出しと同じ数の欄を持つ UTF-8 の一レコードでなければなりません: "
            f"{shown!r}。セルに改行がある場合は Parquet にしてください",
        ),
    )
