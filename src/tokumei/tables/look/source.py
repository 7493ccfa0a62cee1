"""A stranger's file as a frame of text cells, and how it was written.

source = open_source("顧客台帳.csv")
source.frame, source.encoding, source.header_row
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, UsageError
from tokumei.core.fields import field_value
from tokumei.core.text import Text
from tokumei.files.containers import (
    MAX_BYTES,
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    suffix_of,
)
from tokumei.files.frames import require_plain_names, to_polars
from tokumei.files.reading import read_parquet
from tokumei.tables.data.table import Table
from tokumei.tables.look.csv_source import CsvText, read_csv_text
from tokumei.tables.look.dialect import FOUND_OUT, NONE, Dialect
from tokumei.tables.look.encoding import decode
from tokumei.tables.look.records import (
    Frame,
    Row,
    are_totals,
    find_frame,
    header_names,
    larger_part,
    lines_below,
    renamed,
)
from tokumei.tables.look.workbook import read_sheet

_HEAD, _TAIL = 80, 40
TWO_TABLES = "two-tables"


@dataclass(frozen=True, eq=False)
class Source:
    """Text cells, null where nothing stands, with everything that reading them took."""

    frame: pl.DataFrame
    file: str
    format: str
    encoding: str | None = None
    separator: str | None = None
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    header_row: int | None = 1
    above: int = 0
    below: int = 0
    empty: int = 0
    bom: bool = False
    replaced: int = 0
    lines: np.ndarray | None = None
    warnings: tuple[Fault, ...] = ()
    renamed: tuple[str, ...] = ()
    """Columns without a name of their own in the file."""

    @property
    def second(self) -> Fault | None:
        """What is to be said of a second table, which was not read; None: there is none."""
        return next((one for one in self.warnings if one.rule == TWO_TABLES), None)

    @property
    def dialect(self) -> dict[str, Any]:
        """How the file is written, as side files say it."""
        found = {"encoding": self.encoding, "separator": self.separator, "sheet": self.sheet}
        return {**found, "header_row": self.header_row, "skipped": self.skipped}

    @property
    def skipped(self) -> dict[str, int]:
        """How many lines are no rows."""
        return {"above": self.above, "below": self.below, "empty": self.empty}

    def line_of(self, row: int) -> int:
        """The line (sheet row) of a row, from 1."""
        return row + 1 if self.lines is None else int(self.lines[row])


def open_source(given: Any, dialect: Dialect = FOUND_OUT) -> Source:
    """The table in a file or frame, as text."""
    if not isinstance(given, str | Path):
        frame = given.frame if isinstance(given, Table) else to_polars(given)
        return Source(_as_text(frame), "", "frame")
    form = format_of(given)
    dialect.require_used(given, form)
    if form is Format.PARQUET:
        found = Source(_as_text(read_parquet(given, MAX_BYTES)), Path(given).name, "parquet")
    elif form is Format.XLSX:
        found = _from_book(given, dialect)
    else:
        found = _from_csv(given, form, dialect)
    require_plain_names(found.frame.columns, where=str(given))
    # A row of a Parquet file is a row, whatever it holds.
    return found if form is Format.PARQUET else _without_empty(found)


def _as_text(frame: pl.DataFrame) -> pl.DataFrame:
    floats = pl.col(pl.Float32, pl.Float64).fill_nan(None)
    return frame.with_columns(floats).with_columns(pl.all().cast(pl.String))


def _from_csv(path: AnyPath, form: Format, dialect: Dialect) -> Source:
    raw = load_bytes(path, form)
    decoded = decode(raw, dialect.encoding, where=path, replace=dialect.replace)
    text = CsvText.of(decoded.data, dialect.separator, where=path)
    frame = _frame(text.head, text.width, dialect)
    below = lines_below(text.tail[max(0, frame.first - text.before_tail) :], text.width)
    read = read_csv_text(text, frame, below, where=path)
    return Source(
        read.frame,
        Path(path).name,
        "tsv" if suffix_of(path).startswith(".tsv") else "csv",
        decoded.encoding,
        text.separator,
        header_row=None if frame.header is None else read.header_line,
        above=frame.first - (frame.header is not None) - read.blank_above,
        below=below - read.blank_below,
        empty=read.blank_above + read.blank_below + read.empty,
        bom=decoded.encoding == "utf-8-sig",
        replaced=decoded.replaced,
        lines=read.lines,
        renamed=renamed(frame, text.head),
    )


def _from_book(path: AnyPath, dialect: Dialect) -> Source:
    sheet = read_sheet(path, dialect.sheet)
    head = sheet.cells.head(_HEAD).rows()
    frame = _frame(head, sheet.cells.width, dialect)
    rest = sheet.cells.slice(frame.first)
    below = lines_below(rest.tail(_TAIL).rows(), rest.width)
    rows = rest.head(rest.height - below)
    blank_above = sum(not any(row) for row in head[: frame.first])
    blank_below = sum(not any(row) for row in rest.tail(below).rows()) if below else 0
    warnings = (_second_table(sheet.name, sheet.second),) if sheet.second else ()
    return Source(
        rows.rename(dict(zip(rows.columns, frame.names, strict=True))),
        Path(path).name,
        "xlsx",
        sheet=sheet.name,
        sheets=sheet.names,
        header_row=None if frame.header is None else frame.header + 1,
        above=frame.first - (frame.header is not None) - blank_above,
        below=below - blank_below,
        empty=blank_above + blank_below,
        lines=np.arange(rows.height) + frame.first + 1,
        warnings=warnings,
        renamed=renamed(frame, head),
    )


def _frame(head: Sequence[Row], width: int, dialect: Dialect) -> Frame:
    """Where the names stand, found or given."""
    given = dialect.header_row
    if given is None:
        return find_frame(head, width)
    if given == NONE:
        return Frame(None, 0, tuple(f"column{j}" for j in range(1, width + 1)))
    row = int(given) - 1
    if not 0 <= row < len(head):
        told = field_value("header_row", given)
        raise UsageError(
            f"{told}: the names must stand in one of the first {len(head)} lines",
            f"{told}: 見出しは先頭の {len(head)} 行のいずれかにしてください",
            field="header_row",
            value=given,
        )
    return Frame(row, row + 1, header_names(head[row], (), width))


def _without_empty(source: Source) -> Source:
    """Without blank rows and columns that have neither name nor cell, with warnings of totals."""
    frame = source.frame
    nameless = _nameless(frame)
    frame = frame.drop(nameless) if len(nameless) < frame.width else frame
    some = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    if not frame.width or (not source.file and not frame.height):
        raise input_error(source.file, Text("there is no column", "列がありません"))
    empty = frame.height - int(some.sum())
    lines = source.lines
    if empty:
        frame = frame.filter(some)
        lines = (np.arange(len(some)) + 1 if lines is None else lines)[some.to_numpy()]
    found = _largest(replace(source, frame=frame, lines=lines, empty=source.empty + empty))
    return replace(found, warnings=(*found.warnings, *_totals(found)))


def _nameless(frame: pl.DataFrame) -> list[str]:
    """Columns that have neither name nor cell."""
    return [s.name for s in frame if s.name.startswith("Unnamed: ") and s.null_count() == len(s)]


def _largest(source: Source) -> Source:
    """The larger table, where a second one stands below; with a warning."""
    if source.lines is None or (part := larger_part(source.frame, source.lines)) is None:
        return source
    frame, other = part.frame, part.other
    if part.header is not None and source.header_row is not None:
        other = source.header_row
    message = Text(
        f"another table begins in line {other}; the larger one was read",
        f"{other} 行目から別の表が始まります。大きい方を読みました",
    )
    warning = Fault(rule=TWO_TABLES, line=other, message=message)
    return replace(
        source,
        frame=frame.drop(_nameless(frame)),
        lines=part.lines,
        header_row=part.header or source.header_row,
        warnings=(*source.warnings, warning),
    )


def _totals(source: Source) -> list[Fault]:
    """Rows that look like totals among the others: told, never dropped by guess."""
    first = source.frame.select(source.frame.columns[:3])
    rows = sorted(int(row) for series in first for row in are_totals(series).arg_true())
    faults = []
    for line in [source.line_of(row) for row in dict.fromkeys(rows)][:20]:
        message = Text(
            f"line {line} looks like a total among the rows; it was read as a row",
            f"{line} 行目は合計の行に見えますが、データの行として読みました",
        )
        faults.append(Fault(rule="total-among-rows", line=line, message=message))
    return faults


def _second_table(sheet: str, row: str) -> Fault:
    message = Text(
        f"the sheet '{sheet}' holds two tables beside each other; the larger one was read, the "
        f"other begins in row {row}",
        f"シート '{sheet}' には表が二つ並んでいます。大きい方を読みました"
        f"（もう一方は {row} 行目から）",
    )
    return Fault(rule=TWO_TABLES, line=int(row), message=message)
