"""Cells that do not fit their column: listed by line, shown by shape."""

from __future__ import annotations

import polars as pl

from tokumei.core.cells import LineOf
from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.tables.look.column_cells import ColumnCells
from tokumei.tables.look.result import LookColumn
from tokumei.tables.look.shapes import shape
from tokumei.tables.look.source import Source

LISTED = 5
"""How many cells of a column are listed."""


def bad_cells(source: Source, column: LookColumn, cells: ColumnCells) -> list[Fault]:
    """The first cells of a column of numbers or days that are neither."""
    if column.kind == "numeric":
        good = cells.numbers.values.is_not_null()
    else:
        good = cells.days(column.style)["day"].is_not_null()
    bad = cells.filled.filter(~good)
    if not len(bad):
        return []
    raw = cells.raw.filter(cells.text.is_in(bad.to_list()))
    texts = source.frame[column.name]
    rows = texts.is_in(raw.to_list()).fill_null(False).arg_true()
    return [bad_cell(texts, int(row), column, source.line_of) for row in rows.head(LISTED)]


def bad_cell(cells: pl.Series, row: int, column: LookColumn, line_of: LineOf | None) -> Fault:
    """The fault of a cell that is no number, or no day, where most are."""
    line, form = line_of(row) if line_of else None, shape(cells[row])
    word = Text("number", "数値") if column.kind == "numeric" else Text("date", "日付")
    place = Text(f"line {line}", f"{line} 行目")
    if line is None:
        place = Text(f"row {row} (from 0)", f"第 {row} 行 (0 始まり)")
    message = Text(
        f"{place.en}, {column.name}: a cell of the form '{form}' is no {word.en}",
        f"{place.ja} {column.name}: '{form}' の形のセルは{word.ja}ではありません",
    )
    return Fault(rule="bad-cell", line=line, column=column.name, message=message)
