"""Reads workbooks with several sheets, titles, blank columns or two tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from tokumei.core.errors import UnknownNameError
from tokumei.core.messages import Message
from tokumei.files.file_formats import MAX_BYTES, AnyPath, FileFormat, input_error, load_bytes


@dataclass(frozen=True, eq=False)
class Sheet:
    """The cells of one sheet as text, all sheets' names, and where a second table stands."""

    cells: pl.DataFrame
    name: str
    names: tuple[str, ...]
    second: str = ""


def read_sheet(path: AnyPath, sheet_name: str | None = None) -> Sheet:
    """The named sheet, or the one with most filled cells."""
    data = load_bytes(path, FileFormat.XLSX, MAX_BYTES)
    book = _open_workbook(path, data)
    names = tuple(book.sheet_names)
    if sheet_name is not None and sheet_name not in names:
        raise UnknownNameError(Message("sheet"), sheet_name, names)
    sheets = {name: _read_cells(book, name) for name in ((sheet_name,) if sheet_name else names)}
    name = max(sheets, key=lambda candidate_name: _count_filled(sheets[candidate_name]))
    if not _count_filled(sheets[name]):
        raise input_error(path, Message("the workbook has no cells"))
    blocks = _split_column_blocks(sheets[name])
    cells = max(blocks, key=_count_filled)
    other_blocks = [
        b for b in blocks if b is not cells and b.width > 1 and _count_filled(b) >= 2 * b.width
    ]
    return Sheet(cells, name, names, _first_filled_row(other_blocks[0]) if other_blocks else "")


def _open_workbook(path: AnyPath, data: bytes) -> Any:
    import fastexcel

    try:
        return fastexcel.read_excel(data)
    except fastexcel.FastExcelError:
        raise input_error(
            path, Message("the workbook is damaged or protected by a password")
        ) from None


def _read_cells(book: Any, name: str) -> pl.DataFrame:
    import fastexcel

    try:
        cells: pl.DataFrame = book.load_sheet(
            name, header_row=None, skip_rows=0, dtypes="string"
        ).to_polars()
    except fastexcel.FastExcelError:  # a sheet without a single cell
        return pl.DataFrame()
    return cells.with_columns(
        pl.when(pl.col(column).str.strip_chars() != "").then(pl.col(column))
        for column in cells.columns
    )


def _count_filled(cells: pl.DataFrame) -> int:
    return sum(len(s) - s.null_count() for s in cells)


def _split_column_blocks(cells: pl.DataFrame) -> list[pl.DataFrame]:
    """Tables beside each other: runs of columns between blank ones."""
    blocks: list[list[str]] = [[]]
    for series in cells:
        if series.null_count() < len(series):
            blocks[-1].append(series.name)
        elif blocks[-1]:
            blocks.append([])
    return [cells.select(block) for block in blocks if block]


def _first_filled_row(cells: pl.DataFrame) -> str:
    """Where a block begins, by the number of its first filled row."""
    has_content = cells.select(pl.any_horizontal(pl.all().is_not_null())).to_series()
    return str(int(has_content.arg_true()[0]) + 1)
