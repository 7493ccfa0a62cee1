"""Reads frames from CSV (plain or gzip), Parquet, Excel and other files, by file name.

frame = read_frame("people.csv")
"""

from __future__ import annotations

import csv
import io
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import polars as pl

from tokumei.core.errors import InputError, TokumeiError
from tokumei.core.messages import Message
from tokumei.files.column_types import infer_column_types, lossy_number_columns
from tokumei.files.columnar_files import damaged_error, read_typed
from tokumei.files.columnar_files import read_parquet as read_parquet
from tokumei.files.columnar_files import translate_parquet_errors as translate_parquet_errors
from tokumei.files.csv_parsing import (
    check_header,
    check_separator,
    detect_separator,
    header_record,
    parse_csv,
)
from tokumei.files.encodings import is_utf16, to_utf8
from tokumei.files.file_formats import (
    MAX_BYTES,
    AnyPath,
    ContentGetter,
    FileFormat,
    check_size,
    detect_format,
    input_error,
    load_bytes,
    read_start_until,
    separator_from_name,
)
from tokumei.files.frame_conversion import ArrowFrame, to_polars
from tokumei.files.json_lines import read_json_lines

_MIDNIGHT_TIME = r"^([0-9]{4}-[0-9]{2}-[0-9]{2}) 00:00:00$"


def read_xlsx(path: AnyPath, max_bytes: int) -> pl.DataFrame:
    """The first sheet of a workbook as text cells; its first row names the columns."""
    data = load_bytes(path, FileFormat.XLSX, max_bytes)
    _check_unpacked_size(path, data, max_bytes)
    cells = _read_first_sheet(path, data)
    if cells.is_empty():
        raise input_error(path, Message("the first sheet is empty"))
    names = ["" if name is None else name for name in cells.row(0)]
    check_header(names, path)
    rows = cells.slice(1).rename(dict(zip(cells.columns, names, strict=True)))
    filled = rows.select(~pl.all_horizontal(pl.all().is_null())).to_series().arg_true()
    frame = rows.head(int(filled[-1]) + 1 if len(filled) else 0)
    return frame.select(_clean_sheet_cells(frame[name]) for name in names)


def _check_unpacked_size(path: AnyPath, data: bytes, max_bytes: int) -> None:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, ValueError, OSError):
        raise damaged_error(path, FileFormat.XLSX) from None
    check_size(path, size, max_bytes)


def _read_first_sheet(path: AnyPath, data: bytes) -> pl.DataFrame:
    import fastexcel

    try:
        book = fastexcel.read_excel(data)
        cells: pl.DataFrame = book.load_sheet(0, header_row=None, dtypes="string").to_polars()
    except fastexcel.FastExcelError:
        raise damaged_error(path, FileFormat.XLSX) from None
    return cells


def _clean_sheet_cells(series: pl.Series) -> pl.Series:
    """Empty text is no value, and a day is a day: sheets know only moments."""
    text = series.set(series == "", None)
    days = text.str.contains(_MIDNIGHT_TIME).all()
    return text.str.replace(_MIDNIGHT_TIME, "$1") if days else text


@dataclass(frozen=True, eq=False)
class LoadedFrame:
    """A frame, and the way from a row of it to a line of its file (None: it has no lines).

    `spelled`: columns of numbers as they stand in the file, where numbers would be written
    otherwise.
    """

    frame: pl.DataFrame
    line_of: Callable[[int], int] | None
    spelled: Mapping[str, pl.Series] = field(default_factory=dict)

    @classmethod
    def typed(cls, text: pl.DataFrame, line_of: Callable[[int], int] | None) -> LoadedFrame:
        """Text in the types that its cells decide."""
        frame = infer_column_types(text)
        return cls(frame, line_of, lossy_number_columns(text, frame))


def read_frame(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto", max_bytes: int = MAX_BYTES
) -> pl.DataFrame:
    """The table in a file.

    CSV may be UTF-8, cp932 (Shift_JIS) or UTF-16; its separator is found in the header line
    unless `sep` gives it. Types follow from all cells of a column (see `column_types`), an empty
    cell is null. `max_bytes` limits the content after decompression.
    """
    return load_frame(path, sep, encoding, max_bytes).frame


def read_cells(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> pl.DataFrame:
    """The table in a file, its cells as they stand there: text in CSV, values in Parquet."""
    return load_frame(path, sep, encoding, MAX_BYTES, as_text=True).frame


def load_source(source: AnyPath | ArrowFrame, sep: str | None, encoding: str) -> LoadedFrame:
    """The rows of a file or a frame; texts of either in the types that all cells decide."""
    if isinstance(source, str | os.PathLike):
        return load_frame(source, sep, encoding, MAX_BYTES)
    frame = to_polars(source)
    if not frame.height:
        raise InputError("the frame has no rows")
    return LoadedFrame.typed(frame.with_columns(pl.col(pl.String).replace("", None)), None)


def detect_file_separator(path: AnyPath, *, encoding: str = "auto") -> str:
    """The separator that `read_frame` finds in a CSV file; `,` for the other formats."""
    form = detect_format(path)
    if not is_csv(form):
        return ","
    return separator_from_name(path) or detect_separator(_read_header(path, form, encoding))


def is_csv(form: FileFormat) -> bool:
    """Whether the rows are lines of cells with something between them."""
    return form in (FileFormat.CSV, FileFormat.CSV_GZ)


def read_header_names(path: AnyPath, *, sep: str | None = None) -> list[str]:
    """The names in the first line of a text file; none if a number is among them: a row of cells.

    None either of a file that cannot be read so: whoever reads it will say why.
    """
    try:
        form = detect_format(path)
        if not is_csv(form):
            return []
        head = _read_header(path, form, "auto").decode(errors="replace").strip()
        separator = check_separator(sep) if sep else detect_file_separator(path)
        names = next(csv.reader([head], delimiter=separator), [])
    except (TokumeiError, csv.Error):
        return []
    return [] if any(re.fullmatch(r"[-+.\d]+", name.strip()) for name in names) else names


def _read_header(path: AnyPath, form: FileFormat, encoding: str) -> bytes:
    """The header record, from no more of the file than it takes."""
    start = read_start_until(path, form, lambda data: len(header_record(data)) < len(data))
    if is_utf16(start, encoding):
        return header_record(to_utf8(load_bytes(path, form), encoding, where=path))
    return header_record(start)


def load_frame(
    path: AnyPath,
    sep: str | None,
    encoding: str,
    max_bytes: int,
    *,
    compact: bool = False,
    as_text: bool = False,
    content: ContentGetter | None = None,
) -> LoadedFrame:
    """The frame in a file, and where its rows stand; with `compact`, repetitive text as codes.

    With `decode_categories` the cells of a text file stay as they are. `content`: read ahead.
    """
    form = detect_format(path)
    if form.has_types:
        loaded = LoadedFrame(read_typed(path, form, max_bytes), None)
    elif form is FileFormat.JSON_LINES:
        text, line_of = read_json_lines(path, max_bytes)
        loaded = (LoadedFrame if as_text else LoadedFrame.typed)(text, line_of)
    elif form is FileFormat.XLSX:
        loaded = LoadedFrame.typed(read_xlsx(path, max_bytes), lambda row: row + 2)
    else:
        data = content() if content else load_bytes(path, form, max_bytes)
        data = to_utf8(data, encoding, where=path)
        rows = parse_csv(data, sep=sep or separator_from_name(path), where=path, compact=compact)
        del data
        loaded = (LoadedFrame if as_text else LoadedFrame.typed)(rows.frame, rows.line_of)
    if not loaded.frame.height:
        raise input_error(path, Message("no rows"))
    return loaded
