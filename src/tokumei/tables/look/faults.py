"""Cells that do not fit their column: listed by line, shown by shape."""

from __future__ import annotations

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
    rows = source.frame[column.name].is_in(raw.to_list()).fill_null(False).arg_true()
    word = Text("number", "数値") if column.kind == "numeric" else Text("date", "日付")
    return [_fault(source, column.name, int(row), word) for row in rows.head(LISTED)]


def _fault(source: Source, name: str, row: int, word: Text) -> Fault:
    line = source.line_of(row)
    cell = shape(str(source.frame[name][row]))
    message = Text(
        f"line {line}, {name}: a cell of the form '{cell}' is no {word.en}",
        f"{line} 行目 {name}: '{cell}' の形のセルは{word.ja}ではありません",
    )
    return Fault(rule="bad-cell", line=line, column=name, message=message)
