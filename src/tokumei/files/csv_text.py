"""CSV text to a frame of text cells, every line checked.

Polars fills short lines with nulls and renames equal headers without a word; here both are faults.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import polars as pl

from tokumei.core.errors import Fault, InputError, TooWideError, UsageError
from tokumei.core.text import Text
from tokumei.files.compact import dictionary
from tokumei.files.containers import AnyPath, input_error
from tokumei.files.csv_layout import count_bytes, lay_out, ragged_faults
from tokumei.files.frames import require_plain_names

SEPARATORS = (",", ";", "\t")
MOST_COLUMNS = 10_000
_SAMPLE = 2_000


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
    With `compact`, columns that repeat their cells are compact (see `compact.py`).
    """
    data = _clean(data, where)
    head = header_bytes(data)
    sep = check_separator(sep) if sep else detect_separator(head)
    names = _header(head, sep, where, expected)
    if len(names) > 1 and data.endswith((b"\n\n", b"\n\r\n")):
        data = data.rstrip(b"\r\n") + b"\n"
    if len(head) >= len(data):
        raise input_error(where, "no rows after the header", "見出しの後に行がありません")
    return _rows(data, head, sep, names, where, compact)


def detect_separator(head: bytes) -> str:
    """The separator that occurs most in a header line, outside quotation marks; `,` if none.

    A bar only where no other occurs: it may stand within a name.
    """
    outside = b"".join(head.split(b'"')[::2])
    found = max(SEPARATORS, key=lambda sep: outside.count(sep.encode()))
    return "|" if found.encode() not in outside and b"|" in outside else found


def check_separator(sep: str) -> str:
    """The separator, if it can be one."""
    if len(sep) != 1 or not sep.isascii() or sep in '"\r\n\0':
        raise UsageError(
            f"the separator must be one ASCII character and no quotation mark, not {sep!r}",
            f"区切り文字は引用符以外の ASCII 1 文字にしてください ({sep!r} は使えません)",
        )
    return sep


def check_header(names: Sequence[str], where: AnyPath) -> None:
    """Fail if a column has no name or the name of another, or if there are too many to handle."""
    if len(names) > MOST_COLUMNS:
        raise TooWideError(
            f"{where}: {len(names):,} columns; at most {MOST_COLUMNS:,} can be handled: leave out "
            "those that are not needed",
            f"{where}: 列が {len(names):,} あります (上限 {MOST_COLUMNS:,})。"
            "不要な列を除いてください",
        )
    faults = [_nameless(place) for place, name in enumerate(names, 1) if not name.strip()]
    counts = Counter(name for name in names if name.strip())
    faults += [_repeated(name, times) for name, times in counts.items() if times > 1]
    if faults:
        raise input_error(
            where, "the header line cannot be used", "見出し行が使えません", faults=faults
        )
    require_plain_names(names, where=str(where))


def _clean(data: bytes, where: AnyPath) -> bytes:
    if (place := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, place) + 1
        message = Text(
            f"line {line}, byte offset {place}: a NUL byte; text has none (binary data, or UTF-16 "
            "without its mark: then give the encoding)",
            f"{line} 行目 (先頭から {place} バイト目): NUL バイトがあります。"
            "バイナリか、BOM のない UTF-16 です (その場合は文字コードを指定してください)",
        )
        faults = [Fault(rule="nul", line=line, message=message)]
        ja = "テキストファイルではありません"
        raise input_error(where, "the file is not text", ja, faults=faults)
    if not data or data.isspace():
        raise input_error(where, "the file is empty", "ファイルが空です")
    # Only the oldest Macintosh programs end lines so.
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def header_bytes(data: bytes) -> bytes:
    """The header record with its line end, which a quoted name may move past the first line."""
    start = quotes = 0
    while end := data.find(b"\n", start) + 1:
        quotes += data.count(b'"', start, end)
        if quotes % 2 == 0:
            return data[:end]
        start = end
    return data


def _header(head: bytes, sep: str, where: AnyPath, expected: Sequence[str] | None) -> list[str]:
    layout = lay_out(head, sep)
    if isinstance(layout, Fault):
        raise malformed(where, [layout])
    names = [""]
    if head.strip(b"\r\n"):
        row = pl.read_csv(head, separator=sep, has_header=False, infer_schema=False).row(0)
        names = [name or "" for name in row]
    if expected is not None and names != list(expected):
        wanted = sep.join(expected)
        ja = f"見出し行は '{wanted}' でなければなりません"
        raise input_error(where, f"the header line must be '{wanted}'", ja)
    check_header(names, where)
    return names


def _rows(
    data: bytes, head: bytes, sep: str, names: list[str], where: AnyPath, compact: bool
) -> CsvRows:
    quoted = b'"' in data
    read = partial(_polars, data, head.count(b"\n"), sep, quoted=quoted)
    try:
        types: dict[str, pl.DataType] = dict.fromkeys(names, pl.String())
        if compact:
            # Dictionaries for the columns whose first cells repeat themselves.
            sample = read(types, rows=_SAMPLE)
            few = [one.name for one in sample if one.n_unique() <= max(sample.height / 4, 1)]
            types |= {name: dictionary(short=True) for name in few}
        frame = read(types)
    except pl.exceptions.PolarsError:
        if compact:  # a column has too many words after all, or something is wrong with the lines
            return _rows(data, head, sep, names, where, compact=False)
        frame = None
    if frame is not None and not quoted and _is_regular(data, sep, frame):
        return CsvRows(frame)
    layout = lay_out(data, sep)
    if isinstance(layout, Fault):
        raise malformed(where, [layout])
    if ragged := len(layout.ragged(len(names))):
        raise malformed(where, ragged_faults(layout, len(names)), ragged)
    if frame is None or frame.height != layout.records - 1:
        raise malformed(where, [])
    lines = layout.lines[1:]
    one_each = lines[-1] == len(lines) + 1
    return CsvRows(_without_empty(frame) if quoted else frame, None if one_each else lines)


def _polars(
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


def _is_regular(data: bytes, sep: str, frame: pl.DataFrame) -> bool:
    """Whether all lines of an unquoted text have the same number of fields.

    Polars refuses a line with too many (except a last one without line end), so the right total
    leaves no line with too few.
    """
    last = data[data.rfind(b"\n") + 1 :]
    ends, separators = count_bytes(data, "\n", sep)
    lines = ends + bool(last)
    fields = separators + lines
    last_fits = not last or last.count(sep.encode()) + 1 == frame.width
    return last_fits and frame.height == lines - 1 and fields == lines * frame.width


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """A quoted empty cell is as empty as any other."""
    cells = (
        pl.when(pl.col(name).cast(pl.String) != "").then(pl.col(name)) for name in frame.columns
    )
    return frame.with_columns(cells)


def malformed(where: AnyPath, faults: list[Fault], total: int | None = None) -> InputError:
    """The error for lines that are not those of a table."""
    reason = Text("the lines do not form a table", "表として読めない行があります")
    return input_error(where, reason, faults=faults, total=total)


def _nameless(place: int) -> Fault:
    message = Text(
        f"line 1: column number {place} has no name", f"1 行目: {place} 番目の列に名前がありません"
    )
    return Fault(rule="header", line=1, message=message)


def _repeated(name: str, times: int) -> Fault:
    message = Text(
        f"line 1: the name '{name}' is used {times} times; every column needs a name of its own",
        f"1 行目: 列名 '{name}' が {times} 回あります。列名は重複できません",
    )
    return Fault(rule="header", line=1, column=name, message=message)
