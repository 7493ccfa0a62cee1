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
_EXACT = 2**53
"""Excel's numbers are floats: larger ones leave as text."""


def workbook_writer(frame: pl.DataFrame, path: AnyPath) -> Callable[[BinaryIO], None]:
    """What writes the frame as a workbook into a stream."""
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
    for name in frame.select(pl.col(pl.String)).columns:
        if (frame[name].str.len_chars() > MOST_CHARACTERS // 2).any():
            raise UsageError(
                f"{path}: a cell of '{name}' is too long for Excel; write CSV or Parquet",
                f"{path}: 列 '{name}' に Excel には長すぎるセルがあります。"
                "CSV か Parquet にしてください",
            )

    def write(stream: BinaryIO) -> None:
        held = io.BytesIO()
        book = xlsxwriter.Workbook(held, {"in_memory": True})
        book.set_properties({"created": dt.datetime(2000, 1, 1)})
        sheet = book.add_worksheet(SHEET)
        for place, name in enumerate(frame.columns):
            sheet.write_string(0, place, name)
            _write_column(book, sheet, place, frame[name])
        book.close()
        stream.write(held.getvalue())

    return write


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
