"""Reads a file as a frame of text cells, with its dialect.

source = read_source("顧客台帳.csv")
source.frame, source.encoding, source.header_row
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.fields import field_value
from tokumei.core.messages import Message
from tokumei.files.columnar_files import read_typed
from tokumei.files.file_formats import (
    MAX_BYTES,
    AnyPath,
    FileFormat,
    detect_format,
    file_suffix,
    input_error,
    load_bytes,
)
from tokumei.files.frame_conversion import require_plain_names, to_polars
from tokumei.files.json_lines import read_json_lines
from tokumei.tables.data.table import Table
from tokumei.tables.profiling.reading.csv_source import CsvText, read_csv_text
from tokumei.tables.profiling.reading.dialect import AUTO_DIALECT, NO_HEADER, Dialect
from tokumei.tables.profiling.reading.encoding import decode
from tokumei.tables.profiling.reading.table_boundaries import (
    CellRow,
    TableStart,
    count_footer_lines,
    find_larger_table,
    find_renamed_columns,
    find_table_bounds,
    header_names,
    is_total_label,
)
from tokumei.tables.profiling.reading.workbook import read_sheet

_HEAD_ROWS, _TAIL_ROWS = 80, 40
_GLANCE_BYTES = 200
_JSON_START = re.compile(rb"\s*(?:\[\s*)?\{\s*(?:\"[^\"]*\"\s*:|\})|\s*\[\s*[\[\"]")
FORMATS_WITHOUT_LINES = frozenset(
    {"frame", *(form.name.lower() for form in FileFormat if form.has_records)}
)
"""How a source of records is called: it has no header line, and none that could be skipped."""
TWO_TABLES_RULE = "two-tables"


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
    warnings: tuple[Violation, ...] = ()
    renamed: tuple[str, ...] = ()
    """Columns without a name of their own in the file."""

    @property
    def second(self) -> Violation | None:
        """What is to be said of a second table, which was not read; None: there is none."""
        return next((warning for warning in self.warnings if warning.rule == TWO_TABLES_RULE), None)

    @property
    def dialect(self) -> dict[str, object]:
        """How the file is written, as side files say it."""
        options = {"encoding": self.encoding, "separator": self.separator, "sheet": self.sheet}
        return {**options, "header_row": self.header_row, "skipped": self.skipped}

    @property
    def skipped(self) -> dict[str, int]:
        """How many lines are no rows."""
        return {"above": self.above, "below": self.below, "empty": self.empty}

    def line_of(self, row: int) -> int:
        """The line (sheet row) of a row, from 1."""
        return row + 1 if self.lines is None else int(self.lines[row])


def read_source(data: object, dialect: Dialect = AUTO_DIALECT) -> Source:
    """The table in a file or frame, as text."""
    if not isinstance(data, str | Path):
        frame = data.frame if isinstance(data, Table) else to_polars(data)
        return Source(_cast_to_text(frame), "", "frame")
    file_format = detect_format(data)
    dialect.require_used(data, file_format)
    if file_format.has_types:
        frame = read_typed(data, file_format, MAX_BYTES)
        source = Source(_cast_to_text(frame), Path(data).name, file_format.name.lower())
    elif file_format is FileFormat.JSON_LINES:
        text, _ = read_json_lines(data, MAX_BYTES)
        source = Source(text, Path(data).name, file_format.name.lower())
    elif file_format is FileFormat.XLSX:
        source = _read_workbook_source(data, dialect)
    else:
        source = _read_csv_source(data, file_format, dialect)
    require_plain_names(source.frame.columns, where=str(data))
    # A row of a Parquet file, for example, is a row, whatever it holds.
    return source if file_format.has_records else _drop_empty_lines(source)


def _cast_to_text(frame: pl.DataFrame) -> pl.DataFrame:
    floats = pl.col(pl.Float32, pl.Float64).fill_nan(None)
    return frame.with_columns(floats).with_columns(pl.all().cast(pl.String))


def _read_csv_source(path: AnyPath, file_format: FileFormat, dialect: Dialect) -> Source:
    raw = load_bytes(path, file_format)
    decoded = decode(raw, dialect.encoding, where=path, replace=dialect.replace)
    if _JSON_START.match(decoded.data[:_GLANCE_BYTES]):
        raise InputError("{path}: this is JSON, not a table of rows and columns", path=path)
    text = CsvText.of(decoded.data, dialect.separator, where=path)
    bounds = _locate_header(text.head, text.width, dialect)
    below = count_footer_lines(text.tail[max(0, bounds.first - text.before_tail) :], text.width)
    csv_table = read_csv_text(text, bounds, below, where=path)
    return Source(
        csv_table.frame,
        Path(path).name,
        "tsv" if file_suffix(path).startswith(".tsv") else "csv",
        decoded.encoding,
        text.separator,
        header_row=None if bounds.header is None else csv_table.header_line,
        above=bounds.first - (bounds.header is not None) - csv_table.blank_above,
        below=below - csv_table.blank_below,
        empty=csv_table.blank_above + csv_table.blank_below + csv_table.empty,
        bom=decoded.encoding == "utf-8-sig",
        replaced=decoded.replaced,
        lines=csv_table.lines,
        renamed=find_renamed_columns(bounds, text.head),
    )


def _read_workbook_source(path: AnyPath, dialect: Dialect) -> Source:
    sheet = read_sheet(path, dialect.sheet)
    head = sheet.cells.head(_HEAD_ROWS).rows()
    bounds = _locate_header(head, sheet.cells.width, dialect)
    body_cells = sheet.cells.slice(bounds.first)
    below = count_footer_lines(body_cells.tail(_TAIL_ROWS).rows(), body_cells.width)
    rows = body_cells.head(body_cells.height - below)
    blank_above = sum(not any(row) for row in head[: bounds.first])
    blank_below = sum(not any(row) for row in body_cells.tail(below).rows()) if below else 0
    warnings = (_second_table_warning(sheet.name, sheet.second),) if sheet.second else ()
    return Source(
        rows.rename(dict(zip(rows.columns, bounds.names, strict=True))),
        Path(path).name,
        "xlsx",
        sheet=sheet.name,
        sheets=sheet.names,
        header_row=None if bounds.header is None else bounds.header + 1,
        above=bounds.first - (bounds.header is not None) - blank_above,
        below=below - blank_below,
        empty=blank_above + blank_below,
        lines=np.arange(rows.height) + bounds.first + 1,
        warnings=warnings,
        renamed=find_renamed_columns(bounds, head),
    )


def _locate_header(head: Sequence[CellRow], width: int, dialect: Dialect) -> TableStart:
    """Where the names stand, found or given."""
    header_row = dialect.header_row
    if header_row is None:
        return find_table_bounds(head, width)
    if header_row == NO_HEADER:
        return TableStart(None, 0, tuple(f"column{j}" for j in range(1, width + 1)))
    row = int(header_row) - 1
    if not 0 <= row < len(head):
        raise UsageError(
            "{option}: the header must be one of the first {lines} lines",
            field="header_row",
            value=header_row,
            option=field_value("header_row", header_row),
            lines=len(head),
        )
    return TableStart(row, row + 1, header_names(head[row], (), width))


def _drop_empty_lines(source: Source) -> Source:
    """Without blank rows and columns that have neither name nor cell, with warnings of totals."""
    frame = source.frame
    nameless_columns = _find_nameless_columns(frame)
    frame = frame.drop(nameless_columns) if len(nameless_columns) < frame.width else frame
    has_content = frame.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    if not frame.width or (not source.file and not frame.height):
        raise input_error(source.file, Message("there is no column"))
    empty_count = frame.height - int(has_content.sum())
    lines = source.lines
    if empty_count:
        frame = frame.filter(has_content)
        lines = (np.arange(len(has_content)) + 1 if lines is None else lines)[
            has_content.to_numpy()
        ]
    cleaned = _keep_larger_table(
        replace(source, frame=frame, lines=lines, empty=source.empty + empty_count)
    )
    return replace(cleaned, warnings=(*cleaned.warnings, *_warn_of_totals(cleaned)))


def _find_nameless_columns(frame: pl.DataFrame) -> list[str]:
    """Columns that have neither name nor cell."""
    return [s.name for s in frame if s.name.startswith("Unnamed: ") and s.null_count() == len(s)]


def _keep_larger_table(source: Source) -> Source:
    """The larger table, where a second one stands below; with a warning."""
    if source.lines is None or (larger := find_larger_table(source.frame, source.lines)) is None:
        return source
    frame, other_line = larger.frame, larger.other
    if larger.header is not None and source.header_row is not None:
        other_line = source.header_row
    message = Message(
        "another table begins in line {line}; the larger one was read", line=other_line
    )
    warning = Violation(rule=TWO_TABLES_RULE, line=other_line, message=message)
    return replace(
        source,
        frame=frame.drop(_find_nameless_columns(frame)),
        lines=larger.lines,
        header_row=larger.header or source.header_row,
        warnings=(*source.warnings, warning),
    )


def _warn_of_totals(source: Source) -> list[Violation]:
    """Rows that look like totals among the others: told, never dropped by guess."""
    first_columns = source.frame.select(source.frame.columns[:3])
    rows = sorted(int(row) for series in first_columns for row in is_total_label(series).arg_true())
    violations = []
    for line in [source.line_of(row) for row in dict.fromkeys(rows)][:20]:
        message = Message(
            "line {line} looks like a total among the rows; it was read as a row", line=line
        )
        violations.append(Violation(rule="total-among-rows", line=line, message=message))
    return violations


def _second_table_warning(sheet: str, row: str) -> Violation:
    message = Message(
        "the sheet '{sheet}' holds two tables side by side; the larger one was read, the other "
        "begins in row {row}",
        sheet=sheet,
        row=row,
    )
    return Violation(rule=TWO_TABLES_RULE, line=int(row), message=message)
