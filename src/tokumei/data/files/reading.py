"""Tables from files: CSV (plain or gzip), Parquet and Excel, by the file's name.

table = read_table("people.csv", qi=["age", "sex"], sa=["income"])
link = read_link("secret.csv", released=table.rows, original=1000)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from tokumei.data.files.binary_files import read_parquet, read_xlsx
from tokumei.data.files.column_types import typed
from tokumei.data.files.csv_text import detect_separator, header_bytes, parse_csv
from tokumei.data.files.encodings import is_utf16, to_utf8
from tokumei.data.files.formats import (
    MAX_BYTES,
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    read_until,
    sha256,
    suffix_of,
)
from tokumei.data.files.links import read_link
from tokumei.data.infer import schema_for
from tokumei.data.kinds import as_kinds
from tokumei.data.table import Table, require_numbers, simple_frame
from tokumei.text import Text

__all__ = ["read_frame", "read_link", "read_table", "separator_of", "sha256"]


@dataclass(frozen=True, eq=False)
class _Loaded:
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
    return _load(path, sep, encoding, max_bytes).frame


def read_table(
    path: AnyPath,
    *,
    qi: Sequence[str] | None = None,
    sa: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    sep: str | None = None,
    encoding: str = "auto",
    release: bool = False,
    compact: bool = False,
) -> Table:
    """The table in a file with its roles; sensitive cells must be finite numbers.

    In a `release` they may be generalized as well (`[1;5]`, `{1;2}`, `*`). With `compact`, text
    that repeats itself comes as codes (see `compact.py`).
    """
    loaded = _load(path, sep, encoding, MAX_BYTES, compact=compact)
    where = str(path)
    frame = as_kinds(loaded.frame, kinds or {}, where=where, line_of=loaded.line_of)
    plain = simple_frame(frame)
    schema = schema_for(plain, qi=qi, sa=sa, ids=ids, where=where)
    raw = Table(frame, schema)
    require_numbers(raw, schema.sa, where=where, line_of=loaded.line_of, general=release)
    return Table(plain, schema)


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


def _load(
    path: AnyPath, sep: str | None, encoding: str, max_bytes: int, *, compact: bool = False
) -> _Loaded:
    form = format_of(path)
    if form is Format.PARQUET:
        loaded = _Loaded(read_parquet(path, max_bytes), None)
    elif form is Format.XLSX:
        loaded = _Loaded(typed(read_xlsx(path, max_bytes)), lambda row: row + 2)
    else:
        loaded = _load_csv(path, sep or _separator(path), encoding, max_bytes, compact)
    if not loaded.frame.height:
        raise input_error(path, Text("no rows", "行がありません"))
    return loaded


def _load_csv(
    path: AnyPath, sep: str | None, encoding: str, max_bytes: int, compact: bool
) -> _Loaded:
    data = _csv_bytes(path, format_of(path), encoding, max_bytes)
    rows = parse_csv(data, sep=sep, where=path, compact=compact)
    del data
    return _Loaded(typed(rows.frame), rows.line_of)


def _csv_bytes(path: AnyPath, form: Format, encoding: str, max_bytes: int = MAX_BYTES) -> bytes:
    return to_utf8(load_bytes(path, form, max_bytes), encoding, where=path)


def _separator(path: AnyPath) -> str | None:
    return "\t" if suffix_of(path).startswith(".tsv") else None
