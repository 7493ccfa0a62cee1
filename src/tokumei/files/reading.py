"""Frames from files: CSV (plain or gzip), Parquet and Excel, by the file's name.

frame = read_frame("people.csv")
"""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from tokumei.core.errors import Fault, InputError, TokumeiError
from tokumei.core.text import Text
from tokumei.files.column_types import spellings, typed
from tokumei.files.containers import (
    MAX_BYTES,
    AnyPath,
    Content,
    Format,
    check_size,
    format_of,
    input_error,
    load_bytes,
    own_separator,
    read_until,
)
from tokumei.files.csv_text import check_header, detect_separator, header_bytes, parse_csv
from tokumei.files.encodings import is_utf16, to_utf8
from tokumei.files.frames import Frame, to_polars

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
        raise input_error(path, "the first sheet is empty", "最初のシートが空です")
    names = ["" if name is None else name for name in cells.row(0)]
    check_header(names, path)
    rows = cells.slice(1).rename(dict(zip(cells.columns, names, strict=True)))
    filled = rows.select(~pl.all_horizontal(pl.all().is_null())).to_series().arg_true()
    frame = rows.head(int(filled[-1]) + 1 if len(filled) else 0)
    return frame.select(_plain_cells(frame[name]) for name in names)


_NOT_IN_CELLS = (pl.Binary, pl.Duration)
"""Spans of time have no text in a CSV file."""


def _require_flat(schema: pl.Schema, path: AnyPath) -> None:
    bad = [(name, t) for name, t in schema.items() if t.is_nested() or t in _NOT_IN_CELLS]
    if faults := [_nested(name, dtype) for name, dtype in bad]:
        reason = Text(
            "a cell must hold one number, date or text",
            "一つのセルには一つの数値・日付・文字列しか入れられません",
        )
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
        f"the {form.value} file is damaged or incomplete",
        f"{form.value} ファイルが壊れているか、途中で切れています",
    )


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, and the way from a row of it to a line of its file (None: it has no lines).

    `spelled`: columns of numbers as they stand in the file, where numbers would be written
    otherwise.
    """

    frame: pl.DataFrame
    line_of: Callable[[int], int] | None
    spelled: Mapping[str, pl.Series] = field(default_factory=dict)

    @classmethod
    def typed(cls, text: pl.DataFrame, line_of: Callable[[int], int] | None) -> Loaded:
        """Text in the types that its cells decide."""
        frame = typed(text)
        return cls(frame, line_of, spellings(text, frame))


def read_frame(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto", max_bytes: int = MAX_BYTES
) -> pl.DataFrame:
    """The table in a file.

    CSV may be UTF-8, cp932 (Shift_JIS) or UTF-16; its separator is found in the header line
    unless `sep` gives it. Types follow from all cells of a column (see `column_types`), an empty
    cell is null. `max_bytes` limits the content after decompression.
    """
    return load(path, sep, encoding, max_bytes).frame


def read_cells(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> pl.DataFrame:
    """The table in a file, its cells as they stand there: text in CSV, values in Parquet."""
    return load(path, sep, encoding, MAX_BYTES, as_text=True).frame


def load_source(source: AnyPath | Frame, sep: str | None, encoding: str) -> Loaded:
    """The rows of a file or a frame; texts of either in the types that all cells decide."""
    if isinstance(source, str | os.PathLike):
        return load(source, sep, encoding, MAX_BYTES)
    frame = to_polars(source)
    if not frame.height:
        raise InputError("the frame has no rows", "表に行がありません")
    return Loaded.typed(frame.with_columns(pl.col(pl.String).replace("", None)), None)


def separator_of(path: AnyPath, *, encoding: str = "auto") -> str:
    """The separator that `read_frame` finds in a CSV file; `,` for the other formats."""
    form = format_of(path)
    if form in (Format.PARQUET, Format.XLSX):
        return ","
    return own_separator(path) or detect_separator(_head(path, form, encoding))


def first_names(path: AnyPath, *, sep: str | None = None) -> list[str]:
    """The names in the first line of a text file; none if a number is among them: a row of cells.

    None either of a file that cannot be read so: whoever reads it will say why.
    """
    try:
        form = format_of(path)
        if form in (Format.PARQUET, Format.XLSX):
            return []
        head = _head(path, form, "auto").decode(errors="replace").strip()
        names = next(csv.reader([head], delimiter=sep or separator_of(path)), [])
    except (TokumeiError, csv.Error):
        return []
    return [] if any(re.fullmatch(r"[-+.\d]+", name.strip()) for name in names) else names


def _head(path: AnyPath, form: Format, encoding: str) -> bytes:
    """The header record, from no more of the file than it takes."""
    start = read_until(path, form, lambda data: len(header_bytes(data)) < len(data))
    if is_utf16(start, encoding):
        return header_bytes(to_utf8(load_bytes(path, form), encoding, where=path))
    return header_bytes(start)


def load(
    path: AnyPath,
    sep: str | None,
    encoding: str,
    max_bytes: int,
    *,
    compact: bool = False,
    as_text: bool = False,
    content: Content | None = None,
) -> Loaded:
    """The frame in a file, and where its rows stand; with `compact`, repetitive text as codes.

    With `as_text` the cells of a text file stay as they are. `content`: read ahead.
    """
    form = format_of(path)
    if form is Format.PARQUET:
        loaded = Loaded(read_parquet(path, max_bytes), None)
    elif form is Format.XLSX:
        loaded = Loaded.typed(read_xlsx(path, max_bytes), lambda row: row + 2)
    else:
        data = content() if content else load_bytes(path, form, max_bytes)
        data = to_utf8(data, encoding, where=path)
        rows = parse_csv(data, sep=sep or own_separator(path), where=path, compact=compact)
        del data
        loaded = (Loaded if as_text else Loaded.typed)(rows.frame, rows.line_of)
    if not loaded.frame.height:
        raise input_error(path, "no rows", "行がありません")
    return loaded
