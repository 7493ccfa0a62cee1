"""Parquet files and Excel workbooks to frames."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import polars as pl

from tokumei.core.errors import Fault, InputError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, Format, check_size, input_error, load_bytes
from tokumei.files.csv_text import check_header

_MIDNIGHT = r"^([0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00$"


def read_parquet(path: AnyPath, max_bytes: int) -> pl.DataFrame:
    """The table in a Parquet file, with the types the file declares."""
    data = load_bytes(path, Format.PARQUET, max_bytes)
    with undamaged(path, Format.PARQUET):
        lazy = pl.scan_parquet(io.BytesIO(data))
        schema = lazy.collect_schema()
        rows = lazy.select(pl.len()).collect().item()
        # A few bytes can stand for very many equal cells: each needs one at least.
        check_size(path, rows * len(schema), max_bytes)
        _require_flat(schema, path)
        frame = lazy.collect()
    check_header(frame.columns, path)
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def read_xlsx(path: AnyPath, max_bytes: int) -> pl.DataFrame:
    """The first sheet of a workbook as text cells; its first row names the columns."""
    data = load_bytes(path, Format.XLSX, max_bytes)
    _check_unpacked(path, data, max_bytes)
    cells = _first_sheet(path, data)
    if cells.is_empty():
        raise input_error(path, Text("the first sheet is empty", "最初のシートが空です"))
    names = ["" if name is None else name for name in cells.row(0)]
    check_header(names, path)
    frame = _without_blank_end(cells.slice(1)).rename(dict(zip(cells.columns, names, strict=True)))
    return frame.select(_plain_cells(frame[name]) for name in names)


def _require_flat(schema: pl.Schema, path: AnyPath) -> None:
    faults = [_nested(name, t) for name, t in schema.items() if t.is_nested() or t == pl.Binary]
    if faults:
        reason = Text("a cell must hold one value", "一つのセルには一つの値しか入れられません")
        raise input_error(path, reason, faults=faults)


def _nested(name: str, dtype: pl.DataType) -> Fault:
    message = Text(
        f"column '{name}' holds {dtype}; numbers, dates and text are possible",
        f"列 '{name}' の型は {dtype} です。数値・日付・文字列だけが使えます",
    )
    return Fault(rule="type", column=name, message=message)


def _check_unpacked(path: AnyPath, data: bytes, max_bytes: int) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):
        raise _damaged(path, Format.XLSX) from None
    check_size(path, size, max_bytes)


def _first_sheet(path: AnyPath, data: bytes) -> pl.DataFrame:
    import fastexcel

    try:
        book: Any = fastexcel.read_excel(data)
        cells: pl.DataFrame = book.load_sheet(0, header_row=None, dtypes="string").to_polars()
    except fastexcel.FastExcelError:
        raise _damaged(path, Format.XLSX) from None
    return cells


def _without_blank_end(frame: pl.DataFrame) -> pl.DataFrame:
    filled = frame.select(~pl.all_horizontal(pl.all().is_null())).to_series().arg_true()
    return frame.head(int(filled[-1]) + 1 if len(filled) else 0)


def _plain_cells(series: pl.Series) -> pl.Series:
    """Empty text is no value, and a day is a day: sheets know only moments."""
    text = series.set(series == "", None)
    days = text.str.contains(_MIDNIGHT).all()
    return text.str.replace(_MIDNIGHT, "$1") if days else text


@contextmanager
def undamaged(path: AnyPath, form: Format) -> Iterator[None]:
    """Turn what Polars finds wrong with a Parquet file inside the block into an InputError."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError):
        if form is not Format.PARQUET:
            raise
        raise _damaged(path, form) from None


def _damaged(path: AnyPath, form: Format) -> InputError:
    return input_error(
        path,
        Text(
            f"the {form.value} file is damaged or incomplete",
            f"{form.value} ファイルが壊れているか、途中で切れています",
        ),
    )
