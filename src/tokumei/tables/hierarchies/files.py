"""Reads and writes hierarchies by file name: ARX's CSV or nested YAML.

    age = read_hierarchy("hierarchy_age.csv", "age")
    all_of_them = read_hierarchies("hierarchy_{column}.csv", ["age", "sex"])
    write_hierarchy(age, "age.yaml")

ARX's CSV has a line per leaf and no header: `leaf;level 1;…;*`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import (
    SEPARATORS,
    check_separator,
    detect_separator,
    header_record,
    malformed_error,
)
from tokumei.files.csv_records import CsvRecordSizes, measure_csv_records
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    AnyPath,
    FileFormat,
    detect_format,
    file_suffix,
    input_error,
    load_bytes,
    separator_from_name,
)
from tokumei.files.writing import write_bytes
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.level_rows import MAX_LEVELS, LevelRows

COLUMN_PLACEHOLDER = "{column}"
_TEXT_SUFFIXES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
_YAML_SUFFIXES = (".yaml", ".yml")


def read_hierarchy(
    path: AnyPath,
    column: str,
    *,
    sep: str | None = None,
    encoding: str = "auto",
    complete: bool = False,
) -> Hierarchy:
    """The hierarchy in a file; an InputError lists all its faults (see `Hierarchy.of`)."""
    return _parse_hierarchy(column, _read_utf8(path, encoding), sep, str(path), complete)


@lru_cache(maxsize=64)
def _parse_hierarchy(
    column: str, data: bytes, sep: str | None, path: str, complete: bool
) -> Hierarchy:
    """The hierarchy in a text; a command needs most of them twice, to recode and to explain."""
    return Hierarchy.of(column, _parse_rows(data, sep, path), complete=complete)


def read_hierarchies(
    pattern: str,
    columns: Sequence[str],
    *,
    sep: str | None = None,
    encoding: str = "auto",
    complete: bool = False,
) -> dict[str, Hierarchy]:
    """The hierarchy of each column, from the file that `pattern` names with `{column}` in it."""
    if COLUMN_PLACEHOLDER not in pattern:
        raise UsageError(
            "'{pattern}' must contain {placeholder} in the place of a column's name",
            pattern=pattern,
            placeholder=COLUMN_PLACEHOLDER,
        )
    paths = {column: pattern.replace(COLUMN_PLACEHOLDER, column) for column in columns}
    _require_files(paths)
    return {
        column: read_hierarchy(path, column, sep=sep, encoding=encoding, complete=complete)
        for column, path in paths.items()
    }


def read_level_rows(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> LevelRows:
    """The rows of a file with their lines, unchecked."""
    return _parse_rows(_read_utf8(path, encoding), sep, path)


def _read_utf8(path: AnyPath, encoding: str) -> bytes:
    """What a file holds, in UTF-8."""
    is_yaml = file_suffix(path) in _YAML_SUFFIXES
    form = FileFormat.CSV if is_yaml else detect_format(path, (*_TEXT_SUFFIXES, *_YAML_SUFFIXES))
    return to_utf8(load_bytes(path, form), encoding, where=path)


def _parse_rows(data: bytes, sep: str | None, path: AnyPath) -> LevelRows:
    if file_suffix(path) in _YAML_SUFFIXES:
        from tokumei.tables.hierarchies.nested_yaml import parse_nested

        return parse_nested(data.decode(), where=path)
    return parse_arx(data, sep=sep or separator_from_name(path), where=path)


def write_hierarchy(hierarchy: Hierarchy, path: AnyPath, *, sep: str = ";") -> None:
    """The hierarchy as `.csv` (ARX) or `.yaml`, whole or not at all."""
    if file_suffix(path) in _YAML_SUFFIXES:
        from tokumei.tables.hierarchies.nested_yaml import to_nested_yaml

        write_bytes(to_nested_yaml(hierarchy).encode(), path)
        return
    detect_format(path, (".csv", ".txt", *_YAML_SUFFIXES))
    write_bytes(to_arx_csv(hierarchy, sep=sep), path)


def _require_files(paths: dict[str, str]) -> None:
    """Name all files that are not there at once."""
    absent = {column: path for column, path in paths.items() if not Path(path).exists()}
    if not absent:
        return
    faults = [
        Violation(
            rule="hierarchy-file",
            column=column,
            message=Message("column '{column}': no file {path}", column=column, path=path),
        )
        for column, path in absent.items()
    ]
    raise InputError("hierarchies are missing", faults=faults)


_EMPTY_FILE = Message("the file is empty")


def parse_arx(data: bytes, *, sep: str | None = None, where: AnyPath) -> LevelRows:
    """The rows of a UTF-8 text with their lines; blank lines do not count.

    An empty cell is a label without a name (a leaf without a name stands for missing values).
    """
    data = data if b"\n" in data else data.replace(b"\r", b"\n")
    if not data.strip():
        raise input_error(where, _EMPTY_FILE)
    sep = check_separator(sep) if sep else detect_level_separator(data)
    layout = _require_layout(data, sep, where)
    frame = _parse_cells(data, sep, layout, where)
    blank = (layout.fields == 1) & ((frame["0"] == "") | frame["0"].is_null()).to_numpy()
    rows = LevelRows(frame, layout.lines, str(where))
    return rows.take(np.flatnonzero(~blank)) if blank.any() else rows


def to_arx_csv(hierarchy: Hierarchy, *, sep: str = ";") -> bytes:
    """The hierarchy as ARX writes it."""
    text = hierarchy.frame().write_csv(separator=check_separator(sep), include_header=False)
    return text.encode()


def detect_level_separator(data: bytes) -> str:
    """What stands before the `*` that ends the first line; else what it has most of."""
    head = header_record(data.lstrip(b"\r\n"))
    before = head.strip().removesuffix(b'"*"').removesuffix(b"*")[-1:].decode(errors="replace")
    return before if before in SEPARATORS else detect_separator(head)


def _require_layout(data: bytes, sep: str, where: AnyPath) -> CsvRecordSizes:
    layout = measure_csv_records(data, sep)
    if isinstance(layout, Violation):
        raise malformed_error(where, [layout])
    if int(layout.fields.max()) > MAX_LEVELS:
        line = int(layout.lines[int(layout.fields.argmax())])
        message = Message("line {line}: too many levels", line=line)
        raise malformed_error(where, [Violation(rule="fields", line=line, message=message)])
    return layout


def _parse_cells(data: bytes, sep: str, layout: CsvRecordSizes, where: AnyPath) -> pl.DataFrame:
    """Text cells by level; null only where a row has stopped."""
    names = [str(level) for level in range(int(layout.fields.max()))]
    head = (sep.join(names) + "\n").encode()
    try:
        frame = pl.read_csv(
            head + data, separator=sep, infer_schema=False, quote_char='"' if b'"' in data else None
        )
    except pl.exceptions.PolarsError:
        raise malformed_error(where, []) from None
    if frame.height != layout.records:
        raise malformed_error(where, [])
    sizes = pl.Series(layout.fields)
    return frame.select(
        pl.when(sizes > level).then(pl.col(name).fill_null("")).alias(name)
        for level, name in enumerate(names)
    )
