"""Frames from files: CSV (plain or gzip), Parquet and Excel, by the file's name.

frame = read_frame("people.csv")
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl

from tokumei.core.text import Text
from tokumei.files.binary_files import read_parquet, read_xlsx
from tokumei.files.column_types import typed
from tokumei.files.containers import (
    MAX_BYTES,
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    read_until,
    suffix_of,
)
from tokumei.files.csv_text import detect_separator, header_bytes, parse_csv
from tokumei.files.encodings import is_utf16, to_utf8


@dataclass(frozen=True, eq=False)
class Loaded:
    """A frame, and the way from a row of it to a line of its file (None: it has no lines)."""

    frame: pl.DataFrame
    line_of: Callable[[int], int] | None


def read_frame(
    path: AnyPath, *, sep: str | None = None, encoding: str = "auto", max_bytes: int = MAX_BYTES
) -> pl.DataFrame:
    """The table in a file.

    CSV may be UTF-8, cp932 (Shift_JIS) or UTF-16; its separator is found in the header line
    unless `sep` gives it. Types follow from all cells of a column (see `column_types`), an empty
    cell is null. `max_bytes` limits the content after decompression.
    """
    return load(path, sep, encoding, max_bytes).frame


def separator_of(path: AnyPath, *, encoding: str = "auto") -> str:
    """The separator that `read_frame` finds in a CSV file; `,` for the other formats."""
    form = format_of(path)
    if form in (Format.PARQUET, Format.XLSX):
        return ","
    return _separator(path) or detect_separator(_head(path, form, encoding))


def _head(path: AnyPath, form: Format, encoding: str) -> bytes:
    """The header record, from no more of the file than it takes."""
    start = read_until(path, form, lambda data: len(header_bytes(data)) < len(data))
    if is_utf16(start, encoding):
        return header_bytes(_csv_bytes(path, form, encoding))
    return header_bytes(start)


def load(
    path: AnyPath, sep: str | None, encoding: str, max_bytes: int, *, compact: bool = False
) -> Loaded:
    """The frame in a file, and where its rows stand; with `compact`, repetitive text as codes."""
    form = format_of(path)
    if form is Format.PARQUET:
        loaded = Loaded(read_parquet(path, max_bytes), None)
    elif form is Format.XLSX:
        loaded = Loaded(typed(read_xlsx(path, max_bytes)), lambda row: row + 2)
    else:
        loaded = _load_csv(path, sep or _separator(path), encoding, max_bytes, compact)
    if not loaded.frame.height:
        raise input_error(path, Text("no rows", "行がありません"))
    return loaded


def _load_csv(
    path: AnyPath, sep: str | None, encoding: str, max_bytes: int, compact: bool
) -> Loaded:
    data = _csv_bytes(path, format_of(path), encoding, max_bytes)
    rows = parse_csv(data, sep=sep, where=path, compact=compact)
    del data
    return Loaded(typed(rows.frame), rows.line_of)


def _csv_bytes(path: AnyPath, form: Format, encoding: str, max_bytes: int = MAX_BYTES) -> bytes:
    return to_utf8(load_bytes(path, form, max_bytes), encoding, where=path)


def _separator(path: AnyPath) -> str | None:
    return "\t" if suffix_of(path).startswith(".tsv") else None
