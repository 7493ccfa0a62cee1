"""Reads CSV text: first and last lines one by one, the rows between by Polars."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.errors import InputError, Violation
from tokumei.core.fields import field_name
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import check_separator, header_record
from tokumei.files.csv_records import (
    CsvRecordSizes,
    count_characters,
    measure_csv_records,
    ragged_record_violations,
)
from tokumei.files.file_formats import AnyPath, input_error
from tokumei.tables.profiling.reading.table_boundaries import (
    SEPARATORS,
    TableStart,
    guess_separator,
    split_lines,
)

_HEAD_RECORDS, _TAIL_LINES = 200, 40
_TAIL_BYTES = 2**18


@dataclass(frozen=True, eq=False)
class CsvText:
    """A UTF-8 text, its separator and usual width, its first records and its last lines."""

    data: bytes
    separator: str
    width: int
    head: list[list[str]]
    head_bytes: list[bytes]
    tail: list[list[str]]
    tail_start: list[int]

    @property
    def before_tail(self) -> int:
        """How many records stand before the last lines, as far as the head tells."""
        tail_offset = self.tail_start[0] if self.tail_start else len(self.data)
        return sum(np.cumsum([len(record) for record in self.head_bytes]) <= tail_offset)

    @classmethod
    def of(cls, data: bytes, separator: str | None, *, where: AnyPath) -> CsvText:
        """The text, understood as far as its lines go."""
        data = _require_text_lines(data, where)
        records = _split_first_records(data)
        lines = [record.decode() for record in records]
        delimiter = check_separator(separator) if separator else guess_separator(lines)
        if delimiter is None:
            raise _single_column_error(where, lines)
        head = split_lines(lines, delimiter)
        starts = _last_record_starts(data)
        tail_lines = [data[start : data.find(b"\n", start) + 1] for start in starts]
        tail = [
            next(iter(split_lines([line.decode(errors="replace")], delimiter)), [])
            for line in tail_lines
        ]
        widths = [len(row) for row in head if any(row)]
        width = max(
            set(widths),
            key=lambda candidate_width: (widths.count(candidate_width), candidate_width),
        )
        return cls(data, delimiter, width, head, records, tail, starts)


@dataclass(frozen=True, eq=False)
class CsvTable:
    """The rows, the line each stands on, and blank lines around them."""

    frame: pl.DataFrame
    lines: np.ndarray
    header_line: int
    blank_above: int
    blank_below: int
    empty: int


def read_csv_text(text: CsvText, bounds: TableStart, below: int, *, where: AnyPath) -> CsvTable:
    """The rows between the names and the last lines; a line of another width is a fault."""
    start = sum(len(record) for record in text.head_bytes[: bounds.first])
    end = text.tail_start[-below] if below else len(text.data)
    blank_above = [
        row for row in text.head[: bounds.first] if not any(cell.strip() for cell in row)
    ]
    blank_below = [
        row for row in text.tail[len(text.tail) - below :] if not any(c.strip() for c in row)
    ]
    offset = sum(record.count(b"\n") for record in text.head_bytes[: bounds.first])
    header_index = bounds.first if bounds.header is None else bounds.header
    body = text.data[start : max(start, end)]
    rows, lines, empty = _parse_rows(body, text.separator, bounds.names, offset, where)
    header_line = sum(record.count(b"\n") for record in text.head_bytes[:header_index]) + 1
    return CsvTable(rows, lines, header_line, len(blank_above), len(blank_below), empty)


def _require_text_lines(data: bytes, where: AnyPath) -> bytes:
    if (nul_offset := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, nul_offset) + 1
        raise input_error(
            where, Message("line {line}: a NUL byte, which no text has (binary data?)", line=line)
        )
    if not data or data.isspace():
        raise input_error(where, Message("the file is empty"))
    data = data if b"\n" in data else data.replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def _split_first_records(data: bytes) -> list[bytes]:
    records: list[bytes] = []
    start = 0
    while start < len(data) and len(records) < _HEAD_RECORDS:
        record = header_record(data[start : start + 2**20])
        records.append(record)
        start += len(record)
    return records


def _last_record_starts(data: bytes) -> list[int]:
    """Where the last records begin that lie on one line each, in order."""
    starts: list[int] = []
    end, quotes = len(data) - 1, 0
    while end > 0 and len(starts) < _TAIL_LINES and len(data) - end < _TAIL_BYTES:
        start = data.rfind(b"\n", 0, end) + 1
        quotes += data.count(b'"', start, end)
        if quotes % 2:  # a quoted cell goes over several lines
            break
        starts.append(start)
        end = start - 1
    return starts[::-1]


def _parse_rows(
    body: bytes, sep: str, names: tuple[str, ...], offset: int, where: AnyPath
) -> tuple[pl.DataFrame, np.ndarray, int]:
    """Rows, their lines, and how many lines were blank."""
    schema = dict.fromkeys(names, pl.String())
    if not body.strip():
        return pl.DataFrame(schema=schema), np.array([], np.int64), 0
    quoted = b'"' in body
    if not quoted:
        body, kept_lines = _drop_blank_lines(body)
        frame = _try_polars_csv(body, sep, schema, quoted=False)
        if frame is not None and _is_rectangular(body, sep, frame):
            lines = np.arange(frame.height) if kept_lines is None else kept_lines
            return (
                frame,
                lines + offset + 1,
                0 if kept_lines is None else int(kept_lines[-1]) + 1 - len(kept_lines),
            )
    layout = measure_csv_records(body, sep)
    if isinstance(layout, Violation):
        raise _malformed_error(where, [_shift_line_number(layout, offset)], 1)
    layout = CsvRecordSizes(layout.fields, layout.lines + offset)
    blank_records = _find_blank_records(body, layout, offset, len(names))
    ragged_records = np.setdiff1d(layout.ragged(len(names)), blank_records)
    if len(ragged_records):
        violations = ragged_record_violations(
            CsvRecordSizes(layout.fields[ragged_records], layout.lines[ragged_records]), len(names)
        )
        raise _malformed_error(where, violations, len(ragged_records))
    frame = _try_polars_csv(body, sep, schema, quoted=quoted)
    if frame is None:
        raise _malformed_error(where, [], 0)
    lines = np.delete(layout.lines, blank_records)
    if frame.height == layout.records:
        frame = (
            frame.with_row_index("tokumei_row")
            .filter(~pl.col("tokumei_row").is_in(blank_records.tolist()))
            .drop("tokumei_row")
        )
    if frame.height != len(lines):
        raise _malformed_error(where, [], 0)
    return frame.with_columns(pl.all().replace("", None)), lines, len(blank_records)


def _drop_blank_lines(body: bytes) -> tuple[bytes, np.ndarray | None]:
    """Without blank lines, and the numbers of the lines that stay (None: all of them)."""
    if not re.search(rb"(^|\n)[ \t]*\r?\n", body):
        return body, None
    lines = body.splitlines(keepends=True)
    kept_indices = [i for i, line in enumerate(lines) if line.strip()]
    return b"".join(lines[i] for i in kept_indices), np.array(kept_indices, np.int64)


def _find_blank_records(body: bytes, layout: CsvRecordSizes, offset: int, width: int) -> np.ndarray:
    single_field_records = np.flatnonzero(layout.fields == 1)
    if width == 1 or not len(single_field_records):
        return np.array([], np.int64)
    lines = body.split(b"\n")
    return np.array(
        [i for i in single_field_records if not lines[int(layout.lines[i]) - offset - 1].strip()],
        np.int64,
    )


def _try_polars_csv(
    body: bytes, sep: str, schema: dict[str, pl.String], *, quoted: bool
) -> pl.DataFrame | None:
    try:
        return pl.read_csv(
            body, separator=sep, has_header=False, schema=schema, quote_char='"' if quoted else None
        )
    except pl.exceptions.PolarsError:
        return None


def _is_rectangular(body: bytes, sep: str, frame: pl.DataFrame) -> bool:
    lines, separators = count_characters(body, "\n", sep)
    return frame.height == lines and separators == lines * (frame.width - 1)


def _shift_line_number(violation: Violation, offset: int) -> Violation:
    if not offset or violation.line is None:
        return violation
    line = violation.line + offset
    return replace(violation, line=line, message=violation.message.fill(line=line))


def _malformed_error(where: AnyPath, violations: list[Violation], total: int) -> InputError:
    reason = Message("the lines do not form a table")
    return input_error(where, reason, faults=violations, total=total)


def _single_column_error(where: AnyPath, lines: list[str]) -> InputError:
    reason = Message(
        "all text is in one column: none of {separators} splits the lines; name the separator "
        "with {option}",
        separators=" ".join(repr(separator) for separator in SEPARATORS),
        option=field_name("sep"),
    )
    return input_error(where, reason)
