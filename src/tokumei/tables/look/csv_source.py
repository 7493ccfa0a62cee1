"""The text of a stranger's CSV: first and last lines one by one, the rows between by Polars."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, InputError
from tokumei.core.fields import field_name
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.csv_layout import Layout, count_bytes, lay_out, ragged_faults
from tokumei.files.csv_text import check_separator, header_bytes
from tokumei.tables.look.records import SEPARATORS, Frame, guess_separator, split_lines

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
        first = self.tail_start[0] if self.tail_start else len(self.data)
        return sum(np.cumsum([len(record) for record in self.head_bytes]) <= first)

    @classmethod
    def of(cls, data: bytes, separator: str | None, *, where: AnyPath) -> CsvText:
        """The text, understood as far as its lines go."""
        data = _clean(data, where)
        records = _first_records(data)
        lines = [record.decode() for record in records]
        sep = check_separator(separator) if separator else guess_separator(lines)
        if sep is None:
            raise _one_column(where, lines)
        head = split_lines(lines, sep)
        starts = _tail_starts(data)
        last = [data[start : data.find(b"\n", start) + 1] for start in starts]
        tail = [next(iter(split_lines([line.decode(errors="replace")], sep)), []) for line in last]
        widths = [len(row) for row in head if any(row)]
        width = max(set(widths), key=lambda one: (widths.count(one), one))
        return cls(data, sep, width, head, records, tail, starts)


@dataclass(frozen=True, eq=False)
class CsvRead:
    """The rows, the line each stands on, and blank lines around them."""

    frame: pl.DataFrame
    lines: np.ndarray
    header_line: int
    blank_above: int
    blank_below: int
    empty: int


def read_csv_text(text: CsvText, frame: Frame, below: int, *, where: AnyPath) -> CsvRead:
    """The rows between the names and the last lines; a line of another width is a fault."""
    start = sum(len(record) for record in text.head_bytes[: frame.first])
    end = text.tail_start[-below] if below else len(text.data)
    above = [row for row in text.head[: frame.first] if not any(cell.strip() for cell in row)]
    under = [row for row in text.tail[len(text.tail) - below :] if not any(c.strip() for c in row)]
    offset = sum(record.count(b"\n") for record in text.head_bytes[: frame.first])
    at = frame.first if frame.header is None else frame.header
    body = text.data[start : max(start, end)]
    rows, lines, empty = _rows(body, text.separator, frame.names, offset, where)
    header_line = sum(record.count(b"\n") for record in text.head_bytes[:at]) + 1
    return CsvRead(rows, lines, header_line, len(above), len(under), empty)


def _clean(data: bytes, where: AnyPath) -> bytes:
    if (place := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, place) + 1
        raise input_error(
            where,
            Text(
                f"line {line}: a NUL byte, which no text has (binary data?)",
                f"{line} 行目: テキストにない NUL バイトがあります（バイナリデータの可能性）",
            ),
        )
    if not data or data.isspace():
        raise input_error(where, Text("the file is empty", "ファイルが空です"))
    data = data if b"\n" in data else data.replace(b"\r", b"\n")
    return data if data.endswith(b"\n") else data + b"\n"


def _first_records(data: bytes) -> list[bytes]:
    records: list[bytes] = []
    start = 0
    while start < len(data) and len(records) < _HEAD_RECORDS:
        record = header_bytes(data[start : start + 2**20])
        records.append(record)
        start += len(record)
    return records


def _tail_starts(data: bytes) -> list[int]:
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


def _rows(
    body: bytes, sep: str, names: tuple[str, ...], offset: int, where: AnyPath
) -> tuple[pl.DataFrame, np.ndarray, int]:
    """Rows, their lines, and how many lines were blank."""
    schema = dict.fromkeys(names, pl.String())
    if not body.strip():
        return pl.DataFrame(schema=schema), np.array([], np.int64), 0
    quoted = b'"' in body
    if not quoted:
        body, kept = _without_blank_lines(body)
        frame = _polars(body, sep, schema, quoted=False)
        if frame is not None and _is_regular(body, sep, frame):
            lines = np.arange(frame.height) if kept is None else kept
            return frame, lines + offset + 1, 0 if kept is None else int(kept[-1]) + 1 - len(kept)
    layout = lay_out(body, sep)
    if isinstance(layout, Fault):
        raise _malformed(where, [_moved(layout, offset)], 1)
    layout = Layout(layout.fields, layout.lines + offset)
    blank = _blank_records(body, layout, offset, len(names))
    wrong = np.setdiff1d(layout.ragged(len(names)), blank)
    if len(wrong):
        faults = ragged_faults(Layout(layout.fields[wrong], layout.lines[wrong]), len(names))
        raise _malformed(where, faults, len(wrong))
    frame = _polars(body, sep, schema, quoted=quoted)
    if frame is None:
        raise _malformed(where, [], 0)
    lines = np.delete(layout.lines, blank)
    if frame.height == layout.records:
        frame = (
            frame.with_row_index("tokumei_row")
            .filter(~pl.col("tokumei_row").is_in(blank.tolist()))
            .drop("tokumei_row")
        )
    if frame.height != len(lines):
        raise _malformed(where, [], 0)
    return frame.with_columns(pl.all().replace("", None)), lines, len(blank)


def _without_blank_lines(body: bytes) -> tuple[bytes, np.ndarray | None]:
    """Without blank lines, and the numbers of the lines that stay (None: all of them)."""
    if not re.search(rb"(^|\n)[ \t]*\r?\n", body):
        return body, None
    lines = body.splitlines(keepends=True)
    kept = [i for i, line in enumerate(lines) if line.strip()]
    return b"".join(lines[i] for i in kept), np.array(kept, np.int64)


def _blank_records(body: bytes, layout: Layout, offset: int, width: int) -> np.ndarray:
    single = np.flatnonzero(layout.fields == 1)
    if width == 1 or not len(single):
        return np.array([], np.int64)
    lines = body.split(b"\n")
    return np.array(
        [i for i in single if not lines[int(layout.lines[i]) - offset - 1].strip()], np.int64
    )


def _polars(
    body: bytes, sep: str, schema: dict[str, pl.String], *, quoted: bool
) -> pl.DataFrame | None:
    try:
        return pl.read_csv(
            body, separator=sep, has_header=False, schema=schema, quote_char='"' if quoted else None
        )
    except pl.exceptions.PolarsError:
        return None


def _is_regular(body: bytes, sep: str, frame: pl.DataFrame) -> bool:
    lines, separators = count_bytes(body, "\n", sep)
    return frame.height == lines and separators == lines * (frame.width - 1)


def _moved(fault: Fault, offset: int) -> Fault:
    if not offset or fault.line is None:
        return fault
    old, new = str(fault.line), str(fault.line + offset)
    message = Text(*(words.replace(old, new, 1) for words in fault.message))
    return replace(fault, line=fault.line + offset, message=message)


def _malformed(where: AnyPath, faults: list[Fault], total: int) -> InputError:
    reason = Text("the lines do not form a table", "表として読めない行があります")
    return input_error(where, reason, faults=faults, total=total)


def _one_column(where: AnyPath, lines: list[str]) -> InputError:
    listed = " ".join(repr(sep) for sep in SEPARATORS)
    return input_error(
        where,
        Text(
            f"found one column of text in {len(lines)} line(s) or more: none of {listed} parts "
            f"the lines; {field_name('sep')} names the separator",
            f"文字列の列が一つだけです。{listed} のどれでも行を分けられません。"
            f"区切り文字は {field_name('sep')} で指定してください",
        ),
    )
