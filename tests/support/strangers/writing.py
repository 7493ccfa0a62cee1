"""Strangers' tables as files: CSV in several dialects, workbooks."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.strangers.labels import Stranger


def write_stranger(table: Stranger, folder: Path) -> Path:
    """The table's file in a folder."""
    path = folder / table.file
    if table.sheet is not None:
        _write_book(table, path)
    else:
        path.write_bytes(_csv_bytes(table))
    return path


def lines_of(table: Stranger) -> list[list[Any]]:
    """Title lines, header, rows and total lines."""
    width = len(table.columns)
    wide = [[*line, *[""] * (width - len(line))] for line in table.titles]
    names = [[column.name for column in table.columns]] if table.header else []
    rows = [list(row) for row in zip(*(c.cells for c in table.columns), strict=True)]
    ends = [[*line, *[""] * (width - len(line))] for line in table.totals]
    return [*wide, *names, *rows, *ends]


def _csv_bytes(table: Stranger) -> bytes:
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if table.quote_all else csv.QUOTE_MINIMAL
    writer = csv.writer(text, delimiter=table.separator, quoting=quoting, lineterminator="\r\n")
    writer.writerows(lines_of(table))
    return text.getvalue().encode(table.encoding)


def _write_book(table: Stranger, path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(str(path)) as book:
        for name in table.others:
            book.add_worksheet(name).write_string(0, 0, name)
        sheet = book.add_worksheet(table.sheet)
        for y, line in enumerate(lines_of(table)):
            _write_line(sheet, y, line)


def _write_line(sheet: Any, y: int, line: Sequence[Any]) -> None:
    for x, cell in enumerate(line):
        if isinstance(cell, int | float):
            sheet.write_number(y, x, cell)
        elif cell != "":
            sheet.write_string(y, x, str(cell))
