"""Hierarchies from files and to files, by the file's name: ARX's CSV or nested YAML.

age = read_hierarchy("hierarchy_age.csv", "age")
all_of_them = read_hierarchies("hierarchy_{column}.csv", ["age", "sex"])
write_hierarchy(age, "age.yaml")
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokumei.core.errors import Fault, InputError, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, Format, format_of, load_bytes, suffix_of
from tokumei.files.encodings import to_utf8
from tokumei.files.writing import write_bytes
from tokumei.tables.hierarchies.arx_csv import arx_bytes, parse_arx
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.rows import LevelRows

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
    rows = read_rows(path, sep=sep, encoding=encoding)
    return Hierarchy.of(column, rows, complete=complete)


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
    is_yaml = suffix_of(path) in _YAML
    form = Format.CSV if is_yaml else format_of(path, (*_TEXT, *_YAML))
    data = to_utf8(load_bytes(path, form), encoding, where=path)
    if is_yaml:
        from tokumei.tables.hierarchies.nested_yaml import parse_nested

        return parse_nested(data.decode(), where=path)
    tab = "\t" if suffix_of(path).startswith(".tsv") else None
    return parse_arx(data, sep=sep or tab, where=path)


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
                f"column '{column}': no file {path}",
                f"列 '{column}': ファイル {path} がありません",
            ),
        )
        for column, path in absent.items()
    ]
    raise InputError("hierarchies are missing", "階層のファイルがありません", faults=faults)
