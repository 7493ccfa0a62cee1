"""JSON lines as a table: a row for each object, a column for each key that any of them has."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from tokumei.apps.http.errors import UnprocessableContent

JSON_LINES_SUFFIXES = (".jsonl", ".ndjson")


def convert_json_lines(source: Path, target: Path) -> None:
    """Write the objects of a file as CSV; nested values stay JSON, a missing key is an empty cell.

    The file is read twice: first for its keys, then for its rows.
    """
    names = list(dict.fromkeys(name for row in _read_objects(source) for name in row))
    if not names:
        raise UnprocessableContent("this file is empty")
    with target.open("x", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(names)
        for row in _read_objects(source):
            writer.writerow([_format_cell(row.get(name)) for name in names])


def _read_objects(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8-sig") as stream:
        for number, line in enumerate(_read_lines(stream), 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line, parse_int=str, parse_float=str)
            except (ValueError, RecursionError):
                row = None
            if not isinstance(row, dict):
                raise UnprocessableContent("line {line} is no JSON object", line=number)
            yield row


def _read_lines(stream: Iterable[str]) -> Iterator[str]:
    try:
        yield from stream
    except UnicodeDecodeError:
        raise UnprocessableContent("JSON lines are in UTF-8; this file is not") from None


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
