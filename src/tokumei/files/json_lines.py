"""Reads and writes JSON lines (NDJSON): one object a line, its keys are the columns.

    {"age": 31, "town": "Osaka"}

Cells are read as the CSV file of the same data: numbers keep their digits until all cells of a
column decide its type, a missing key is an empty cell. Objects and lists are no cells.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import BinaryIO, NoReturn

import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import check_header
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import AnyPath, FileFormat, input_error, load_bytes


class _LineError(ValueError):
    """A line that is no row, and why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.id)
        self.reason = reason


def read_json_lines(path: AnyPath, max_bytes: int) -> tuple[pl.DataFrame, Callable[[int], int]]:
    """The rows as text cells, and the way from a row to its line."""
    data = to_utf8(load_bytes(path, FileFormat.JSON_LINES, max_bytes), "utf-8", where=path)
    text = data.decode("utf-8-sig")
    rows: list[dict[str, str | None]] = []
    lines: list[int] = []
    faults: list[Violation] = []
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip():
            continue
        try:
            rows.append(_read_row(content))
            lines.append(line)
        except _LineError as err:
            message = Message("line {line}: {reason}", line=line, reason=err.reason)
            faults.append(Violation(rule="json", line=line, message=message))
    if faults:
        raise input_error(
            path,
            Message("not every line is an object of JSON"),
            faults=faults[:MAX_SHOWN_VIOLATIONS],
            total=len(faults),
        )
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_header(names, path)
    columns = {name: [row.get(name) or None for row in rows] for name in names}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(names, pl.String))
    return frame, lambda row: lines[row]


def json_lines_writer(frame: pl.DataFrame) -> Callable[[BinaryIO], None]:
    """A function that writes the frame, one object a line, numbers as numbers."""
    plain = frame.with_columns(pl.col(pl.Decimal).cast(pl.String))

    def write(stream: BinaryIO) -> None:
        plain.write_ndjson(stream)

    return write


def _read_row(line: str) -> dict[str, str | None]:
    """The cells of a line by their column."""
    try:
        row = json.loads(
            line,
            object_pairs_hook=_unique_keys,
            parse_int=str,
            parse_float=str,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError:
        raise _LineError(Message("it is not JSON")) from None
    except RecursionError:
        raise _LineError(Message("a cell must hold one number, date or text")) from None
    if not isinstance(row, dict):
        raise _LineError(Message("it is not an object"))
    return {name: _read_cell(cell) for name, cell in row.items()}


def _read_cell(cell: object) -> str | None:
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return str(cell).lower()
    raise _LineError(Message("a cell must hold one number, date or text"))


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise _LineError(Message("it has a key twice"))
    return row


def _refuse_constant(name: str) -> NoReturn:
    raise _LineError(Message("{name} is not a number of JSON", name=name))
