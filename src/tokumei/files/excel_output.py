"""Writes rows as an Excel workbook with one sheet.

No cell is a formula or a link, whatever its text begins with; codes keep their zeros. What Excel
does not hold exactly or does not show leaves as text: long numbers, fractions of seconds, time
zones, days before March 1900. Equal frames give equal bytes.
"""

from __future__ import annotations

import datetime as dt
import io
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.files.column_types import to_csv_text
from tokumei.files.file_formats import AnyPath

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

DEFAULT_SHEET = "release"
MAX_ROWS = 2**20 - 1
MAX_CELL_CHARACTERS = 2**15 - 1
"""Of a cell, in units of UTF-16: half of them always fit."""
_DATE_FORMATS = {pl.Date: "yyyy-mm-dd", pl.Datetime: "yyyy-mm-dd hh:mm:ss"}
_MAX_SHEET_NAME = 31
_FORBIDDEN_CHARACTERS = frozenset("[]:*?/\\")
_MAX_EXACT_INTEGER = 2**53
"""Excel's numbers are floats: larger ones leave as text."""
_FIRST_EXCEL_DAY = dt.date(1900, 3, 1)
"""Excel takes 1900 for a leap year and knows no day before it."""


def workbook_writer(
    frame: pl.DataFrame, path: AnyPath, name: str | None = None
) -> Callable[[BinaryIO], None]:
    """A function that writes the frame as a workbook into a stream; `name` is that of its sheet."""
    try:
        import xlsxwriter
    except ModuleNotFoundError:
        raise UsageError("{path}: to write workbooks, install tokumei[excel]", path=path) from None
    if frame.height > MAX_ROWS:
        raise UsageError(
            "{path}: a sheet of Excel holds {most:,} rows; write CSV or Parquet",
            path=path,
            most=MAX_ROWS,
        )
    cells = frame.with_columns(pl.col(pl.String).replace("", None))
    if cells.select(pl.all_horizontal(pl.all().is_null()).any()).item():
        raise UsageError(
            "{path}: a sheet of Excel does not show a row without any cell; write CSV or Parquet",
            path=path,
        )
    for column in frame.select(pl.col(pl.String)).columns:
        if (frame[column].str.len_chars() > MAX_CELL_CHARACTERS // 2).any():
            raise UsageError(
                "{path}: a cell of '{column}' is too long for Excel; write CSV or Parquet",
                path=path,
                column=column,
            )
    title = _check_sheet_name(name, path)

    def write(stream: BinaryIO) -> None:
        buffer = io.BytesIO()
        book = xlsxwriter.Workbook(buffer, {"in_memory": True})
        book.set_properties({"created": dt.datetime(2000, 1, 1)})
        sheet = book.add_worksheet(title)
        for column_index, column in enumerate(frame.columns):
            sheet.write_string(0, column_index, column)
            _write_column(book, sheet, column_index, frame[column])
        book.close()
        stream.write(buffer.getvalue())

    return write


def _check_sheet_name(name: str | None, path: AnyPath) -> str:
    """A name that Excel takes."""
    if name is None:
        return DEFAULT_SHEET
    bad = not name or len(name) > _MAX_SHEET_NAME or set(name) & _FORBIDDEN_CHARACTERS
    if bad or name.startswith("'") or name.endswith("'"):
        raise UsageError(
            "{path}: '{name}' cannot name a sheet (up to {most} characters, none of {forbidden})",
            path=path,
            name=name,
            most=_MAX_SHEET_NAME,
            forbidden=" ".join(sorted(_FORBIDDEN_CHARACTERS)),
        )
    return name


class _ExactFloat(float):
    """A float that is written with all its digits: the writer of workbooks asks for 16."""

    def __format__(self, spec: str) -> str:
        return repr(float(self))


def _write_column(book: Workbook, sheet: Worksheet, column_index: int, cells: pl.Series) -> None:
    dtype = cells.dtype
    write_cell = sheet.write_string
    if dtype == pl.Boolean:
        write_cell = sheet.write_boolean
    elif dtype.is_numeric() and _are_exact_in_excel(cells):
        write_cell = sheet.write_number
    elif dtype in (pl.Date, pl.Datetime) and _are_shown_in_excel(cells):
        style = book.add_format({"num_format": _DATE_FORMATS[dtype.base_type()]})
        write_cell = partial(sheet.write_datetime, cell_format=style)
    else:
        cells = to_csv_text(cells.to_frame()).to_series()
    for row, cell in enumerate(cells, 1):
        if cell is not None:
            write_cell(row, column_index, _ExactFloat(cell) if isinstance(cell, float) else cell)


def _are_exact_in_excel(numbers: pl.Series) -> bool:
    """Whether all numbers are floats of Excel, which shows no sign of a zero."""
    low, high = numbers.min(), numbers.max()
    if low is not None and not -_MAX_EXACT_INTEGER <= low <= high <= _MAX_EXACT_INTEGER:  # type: ignore[operator]
        return False
    if numbers.dtype.is_float() and (numbers.filter(numbers == 0).cast(pl.String) == "-0.0").any():
        return False
    decimals = numbers.drop_nulls() if isinstance(numbers.dtype, pl.Decimal) else ()
    return all(Decimal(repr(float(decimal))) == decimal for decimal in decimals)


def _are_shown_in_excel(moments: pl.Series) -> bool:
    """Whether Excel shows all days and times as they are."""
    if (moments.cast(pl.Date) < _FIRST_EXCEL_DAY).any():
        return False
    if not isinstance(moments.dtype, pl.Datetime):
        return True
    return moments.dtype.time_zone is None and bool((moments.dt.truncate("1s") == moments).all())
