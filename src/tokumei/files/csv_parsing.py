"""Parses CSV text to a frame of text cells, and checks every line.

Polars fills short lines with nulls and renames equal headers without a word; here both are faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, TooWideError, UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.column_types import dictionary_type
from tokumei.files.csv_records import (
    count_characters,
    measure_csv_records,
    ragged_record_violations,
)
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.files.frame_conversion import require_plain_names

SEPARATORS = (",", ";", "\t")
MAX_COLUMNS = 10_000
_SAMPLE_ROWS = 2_000


@dataclass(frozen=True, eq=False)
class CsvRows:
    """The rows of a CSV text as text cells, and the line each begins on (None: one line each)."""

    frame: pl.DataFrame
    lines: np.ndarray | None = None

    def line_of(self, row: int) -> int:
        """The line (1-based, header included) on which a row (0-based) begins."""
        return row + 2 if self.lines is None else int(self.lines[row])


def parse_csv(
    data: bytes,
    *,
    sep: str | None = None,
    where: AnyPath,
    expected: Sequence[str] | None = None,
    compact: bool = False,
) -> CsvRows:
    """Rows of a UTF-8 CSV text with a header line.

    With `expected` the header must be exactly that, and no message shows anything of the text.
    With `compact`, columns that repeat their cells are compact (see `column_types.py`).
    """
    data = _check_text(data, where)
    head = header_record(data)
    sep = check_separator(sep) if sep else detect_separator(head)
    names = _parse_header(head, sep, where, expected)
    if len(names) > 1 and data.endswith((b"\n\n", b"\n\r\n")):
        data = data.rstrip(b"\r\n") + b"\n"
    if len(head) >= len(data):
        raise input_error(where, Message("no rows after the header"))
    return _parse_rows(data, head, sep, names, where, compact)


def detect_separator(head: bytes) -> str:
    """The separator that occurs most in a header line, outside quotation marks; `,` if none.

    A bar only where no other occurs: it may stand within a name.
    """
    outside = b"".join(head.split(b'"')[::2])
    most_frequent = max(SEPARATORS, key=lambda sep: outside.count(sep.encode()))
    return "|" if most_frequent.encode() not in outside and b"|" in outside else most_frequent


def check_separator(sep: str) -> str:
    """The separator, if it can be one."""
    if len(sep) != 1 or not sep.isascii() or sep in '"\r\n\0':
        raise UsageError(
            "the separator must be one ASCII character and no quotation mark, not {sep!r}", sep=sep
        )
    return sep


def check_header(names: Sequence[str], where: AnyPath) -> None:
    """Fail if a column has no name or the name of another, or if there are too many to handle."""
    if len(names) > MAX_COLUMNS:
        raise TooWideError(
            "{where}: {columns:,} columns; at most {most:,} can be handled: leave out those that "
            "are not needed",
            where=where,
            columns=len(names),
            most=MAX_COLUMNS,
        )
    faults = [
        _nameless_column_violation(position)
        for position, name in enumerate(names, 1)
        if not name.strip()
    ]
    counts = Counter(name for name in names if name.strip())
    faults += [_repeated_name_violation(name, times) for name, times in counts.items() if times > 1]
    if faults:
        raise input_error(where, Message("the header line cannot be used"), faults=faults)
    require_plain_names(names, where=str(where))


def _check_text(data: bytes, where: AnyPath) -> bytes:
    if (nul_offset := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, nul_offset) + 1
        message = Message(
            "line {line}, byte offset {offset}: a NUL byte, which text does not have (binary data, "
            "or UTF-16 without its byte order mark: then give the encoding)",
            line=line,
            offset=nul_offset,
        )
        faults = [Violation(rule="nul", line=line, message=message)]
        raise input_error(where, Message("the file is not text"), faults=faults)
    if not data or data.isspace():
        raise input_error(where, Message("the file is empty"))
    # Only the oldest Macintosh programs end lines so.
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def header_record(data: bytes) -> bytes:
    """The header record with its line end, which a quoted name may move past the first line."""
    start = quotes = 0
    while end := data.find(b"\n", start) + 1:
        quotes += data.count(b'"', start, end)
        if quotes % 2 == 0:
            return data[:end]
        start = end
    return data


def _parse_header(
    head: bytes, sep: str, where: AnyPath, expected: Sequence[str] | None
) -> list[str]:
    layout = measure_csv_records(head, sep)
    if isinstance(layout, Violation):
        raise malformed_error(where, [layout])
    names = [""]
    if head.strip(b"\r\n"):
        row = pl.read_csv(head, separator=sep, has_header=False, infer_schema=False).row(0)
        names = [name or "" for name in row]
    if expected is not None and names != list(expected):
        expected_line = sep.join(expected)
        raise input_error(where, Message("the header line must be '{line}'", line=expected_line))
    check_header(names, where)
    return names


def _parse_rows(
    data: bytes, head: bytes, sep: str, names: list[str], where: AnyPath, compact: bool
) -> CsvRows:
    quoted = b'"' in data
    read_rows = partial(_read_with_polars, data, head.count(b"\n"), sep, quoted=quoted)
    try:
        types: dict[str, pl.DataType] = dict.fromkeys(names, pl.String())
        if compact:
            # Dictionaries for the columns whose first cells repeat themselves.
            sample = read_rows(types, rows=_SAMPLE_ROWS)
            repetitive_columns = [
                column.name for column in sample if column.n_unique() <= max(sample.height / 4, 1)
            ]
            types |= {name: dictionary_type(short=True) for name in repetitive_columns}
        frame = read_rows(types)
    except pl.exceptions.PolarsError:
        if compact:  # a column has too many words after all, or something is wrong with the lines
            return _parse_rows(data, head, sep, names, where, compact=False)
        frame = None
    if frame is not None and not quoted and _has_regular_lines(data, sep, frame):
        return CsvRows(frame)
    layout = measure_csv_records(data, sep)
    if isinstance(layout, Violation):
        raise malformed_error(where, [layout])
    if ragged := len(layout.ragged(len(names))):
        raise malformed_error(where, ragged_record_violations(layout, len(names)), ragged)
    if frame is None or frame.height != layout.records - 1:
        raise malformed_error(where, [])
    lines = layout.lines[1:]
    is_one_line_each = lines[-1] == len(lines) + 1
    return CsvRows(
        _empty_cells_to_null(frame) if quoted else frame, None if is_one_line_each else lines
    )


def _read_with_polars(
    data: bytes,
    skip: int,
    sep: str,
    types: Mapping[str, pl.DataType],
    *,
    quoted: bool,
    rows: int | None = None,
) -> pl.DataFrame:
    return pl.read_csv(
        data,
        separator=sep,
        # Polars compares names in a header before undoubling their quotation marks.
        has_header=False,
        skip_lines=skip,
        schema=dict(types),
        n_rows=rows,
        quote_char='"' if quoted else None,
    )


def _has_regular_lines(data: bytes, sep: str, frame: pl.DataFrame) -> bool:
    """Whether all lines of an unquoted text have the same number of fields.

    Polars refuses a line with too many (except a last one without line end), so the right total
    leaves no line with too few.
    """
    last = data[data.rfind(b"\n") + 1 :]
    ends, separators = count_characters(data, "\n", sep)
    lines = ends + bool(last)
    fields = separators + lines
    last_fits = not last or last.count(sep.encode()) + 1 == frame.width
    return last_fits and frame.height == lines - 1 and fields == lines * frame.width


def _empty_cells_to_null(frame: pl.DataFrame) -> pl.DataFrame:
    """A quoted empty cell is as empty as any other."""
    cells = (
        pl.when(pl.col(name).cast(pl.String) != "").then(pl.col(name)) for name in frame.columns
    )
    return frame.with_columns(cells)


def malformed_error(
    where: AnyPath, faults: list[Violation], total: int | None = None
) -> InputError:
    """The error for lines that are not those of a table."""
    reason = Message("the lines do not form a table")
    return input_error(where, reason, faults=faults, total=total)


def _nameless_column_violation(position: int) -> Violation:
    message = Message("line 1: column number {position} has no name", position=position)
    return Violation(rule="header", line=1, message=message)


def _repeated_name_violation(name: str, times: int) -> Violation:
    message = Message(
        "line 1: the name '{name}' is used {times} times; every column needs a name of its own",
        name=name,
        times=times,
    )
    return Violation(rule="header", line=1, column=name, message=message)
