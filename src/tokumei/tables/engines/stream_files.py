"""Reads and writes CSV and Parquet files larger than memory.

    source = open_stream("people.csv")          # looks at the header only
    source.require_whole_lines()                # reads all of it once, in pieces
    source.scan()                               # rows, lazily; CSV cells are text
    with source.watched(): ...                  # fails if the file changes meanwhile

CSV must be UTF-8; every line is checked as the reader of whole files checks it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl
import polars.selectors as cs

from tokumei.core.errors import UsageError, Violation
from tokumei.core.messages import Message
from tokumei.files.csv_parsing import (
    check_header,
    check_separator,
    detect_separator,
    header_record,
    parse_csv,
)
from tokumei.files.csv_records import measure_csv_records, ragged_record_violations
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    AnyPath,
    FileFormat,
    check_signature,
    detect_format,
    input_error,
    separator_from_name,
)
from tokumei.files.reading import translate_parquet_errors
from tokumei.tables.data.simple_frame import require_simple_frame

STREAMABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet")
UTF8_NAMES = ("auto", "utf-8", "utf8")
_HEAD_BYTES, _PIECE_BYTES = 2**20, 2**22
_MAX_RECORD_BYTES = 2**26
_SAMPLED_ROWS, _CELL_BYTES = 100_000, 16


@dataclass(frozen=True, eq=False)
class StreamedFile:
    """A file of rows that are never in memory all at once."""

    path: Path
    names: list[str]
    form: FileFormat
    sep: str = ","
    state: tuple[int, ...] | None = None
    """What the file system said of the file when it was opened, if that is to be watched."""

    @property
    def is_text(self) -> bool:
        """Whether the types of cells are still to be decided, as in CSV."""
        return self.form is not FileFormat.PARQUET

    def scan(self, place: str | None = None) -> pl.LazyFrame:
        """The rows; `place` names a column with the number of each, from 0."""
        if not self.is_text:
            rows = pl.scan_parquet(self.path, row_index_name=place)
            return rows.with_columns(pl.col(pl.Float32, pl.Float64).fill_nan(None))
        rows = pl.scan_csv(
            self.path,
            separator=self.sep,
            infer_schema=False,
            # Polars leaves doubled quotation marks in names as they are.
            new_columns=self.names,
            row_index_name=place,
            low_memory=True,
        )
        text = pl.col(pl.String)
        # An empty cell is missing even between quotation marks.
        return rows.with_columns(pl.when(text.str.len_bytes() > 0).then(text))

    def texts(self, names: Sequence[str] | None = None) -> pl.LazyFrame:
        """Rows with reals as text, in which 0.0 and -0.0 are two values; of all columns, or some.

        Text files have nothing but text.
        """
        rows = self.scan()
        if self.is_text:
            return rows
        reals = cs.float() if names is None else cs.float() & cs.by_name(*names)
        return rows.with_columns(reals.cast(pl.String))

    def row_bytes(self, rows: int) -> float:
        """About how much memory a row takes: its text, and something for every cell."""
        size = self.path.stat().st_size / max(rows, 1)
        if not self.is_text:  # the file is compressed; the first rows are not
            lengths = pl.col(pl.String).str.len_bytes().fill_null(0).mean().fill_null(0.0)
            means = self.scan().head(_SAMPLED_ROWS).select(lengths).collect(engine="streaming")
            size = sum(map(float, means.row(0))) if means.width else 0.0
        return size + _CELL_BYTES * len(self.names)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Fail if the file is no longer the one that was opened, whatever else fails for it."""
        try:
            with translate_parquet_errors(self.path, self.form):
                yield
        finally:
            if self.state is not None and self.state != _file_state(self.path):
                raise input_error(
                    self.path,
                    Message("the file changed while it was being read; nothing is written"),
                )

    def require_whole_lines(self) -> None:
        """Fail, listing the lines, unless every record of a CSV file has as many fields."""
        if not self.is_text:
            return
        lines_before = 0
        for piece in self._read_pieces():
            layout = measure_csv_records(piece, self.sep)
            violations = (
                [layout]
                if isinstance(layout, Violation)
                else ragged_record_violations(layout, len(self.names))
            )
            if violations or b"\0" in piece:
                problem = Message("the text is not a table")
                if not violations:
                    problem = Message("a NUL byte: this is not a text file")
                raise input_error(
                    self.path,
                    problem,
                    faults=[
                        _shift_violation_line(violation, lines_before) for violation in violations
                    ],
                )
            to_utf8(piece, "utf-8", where=self.path)
            lines_before += piece.count(b"\n")

    def _read_pieces(self) -> Iterator[bytes]:
        """The text in pieces that end where a record ends."""
        rest = b""
        with self.path.open("rb") as stream:
            while block := stream.read(_PIECE_BYTES):
                rest += block
                end = _last_record_end(rest)
                if end or len(rest) > _MAX_RECORD_BYTES:  # so long a record lacks a quotation mark
                    yield rest[: end or None]
                    rest = rest[end:] if end else b""
        if rest:
            yield rest


def open_stream(path: AnyPath, *, sep: str | None = None, encoding: str = "auto") -> StreamedFile:
    """The table in a file, of which only the header was read."""
    form = detect_format(path, STREAMABLE_SUFFIXES)
    if encoding.lower() not in UTF8_NAMES:
        raise UsageError("a streamed file must be UTF-8, not {encoding}", encoding=encoding)
    file = Path(path)
    if not file.is_file():
        raise input_error(path, Message("no such file"))
    state = _file_state(file)
    if form is FileFormat.PARQUET:
        with translate_parquet_errors(file, form):
            empty = require_simple_frame(pl.scan_parquet(file).head(0).collect())
        check_header(empty.columns, path)
        return StreamedFile(file, empty.columns, form, state=state)
    with file.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    # Whole lines: a piece of a character at the end would be no UTF-8.
    head = head[: head.rfind(b"\n") + 1] or head
    check_signature(path, head[:64], FileFormat.CSV)
    head = header_record(to_utf8(head, "utf-8", where=path))
    sep = check_separator(sep) if sep else separator_from_name(path) or detect_separator(head)
    # As its own only row, the header is checked like any other text.
    names = parse_csv(head.rstrip(b"\r\n") + b"\n" + head, sep=sep, where=path).frame.columns
    return StreamedFile(file, names, form, sep, state)


def _last_record_end(text: bytes) -> int:
    """Behind the last line end that is outside quotation marks; 0 if there is none."""
    end = text.rfind(b"\n") + 1
    inside = text.count(b'"', 0, end) % 2
    while end and inside:
        line = text.rfind(b"\n", 0, end - 1) + 1
        inside ^= text.count(b'"', line, end) % 2
        end = line
    return end


def _file_state(path: Path) -> tuple[int, ...]:
    """What changes when a file is written to or replaced."""
    try:
        status = path.stat()
    except OSError:
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _shift_violation_line(fault: Violation, lines: int) -> Violation:
    """The fault of a piece at its line in the whole file."""
    if not lines or fault.line is None:
        return fault
    line = fault.line + lines
    return replace(fault, line=line, message=fault.message.fill(line=line))
