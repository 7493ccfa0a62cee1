"""Hierarchies from files and to files, by the file's name: ARX's CSV or nested YAML.

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

from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import (
    AnyPath,
    Format,
    format_of,
    input_error,
    load_bytes,
    own_separator,
    suffix_of,
)
from tokumei.files.csv_layout import Layout, lay_out
from tokumei.files.csv_text import (
    SEPARATORS,
    check_separator,
    detect_separator,
    header_bytes,
    malformed,
)
from tokumei.files.encodings import to_utf8
from tokumei.files.writing import write_bytes
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.rows import MAX_LEVELS, LevelRows

PLACE = "{column}"
_TEXT = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".txt", ".txt.gz")
_YAML = (".yaml", ".yml")


def read_hierarchy(
    path: AnyPath,
    column: str,
    *,
    sep: str | None = None,
    encoding: str = "auto",
    complete: bool = False,
) -> Hierarchy:
    """The hierarchy in a file; an InputError lists all its faults (see `Hierarchy.of`)."""
    return _checked(column, _text(path, encoding), sep, str(path), complete)


@lru_cache(maxsize=64)
def _checked(column: str, data: bytes, sep: str | None, path: str, complete: bool) -> Hierarchy:
    """The hierarchy in a text; a command needs most of them twice, to recode and to explain."""
    return Hierarchy.of(column, _rows(data, sep, path), complete=complete)


def read_hierarchies(
    pattern: str,
    columns: Sequence[str],
    *,
    sep: str | None = None,
    encoding: str = "auto",
    complete: bool = False,
) -> dict[str, Hierarchy]:
    """The hierarchy of each column, from the file that `pattern` names with `{column}` in it."""
    if PLACE not in pattern:
        raise UsageError(
            f"'{pattern}' must contain {PLACE}, in the place of a column's name",
            f"'{pattern}' には列名の入る {PLACE} が必要です",
        )
    paths = {column: pattern.replace(PLACE, column) for column in columns}
    _require_files(paths)
    return {
        column: read_hierarchy(path, column, sep=sep, encoding=encoding, complete=complete)
        for column, path in paths.items()
    }


def read_rows(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> LevelRows:
    """The rows of a file with their lines, unchecked."""
    return _rows(_text(path, encoding), sep, path)


def _text(path: AnyPath, encoding: str) -> bytes:
    """What a file holds, in UTF-8."""
    is_yaml = suffix_of(path) in _YAML
    form = Format.CSV if is_yaml else format_of(path, (*_TEXT, *_YAML))
    return to_utf8(load_bytes(path, form), encoding, where=path)


def _rows(data: bytes, sep: str | None, path: AnyPath) -> LevelRows:
    if suffix_of(path) in _YAML:
        from tokumei.tables.hierarchies.nested_yaml import parse_nested

        return parse_nested(data.decode(), where=path)
    return parse_arx(data, sep=sep or own_separator(path), where=path)


def write_hierarchy(hierarchy: Hierarchy, path: AnyPath, *, sep: str = ";") -> None:
    """The hierarchy as `.csv` (ARX) or `.yaml`, whole or not at all."""
    if suffix_of(path) in _YAML:
        from tokumei.tables.hierarchies.nested_yaml import nested_text

        write_bytes(nested_text(hierarchy).encode(), path)
        return
    format_of(path, (".csv", ".txt", *_YAML))
    write_bytes(arx_bytes(hierarchy, sep=sep), path)


def _require_files(paths: dict[str, str]) -> None:
    """Name all files that are not there at once."""
    absent = {column: path for column, path in paths.items() if not Path(path).exists()}
    if not absent:
        return
    faults = [
        Fault(
            rule="hierarchy-file",
            column=column,
            message=Text(
                f"column '{column}': no file {path}", f"列 '{column}': ファイル {path} がありません"
            ),
        )
        for column, path in absent.items()
    ]
    raise InputError("hierarchies are missing", "階層のファイルがありません", faults=faults)


_EMPTY = Text("the file is empty", "ファイルが空です")


def parse_arx(data: bytes, *, sep: str | None = None, where: AnyPath) -> LevelRows:
    """The rows of a UTF-8 text with their lines; blank lines do not count.

    An empty cell is a label without a name (a leaf without a name stands for missing values).
    """
    data = data if b"\n" in data else data.replace(b"\r", b"\n")
    if not data.strip():
        raise input_error(where, _EMPTY)
    sep = check_separator(sep) if sep else separator_of_levels(data)
    layout = _layout(data, sep, where)
    frame = _cells(data, sep, layout, where)
    blank = (layout.fields == 1) & ((frame["0"] == "") | frame["0"].is_null()).to_numpy()
    rows = LevelRows(frame, layout.lines, str(where))
    return rows.take(np.flatnonzero(~blank)) if blank.any() else rows


def arx_bytes(hierarchy: Hierarchy, *, sep: str = ";") -> bytes:
    """The hierarchy as ARX writes it."""
    text = hierarchy.frame().write_csv(separator=check_separator(sep), include_header=False)
    return text.encode()


def separator_of_levels(data: bytes) -> str:
    """What stands before the `*` that ends the first line; else what it has most of."""
    head = header_bytes(data.lstrip(b"\r\n"))
    before = head.strip().removesuffix(b'"*"').removesuffix(b"*")[-1:].decode(errors="replace")
    return before if before in SEPARATORS else detect_separator(head)


def _layout(data: bytes, sep: str, where: AnyPath) -> Layout:
    layout = lay_out(data, sep)
    if isinstance(layout, Fault):
        raise malformed(where, [layout])
    if int(layout.fields.max()) > MAX_LEVELS:
        line = int(layout.lines[int(layout.fields.argmax())])
        much = Text(f"line {line}: too many levels", f"{line} 行目: 段が多すぎます")
        raise malformed(where, [Fault(rule="fields", line=line, message=much)])
    return layout


def _cells(data: bytes, sep: str, layout: Layout, where: AnyPath) -> pl.DataFrame:
    """Text cells by level; null only where a row has stopped."""
    names = [str(level) for level in range(int(layout.fields.max()))]
    head = (sep.join(names) + "\n").encode()
    try:
        frame = pl.read_csv(
            head + data, separator=sep, infer_schema=False, quote_char='"' if b'"' in data else None
        )
    except pl.exceptions.PolarsError:
        raise malformed(where, []) from None
    if frame.height != layout.records:
        raise malformed(where, [])
    sizes = pl.Series(layout.fields)
    return frame.select(
        pl.when(sizes > level).then(pl.col(name).fill_null("")).alias(name)
        for level, name in enumerate(names)
    )
