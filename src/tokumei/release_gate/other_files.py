"""Reads Arrow files, JSON lines and statistical files as a stranger would.

Codes are read as their labels. What stands beside the rows are descriptions of files and columns,
notes, metadata, and labels that no cell has.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl

STATISTICAL_SUFFIXES = (".sav", ".zsav", ".dta", ".xpt")
OTHER_SUFFIXES = (".arrow", ".feather", ".jsonl", ".ndjson", *STATISTICAL_SUFFIXES)


def read_cells(path: Path, suffix: str, names: Sequence[str]) -> Iterator[pl.DataFrame]:
    """The cells as texts; JSON lines may have columns of which no name is known before."""
    if suffix.endswith((".jsonl", ".ndjson")):
        yield _read_json_lines(path, names)
    elif suffix.endswith((".arrow", ".feather")):
        yield pl.read_ipc(path).cast(pl.String, strict=False)
    else:
        frame, _ = _read_statistical(path, suffix)
        yield frame.cast(pl.String, strict=False)


def read_descriptions(path: Path, suffix: str) -> Iterator[str]:
    """The texts beside the cells."""
    if suffix.endswith(STATISTICAL_SUFFIXES):
        frame, metadata = _read_statistical(path, suffix)
        labels = metadata.variable_value_labels or {}
        described = metadata.column_names_to_labels or {}
        yield from (text for text in (metadata.file_label, *described.values()) if text)
        yield from (metadata.notes if isinstance(metadata.notes, list) else [metadata.notes or ""])
        for name, names in labels.items():
            cells = set(frame[name].cast(pl.String).to_list())
            yield from (text for text in names.values() if text not in cells)


def _read_json_lines(path: Path, names: Sequence[str]) -> pl.DataFrame:
    rows: list[dict[str, Any]] = []
    with path.open(encoding="utf-8") as stream:
        rows.extend(json.loads(line) for line in stream if line.strip())
    columns = dict.fromkeys([*names, *(name for row in rows for name in row)])
    cells = {name: [_as_text(row.get(name)) for row in rows] for name in columns}
    return pl.DataFrame(cells, schema=dict.fromkeys(columns, pl.String))


def _as_text(cell: object) -> str | None:
    return cell if cell is None or isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)


def _read_statistical(path: Path, suffix: str) -> tuple[pl.DataFrame, Any]:
    """The rows and the metadata, by the library of these formats."""
    import pyreadstat

    if suffix.endswith(".xpt"):
        frame, metadata = pyreadstat.read_xport(str(path), output_format="polars")
        return frame, metadata
    read = pyreadstat.read_dta if suffix.endswith(".dta") else pyreadstat.read_sav
    frame, metadata = read(
        str(path),
        output_format="polars",
        apply_value_formats=True,
        formats_as_category=False,
        user_missing=suffix.endswith("sav"),
    )
    return frame, metadata
