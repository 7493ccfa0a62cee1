"""Reads and writes files whose columns have types: Parquet, Arrow (Feather), statistical files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import check_header
from tokumei.files.file_formats import AnyPath, FileFormat, check_size, input_error, load_bytes


def read_typed(path: AnyPath, form: FileFormat, max_bytes: int) -> pl.DataFrame:
    """The table in a file that declares the types of its columns."""
    if form is FileFormat.PARQUET:
        return read_parquet(path, max_bytes)
    if form is FileFormat.ARROW:
        return read_arrow(path, max_bytes)
    from tokumei.files.statistical_files import read_statistical

    return read_statistical(path, form, max_bytes)


def read_parquet(path: AnyPath, max_bytes: int) -> pl.DataFrame:
    """The table in a Parquet file, with the types the file declares."""
    data = load_bytes(path, FileFormat.PARQUET, max_bytes)
    with translate_parquet_errors(path, FileFormat.PARQUET):
        lazy = pl.scan_parquet(io.BytesIO(data))
        schema = lazy.collect_schema()
        rows = lazy.select(pl.len()).collect().item()
        # A few bytes can stand for very many equal cells: each needs one at least.
        check_size(path, rows * len(schema), max_bytes)
        _require_flat_schema(schema, path)
        frame = lazy.collect()
    check_header(frame.columns, path)
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


def read_arrow(path: AnyPath, max_bytes: int) -> pl.DataFrame:
    """The table in an Arrow file (Feather, version 2), with the types the file declares."""
    data = load_bytes(path, FileFormat.ARROW, max_bytes)
    with translate_parquet_errors(path, FileFormat.ARROW):
        frame = pl.read_ipc(io.BytesIO(data))
    # Dictionaries and compression: a few bytes can stand for very many equal cells.
    check_size(path, frame.height * frame.width, max_bytes)
    _require_flat_schema(frame.schema, path)
    check_header(frame.columns, path)
    return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))


_UNSUPPORTED_TYPES = (pl.Binary, pl.Duration)
"""Spans of time have no text in a CSV file."""


def _require_flat_schema(schema: pl.Schema, path: AnyPath) -> None:
    bad = [(name, t) for name, t in schema.items() if t.is_nested() or t in _UNSUPPORTED_TYPES]
    if faults := [_nested_type_violation(name, dtype) for name, dtype in bad]:
        reason = Message("a cell must hold one number, date or text")
        raise input_error(path, reason, faults=faults)


def _nested_type_violation(name: str, dtype: pl.DataType) -> Violation:
    message = Message(
        "column '{column}' holds {type}; numbers, dates and text are possible",
        column=name,
        type=dtype,
    )
    return Violation(rule="type", column=name, message=message)


@contextmanager
def translate_parquet_errors(path: AnyPath, form: FileFormat) -> Iterator[None]:
    """Turn what Polars finds wrong with a Parquet file inside the block into an InputError."""
    try:
        yield
    except (pl.exceptions.PolarsError, OSError):
        if form not in (FileFormat.PARQUET, FileFormat.ARROW):
            raise
        raise damaged_error(path, form) from None


def damaged_error(path: AnyPath, form: FileFormat) -> InputError:
    """The error of a file whose bytes are not those of its format."""
    return input_error(path, Message("the {form} file is damaged or incomplete", form=form.value))
