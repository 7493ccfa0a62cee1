"""Writes tables, links and texts to files atomically; reads links.

write_frame(release.public.frame, "public.csv")
write_all([frame_output(frame, "public.csv"), link_output(link, "secret.csv")])

The secret link is CSV `released,original`, row numbers from 0. No message shows a value of it: the
lines are named, and nothing of what they hold.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Literal, cast

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, UsageError, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.core.release_terms import TableLayout
from tokumei.files.atomic_write import Output, write_all
from tokumei.files.column_types import decode_categories, dictionary_words, is_dictionary_encoded
from tokumei.files.csv_parsing import CsvRows, check_separator, parse_csv
from tokumei.files.encoded_output import encode_text, resolve_output_codec
from tokumei.files.encodings import to_utf8
from tokumei.files.excel_output import workbook_writer
from tokumei.files.file_formats import (
    FORMAT_BY_SUFFIX,
    AnyPath,
    FileFormat,
    detect_format,
    file_suffix,
    input_error,
    load_bytes,
    separator_from_name,
)
from tokumei.files.json_lines import json_lines_writer

if TYPE_CHECKING:
    from tokumei.files.statistical_files import FileLabels

LINK_COLUMNS = ("released", "original")
_NON_CSV_SUFFIXES = tuple(
    suffix
    for suffix, form in FORMAT_BY_SUFFIX.items()
    if form not in (FileFormat.CSV, FileFormat.CSV_GZ)
)
_REPEATED_ROW = Message("the row number is already on an earlier line")
QuoteStyle = Literal["necessary", "never"]


def read_link(path: AnyPath, released: int, original: int) -> np.ndarray:
    """The original row of every released row, from a file with one line per released row."""
    data = to_utf8(load_bytes(path, link_format(path)), "auto", where=path)
    rows = parse_csv(data, sep=",", where=path, expected=LINK_COLUMNS)
    released_rows, original_rows = (_row_numbers(rows.frame[name]) for name in LINK_COLUMNS)
    _require_one_to_one(rows, released_rows, original_rows, (released, original), path)
    link = np.empty(released, dtype=np.int64)
    link[released_rows] = original_rows
    return link


def link_format(path: AnyPath) -> FileFormat:
    """A link is CSV whatever its name, compressed if that ends in `.gz`."""
    suffix = file_suffix(path)
    if suffix in _NON_CSV_SUFFIXES:
        raise UsageError("{path}: a link is CSV, not {suffix}", path=path, suffix=suffix)
    return FileFormat.CSV_GZ if suffix.endswith(".gz") else FileFormat.CSV


def _row_numbers(series: pl.Series) -> np.ndarray:
    """Cells as numbers, -1 for whatever is none."""
    plain = series.str.contains("^(0|[1-9][0-9]*)$").fill_null(False)
    numbers = series.set(~plain, None).cast(pl.Int64, strict=False)
    return numbers.fill_null(-1).to_numpy()


def _require_one_to_one(
    rows: CsvRows,
    released_rows: np.ndarray,
    original_rows: np.ndarray,
    limits: tuple[int, int],
    path: AnyPath,
) -> None:
    row_checks: list[tuple[np.ndarray, Callable[[int], Violation]]] = []
    for column, numbers, limit in zip(
        LINK_COLUMNS, (released_rows, original_rows), limits, strict=True
    ):
        outside = Message("not a row number from 0 to {limit}", limit=limit - 1)
        wrong = np.flatnonzero((numbers < 0) | (numbers >= limit))
        row_checks.append((wrong, partial(_link_violation, rows, column, outside)))
        first = np.zeros(len(numbers), dtype=bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        repeats = np.flatnonzero(~first & (numbers >= 0))
        row_checks.append((repeats, partial(_link_violation, rows, column, _REPEATED_ROW)))
    row_checks.append((np.setdiff1d(np.arange(limits[0]), released_rows), _missing_row_violation))
    faults = [make(int(row)) for wrong, make in row_checks for row in wrong[:MAX_SHOWN_VIOLATIONS]]
    if faults:
        raise input_error(
            path,
            Message("the link cannot be used"),
            faults=sorted(faults, key=lambda fault: fault.line or 2**62),
            total=sum(len(wrong) for wrong, _ in row_checks),
        )


def _link_violation(rows: CsvRows, column: str, wrong: Message, row: int) -> Violation:
    line = rows.line_of(row)
    message = Message(
        "line {line}, column '{column}': {problem}", line=line, column=column, problem=wrong
    )
    return Violation(rule="link", line=line, column=column, message=message)


def _missing_row_violation(row: int) -> Violation:
    message = Message("released row {row} has no line", row=row)
    return Violation(rule="link", column=LINK_COLUMNS[0], message=message)


def write_frame(frame: pl.DataFrame, path: AnyPath, *, sep: str = ",") -> None:
    """A frame as `.csv`, `.csv.gz`, `.parquet` or `.xlsx`; equal frames give equal bytes.

    A file called `.tsv` has tabs, whatever `sep` says: whoever reads it will think so too.
    """
    write_all([frame_output(frame, path, sep=sep)])


def write_text(text: str, path: AnyPath) -> None:
    """A text in UTF-8."""
    write_all([text_output(text, path)])


def write_bytes(data: bytes, path: AnyPath, *, secret: bool = False) -> None:
    """Bytes as they are; with `secret` readable by the owner only."""
    write_all([bytes_output(data, path, secret=secret)])


def frame_output(
    frame: pl.DataFrame,
    path: AnyPath,
    *,
    sep: str = ",",
    bom: bool = False,
    sheet: str | None = None,
    encoding: str | None = None,
    replace_unencodable: bool = False,
    labels: FileLabels | None = None,
) -> Output:
    """The output of `write_frame`, for `write_all`; `bom`: CSV that Excel takes for UTF-8.

    `sheet` names the sheet of a workbook, `encoding` that of a text if it is not to be UTF-8;
    `labels` are those of the source, for a statistical file.
    """
    form = detect_format(path)
    _require_applicable_options(path, form, sheet=sheet, encoding=encoding, bom=bom or None)
    _require_flat_frame(frame, path)
    if form is FileFormat.PARQUET:
        return Output(
            path,
            lambda stream: decode_categories(frame).write_parquet(stream),
            layout=TableLayout(),
        )
    if form.has_records:
        write_rows = _typed_writer(decode_categories(frame), path, form, labels)
        return Output(path, write_rows, layout=TableLayout(names=tuple(frame.columns)))
    if form is FileFormat.XLSX:
        write_book = workbook_writer(decode_categories(frame), path, sheet)
        return Output(path, write_book, layout=TableLayout())
    sep = separator_from_name(path) or check_separator(sep)
    numbers = tuple(name for name, dtype in frame.schema.items() if dtype.is_numeric())
    layout = TableLayout(sep, encoding or "utf-8", names=tuple(frame.columns), numbers=numbers)
    if encoding is not None:
        write = _encoded_csv_writer(frame, path, sep, encoding, replace_unencodable)
        return Output(path, write, layout=layout)
    return Output(path, _csv_writer(frame, form, sep, bom=bom), layout=layout)


def _typed_writer(
    frame: pl.DataFrame, path: AnyPath, form: FileFormat, labels: FileLabels | None
) -> Callable[[BinaryIO], None]:
    """A function that writes the frame as Arrow, JSON lines or a statistical file."""
    if form is FileFormat.ARROW:
        return lambda stream: frame.write_ipc(stream)
    if form is FileFormat.JSON_LINES:
        return json_lines_writer(frame)
    from tokumei.files.statistical_files import statistical_writer

    return statistical_writer(frame, path, form, labels)


def link_output(link: np.ndarray, path: AnyPath) -> Output:
    """The secret link as CSV `released,original`, readable by its owner only, for `write_all`."""
    columns = (np.arange(len(link), dtype=np.int64), np.asarray(link, dtype=np.int64))
    frame = pl.DataFrame(dict(zip(LINK_COLUMNS, columns, strict=True)))
    return Output(path, _csv_writer(frame, link_format(path), ","), secret=True)


def text_output(text: str, path: AnyPath, *, secret: bool = False) -> Output:
    """The output of `write_text`, for `write_all`."""
    data = text.encode()
    return Output(path, lambda stream: stream.write(data), secret)


def bytes_output(data: bytes, path: AnyPath, *, secret: bool = False) -> Output:
    """The output of `write_bytes`, for `write_all`."""
    return Output(path, lambda stream: stream.write(data), secret)


def _require_applicable_options(path: AnyPath, form: FileFormat, **options: object) -> None:
    """Fail if something was said of a text or a workbook that is none."""
    book = form is FileFormat.XLSX
    wrong = [
        name
        for name, value in options.items()
        if value is not None
        and (form.has_records or (name == "sheet") is not book)
        and (name != "bom" or form.has_records)
    ]
    if wrong:
        raise UsageError(
            "{path}: {options} cannot be chosen for a file of this kind",
            path=path,
            options=join_messages(wrong),
        )


def _encoded_csv_writer(
    frame: pl.DataFrame, path: AnyPath, sep: str, encoding: str, replace: bool
) -> Callable[[BinaryIO], None]:
    codec = resolve_output_codec(encoding)
    if link_format(path) is FileFormat.CSV_GZ:
        raise UsageError("{path}: an encoding can be chosen for plain text files only", path=path)

    def write(stream: BinaryIO) -> None:
        text = frame.write_csv(separator=sep)
        stream.write(encode_text(text, codec, where=path, replace=replace))

    return write


def _csv_writer(
    frame: pl.DataFrame, form: FileFormat, sep: str, *, bom: bool = False
) -> Callable[[BinaryIO], None]:
    def plain(stream: BinaryIO) -> None:
        # Looking for what needs quotation marks takes half of the time.
        quotes: QuoteStyle = "never" if _needs_no_quotes(frame, sep) else "necessary"
        frame.write_csv(stream, separator=sep, include_bom=bom, quote_style=quotes)

    def packed(stream: BinaryIO) -> None:
        # Neither name nor time goes into the header: equal frames, equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as unpacked:
            plain(cast(BinaryIO, unpacked))

    return packed if form is FileFormat.CSV_GZ else plain


def _needs_no_quotes(frame: pl.DataFrame, sep: str) -> bool:
    """Whether numbers and dictionaries tell that no name and no cell needs a quotation mark."""
    compact = [name for name, dtype in frame.schema.items() if is_dictionary_encoded(dtype)]
    numbers = [name for name, dtype in frame.schema.items() if dtype.is_integer()]
    # In a single column, an empty cell would be an empty line.
    if frame.width < 2 or len(compact) + len(numbers) < frame.width:
        return False
    texts = (pl.Series(frame.columns), *(dictionary_words(frame[name]) for name in compact))
    special = [sep, '"', "\r", "\n"]
    return not any(((series == "") | series.str.contains_any(special)).any() for series in texts)


def _require_flat_frame(frame: pl.DataFrame, path: AnyPath) -> None:
    for name, dtype in frame.schema.items():
        if dtype.is_nested() or dtype in (pl.Binary, pl.Object):
            raise UsageError(
                "{path}: column '{column}' holds {type}; a cell must hold one value",
                path=path,
                column=name,
                type=dtype,
            )
