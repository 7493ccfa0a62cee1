"""Reads and writes files of SPSS, Stata and SAS, with their value labels.

    frame = read_statistical("survey.sav", FileFormat.SPSS, MAX_BYTES)
    labels = read_labels("survey.sav")

A column whose values all have a label of their own is read as these labels: `male`, not 1. So
profiles, hierarchies and reports see words. `labels` of the source give the codes back when a
release is written; cells that are new (`{male;female}`) get new codes. What a format cannot hold
exactly leaves as text, and what was written is read again before it counts as written.
"""

from __future__ import annotations

import io
import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import polars as pl

from tokumei.core.errors import UsageError
from tokumei.core.messages import Message
from tokumei.files.column_types import to_csv_text
from tokumei.files.columnar_files import damaged_error
from tokumei.files.csv_parsing import check_header
from tokumei.files.file_formats import (
    MAX_BYTES,
    AnyPath,
    FileFormat,
    check_size,
    detect_format,
    input_error,
    load_bytes,
)

LARGEST_EXACT = 2**53
"""All numbers of these files are floats, or may become one."""
_MAX_TEXT_BYTES = {FileFormat.SPSS: 32_767, FileFormat.STATA: 2_045, FileFormat.SAS_TRANSPORT: 200}
_TIMESTAMPS = (
    (re.compile(rb"\d\d [A-Z][a-z]{2} \d{4}:\d\d:\d\d"), b"01 Jan 0000:00:00"),
    (re.compile(rb"(?<=<timestamp>\x11)\d\d \w{3} \d{4} \d\d:\d\d"), b"01 Jan 2000 00:00"),
    (re.compile(rb"\d\d[A-Z]{3}\d\d:\d\d:\d\d:\d\d"), b"01JAN00:00:00:00"),
)
"""When a file was written stands in its head: equal frames give equal bytes without it."""
_HEAD_BYTES = 1024

Codes = Mapping[str, float]


@dataclass(frozen=True)
class FileLabels:
    """The codes of labels by column, and the descriptions of columns."""

    codes: Mapping[str, Codes] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


def read_statistical(path: AnyPath, form: FileFormat, max_bytes: int) -> pl.DataFrame:
    """The table in a file; values that its author declared missing are missing."""
    frame, labels = _read(path, form, max_bytes)
    check_header(frame.columns, path)
    return frame.select(
        _plain_column(frame[name], labels.codes.get(name)) for name in frame.columns
    )


def read_labels(path: AnyPath) -> FileLabels:
    """The labels in a file; none of a file of another kind."""
    form = detect_format(path)
    return _read(path, form, MAX_BYTES)[1] if form.is_statistical else FileLabels()


def statistical_writer(
    frame: pl.DataFrame, path: AnyPath, form: FileFormat, labels: FileLabels | None = None
) -> Callable[[BinaryIO], None]:
    """A function that writes the frame into a stream, if it can be read from there unchanged."""
    if form is FileFormat.SAS:
        raise UsageError("{path}: this format can only be read; write .xpt", path=path)
    _load_library(path)
    cells = frame.select(_writable_column(frame[name]) for name in frame.columns)
    known = labels or FileLabels()
    coded = {
        name: encode_labels(cells[name], known.codes[name])
        for name in cells.columns
        if name in known.codes and cells.schema[name] == pl.String
        and form is not FileFormat.SAS_TRANSPORT
    }  # fmt: skip
    written = cells.with_columns(codes for codes, _ in coded.values())
    value_labels = {name: names for name, (_, names) in coded.items()}
    described = {name: text for name, text in known.columns.items() if name in cells.columns}

    def write(stream: BinaryIO) -> None:
        data = _write_bytes(written, path, form, value_labels, described)
        _require_same(cells, data, path, form)
        stream.write(data)

    return write


def encode_labels(cells: pl.Series, codes: Codes) -> tuple[pl.Series, dict[float, str]]:
    """The codes of some cells, and the labels of those that occur; new cells get new codes."""
    present = sorted(cells.drop_nulls().unique().to_list())
    next_code = int(max(codes.values(), default=0)) + 1
    code_of: dict[str, float] = {}
    for text in present:
        if text in codes:
            code_of[text] = codes[text]
        else:
            code_of[text], next_code = float(next_code), next_code + 1
    numbers = cells.replace_strict(
        list(code_of), list(code_of.values()), default=None, return_dtype=pl.Float64
    )
    return numbers.alias(cells.name), {code: text for text, code in code_of.items()}


def _read(path: AnyPath, form: FileFormat, max_bytes: int) -> tuple[pl.DataFrame, FileLabels]:
    library = _load_library(path)
    data = load_bytes(path, form, max_bytes)
    frame, metadata = _parse(library, data, path, form)
    check_size(path, frame.height * frame.width, max_bytes)
    codes = {
        name: {label: float(code) for code, label in labels.items()}
        for name, labels in metadata.variable_value_labels.items()
        if name in frame.columns and _are_unique_numbers(labels)
    }
    described = metadata.column_names_to_labels or {}
    return frame, FileLabels(codes, {name: text for name, text in described.items() if text})


def _parse(library: ModuleType, data: bytes, path: AnyPath, form: FileFormat) -> tuple[Any, Any]:
    """The frame and the metadata of a file."""
    readers = {
        FileFormat.SPSS: library.read_sav,
        FileFormat.STATA: library.read_dta,
        FileFormat.SAS: library.read_sas7bdat,
        FileFormat.SAS_TRANSPORT: library.read_xport,
    }
    try:
        frame, metadata = readers[form](io.BytesIO(data), output_format="polars")
    except (library.ReadstatError, library.PyreadstatError, UnicodeDecodeError):
        raise damaged_error(path, form) from None
    except (TypeError, ValueError, OverflowError):  # days that no calendar has
        raise input_error(path, Message("a date in it cannot be understood")) from None
    return frame, metadata


def _are_unique_numbers(labels: Mapping[object, str]) -> bool:
    """Whether every label stands for one code, which is a number."""
    numbers = all(isinstance(code, int | float) for code in labels)
    return numbers and len(set(labels.values())) == len(labels) and "" not in labels.values()


def _plain_column(cells: pl.Series, codes: Codes | None) -> pl.Series:
    """Labels where all cells have one, whole numbers as such, empty text as missing."""
    if cells.dtype == pl.String:
        return cells.replace("", None)
    if not cells.dtype.is_numeric():
        return cells
    present = set(cells.drop_nulls().unique().to_list())
    if codes and present and present <= set(codes.values()):
        labels = {code: label for label, code in codes.items()}
        plain = cells.cast(pl.Float64)
        return plain.replace_strict(list(labels), list(labels.values()), return_dtype=pl.String)
    if cells.dtype.is_float():
        whole = cells.drop_nulls()
        if ((whole == whole.floor()) & (whole.abs() < LARGEST_EXACT)).all():
            return cells.cast(pl.Int64)
    return cells


def _writable_column(cells: pl.Series) -> pl.Series:
    """The cells in a type that all of these formats hold exactly, else as text."""
    dtype = cells.dtype
    if dtype.is_float():
        return cells.fill_nan(None)
    if dtype.is_integer():
        low, high = cells.min(), cells.max()
        exact = low is None or -LARGEST_EXACT < low <= high < LARGEST_EXACT  # type: ignore[operator]
        return cells.cast(pl.Int64).cast(pl.Float64) if exact else cells.cast(pl.String)
    if dtype == pl.Date:
        return cells
    if isinstance(dtype, pl.Datetime) and dtype.time_zone is None:
        seconds = bool((cells.dt.truncate("1s") == cells).all())
        return (
            cells.cast(pl.Datetime("us")) if seconds else to_csv_text(cells.to_frame()).to_series()
        )
    text = cells if dtype == pl.String else to_csv_text(cells.to_frame()).to_series()
    return text.replace("", None)


def _write_bytes(
    frame: pl.DataFrame,
    path: AnyPath,
    form: FileFormat,
    value_labels: dict[str, dict[float, str]],
    described: dict[str, str],
) -> bytes:
    """The bytes of a file; without the moment in which it was written."""
    library, options = _load_library(path), dict[str, Any](column_labels=described or None)
    write = library.write_xport
    if form is FileFormat.SPSS:
        write, options["compress"] = library.write_sav, str(path).lower().endswith(".zsav")
    elif form is FileFormat.STATA:
        write = library.write_dta
    if form is not FileFormat.SAS_TRANSPORT:
        options["variable_value_labels"] = value_labels or None
    _require_short_texts(frame, path, form)
    filled = frame.with_columns(pl.col(pl.String).fill_null(""))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows"
        try:
            write(filled, str(file), **options)
        except (library.ReadstatError, library.PyreadstatError) as err:
            raise UsageError("{path}: cannot be written: {reason}", path=path, reason=err) from None
        return _without_moment(file.read_bytes())


def _without_moment(data: bytes) -> bytes:
    """The same file, written at no time."""
    head = data[:_HEAD_BYTES]
    for pattern, moment in _TIMESTAMPS:
        head = pattern.sub(moment, head, count=4)
    return head + data[_HEAD_BYTES:]


def _require_short_texts(frame: pl.DataFrame, path: AnyPath, form: FileFormat) -> None:
    for column in frame.select(pl.col(pl.String)).columns:
        if (frame[column].str.len_bytes() > _MAX_TEXT_BYTES[form]).any():
            raise UsageError(
                "{path}: a cell of '{column}' is too long for {form}; write CSV or Parquet",
                path=path,
                column=column,
                form=form.value,
            )


def _require_same(cells: pl.DataFrame, data: bytes, path: AnyPath, form: FileFormat) -> None:
    """Fail unless the file has the cells that were meant."""
    frame, metadata = _parse(_load_library(path), data, path, form)
    read = frame.select(
        _labelled(frame[name], metadata.variable_value_labels.get(name)) for name in frame.columns
    )
    for name in cells.columns:
        if name not in read.columns or not _equal(cells[name], read[name]):
            raise UsageError(
                "{path}: {form} cannot hold the cells of '{column}' as they are; write CSV or "
                "Parquet",
                path=path,
                column=name,
                form=form.value,
            )


def _labelled(cells: pl.Series, labels: Mapping[float, str] | None) -> pl.Series:
    if not labels:
        return cells
    codes = cells.cast(pl.Float64)
    return codes.replace_strict(
        [float(code) for code in labels], list(labels.values()), return_dtype=pl.String
    )


def _equal(meant: pl.Series, read: pl.Series) -> bool:
    if meant.dtype == pl.String:
        texts = read.cast(pl.String).replace("", None)
        return meant.equals(texts, null_equal=True)
    if meant.dtype.is_numeric():
        return meant.cast(pl.Float64).equals(read.cast(pl.Float64), null_equal=True)
    return meant.equals(read.cast(meant.dtype, strict=False), null_equal=True)


def _load_library(path: AnyPath) -> ModuleType:
    """The library that reads and writes these files."""
    try:
        import pyreadstat
    except ModuleNotFoundError:
        raise UsageError(
            "{path}: for files of SPSS, Stata and SAS, install tokumei[statistics]", path=path
        ) from None
    module: ModuleType = pyreadstat
    return module
