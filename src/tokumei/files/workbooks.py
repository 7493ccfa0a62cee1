"""Rows as an Excel workbook: one sheet, numbers and dates as such, everything else as text.

No cell is a formula or a link, whatever its text begins with; codes keep their zeros. Equal frames
give equal bytes.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from typing import Any, BinaryIO

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.containers import AnyPath

SHEET = "release"
MOST_ROWS = 2**20 - 1
MOST_CHARACTERS = 2**15 - 1
"""Of a cell, in units of UTF-16: half of them always fit."""
_FORMS = {pl.Date: "yyyy-mm-dd", pl.Datetime: "yyyy-mm-dd hh:mm:ss"}
_LONGEST_NAME = 31
_NOT_IN_NAMES = frozenset("[]:*?/\\")
_EXACT = 2**53
"""Excel's numbers are floats: larger ones leave as text."""


def workbook_writer(
    frame: pl.DataFrame, path: AnyPath, name: str | None = None
) -> Callable[[BinaryIO], None]:
    """What writes the frame as a workbook into a stream; `name` is that of its sheet."""
    try:
        import xlsxwriter
    except ModuleNotFoundError:
        raise UsageError(
            f"{path}: to write workbooks, install tokumei[excel]",
            f"{path}: Excel ファイルの出力には tokumei[excel] のインストールが必要です",
        ) from None
    if frame.height > MOST_ROWS:
        raise UsageError(
            f"{path}: a sheet of Excel holds {MOST_ROWS:,} rows; write CSV or Parquet",
            f"{path}: Excel のシートは {MOST_ROWS:,} 行までです。CSV か Parquet にしてください",
        )
    for column in frame.select(pl.col(pl.String)).columns:
        if (frame[column].str.len_chars() > MOST_CHARACTERS // 2).any():
            raise UsageError(
                f"{path}: a cell of '{column}' is too long for Excel; write CSV or Parquet",
                f"{path}: 列 '{column}' に Excel には長すぎるセルがあります。"
                "CSV か Parquet にしてください",
            )
    title = _sheet_name(name, path)

    def write(stream: BinaryIO) -> None:
        held = io.BytesIO()
        book = xlsxwriter.Workbook(held, {"in_memory": True})
        book.set_properties({"created": dt.datetime(2000, 1, 1)})
        sheet = book.add_worksheet(title)
        for place, column in enumerate(frame.columns):
            sheet.write_string(0, place, column)
            _write_column(book, sheet, place, frame[column])
        book.close()
        stream.write(held.getvalue())

    return write


def _sheet_name(name: str | None, path: AnyPath) -> str:
    """A name that Excel takes."""
    if name is None:
        return SHEET
    bad = not name or len(name) > _LONGEST_NAME or set(name) & _NOT_IN_NAMES
    if bad or name.startswith("'") or name.endswith("'"):
        raise UsageError(
            f"{path}: '{name}' cannot name a sheet (up to {_LONGEST_NAME} characters, none of "
            f"{' '.join(sorted(_NOT_IN_NAMES))})",
            f"{path}: シート名 '{name}' は使えません ({_LONGEST_NAME} 文字以内。"
            f"{' '.join(sorted(_NOT_IN_NAMES))} は不可)",
        )
    return name


def _write_column(book: Any, sheet: Any, place: int, cells: pl.Series) -> None:
    dtype = cells.dtype
    form = next((one for kind, one in _FORMS.items() if dtype == kind), None)
    if form is not None:
        style = book.add_format({"num_format": form})
        naive = cells.dt.replace_time_zone(None) if dtype == pl.Datetime else cells
        for row, cell in enumerate(naive, 1):
            if cell is not None:
                sheet.write_datetime(row, place, cell, style)
        return
    put = sheet.write_string
    if dtype == pl.Boolean:
        put = sheet.write_boolean
    elif dtype.is_numeric() and not (cells.abs() > _EXACT).any():
        put = sheet.write_number
    else:
        cells = cells.cast(pl.String)
    for row, cell in enumerate(cells, 1):
        if cell is not None:
            put(row, place, cell)
