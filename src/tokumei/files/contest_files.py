"""Reads and writes contest files: no header, comma-separated, no quotation marks.

    text = read_contest_file("A.csv", ["customer", "day", "item", "price", "quantity"])
    write_all([contest_file_output(frame, "A.csv", secret=True)])

Reading keeps every line, so that a checker can list what is wrong with it.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import polars as pl

from tokumei.core.errors import MAX_SHOWN_VIOLATIONS, Violation
from tokumei.core.messages import Message, join_messages
from tokumei.core.release_terms import TableLayout
from tokumei.files.atomic_write import Output
from tokumei.files.encodings import to_utf8
from tokumei.files.file_formats import (
    MAX_BYTES,
    AnyPath,
    FileFormat,
    detect_format,
    input_error,
    load_bytes,
)
from tokumei.files.frame_conversion import ArrowFrame, source_name, to_polars
from tokumei.files.reading import read_parquet

CONTEST_SUFFIXES = (".csv", ".csv.gz", ".txt", ".txt.gz", ".parquet")
_UNQUOTABLE = r"[,\r\n]"


@dataclass(frozen=True, eq=False)
class ContestRows:
    """Text cells, null where a line has too few, and how many fields each line has.

    `lines` are the numbers (1-based) of the lines in the file, if they are not simply all lines.
    """

    frame: pl.DataFrame
    fields: np.ndarray
    lines: np.ndarray | None = None

    @property
    def rows(self) -> int:
        """How many lines."""
        return self.frame.height

    @property
    def ragged(self) -> np.ndarray:
        """The rows (0-based) that do not have as many fields as there are columns."""
        return np.flatnonzero(self.fields != self.frame.width)

    def line_of(self, row: int) -> int:
        """The line (1-based) of a row (0-based)."""
        return row + 1 if self.lines is None else int(self.lines[row])

    def ragged_faults(self, most: int | None = None) -> list[Violation]:
        """Violations of the number of fields of those rows, the first `most` of them."""
        width, faults = self.frame.width, []
        for row in self.ragged[:most].tolist():
            line = self.line_of(row)
            message = Message(
                "line {line}: {count} field instead of {width}",
                plural="line {line}: {count} fields instead of {width}",
                count=int(self.fields[row]),
                line=line,
                width=width,
            )
            faults.append(Violation(rule="fields", line=line, message=message))
        return faults

    def require_regular(self, where: AnyPath) -> None:
        """Fail, listing them, if lines have too few or too many fields."""
        if total := len(self.ragged):
            faults = self.ragged_faults(MAX_SHOWN_VIOLATIONS)
            width = self.frame.width
            reason = Message("every line needs {width} fields between commas", width=width)
            raise input_error(where, reason, faults=faults, total=total)


def read_contest_file(
    path: AnyPath | ArrowFrame, columns: Sequence[str], *, encoding: str = "auto"
) -> ContestRows:
    """The lines of a contest file or the rows of a frame, their fields under the given names.

    Empty lines at the end do not count; a file may have no lines at all.
    """
    if not isinstance(path, str | os.PathLike):
        return frame_to_contest_rows(to_polars(path), columns, where=source_name(path))
    form = detect_format(path, CONTEST_SUFFIXES)
    if form is FileFormat.PARQUET:
        return frame_to_contest_rows(read_parquet(path, MAX_BYTES), columns, where=path)
    data = b"" if _is_empty_file(path, form) else load_bytes(path, form)
    return parse_contest_bytes(data, columns, where=path, encoding=encoding)


def parse_contest_bytes(
    data: bytes, columns: Sequence[str], *, where: AnyPath, encoding: str = "auto"
) -> ContestRows:
    """The lines of a contest file that is in memory already; `where` names it in errors."""
    lines = pl.read_lines(io.BytesIO(_normalize_lines(to_utf8(data, encoding, where=where), where)))
    return split_contest_lines(lines.to_series(), columns)


def to_contest_bytes(frame: pl.DataFrame) -> bytes:
    """Text cells as the bytes of a contest file."""
    stream = io.BytesIO()
    contest_file_output(frame, "rows.csv").write(stream)
    return stream.getvalue()


def contest_file_output(frame: pl.DataFrame, path: AnyPath, *, secret: bool = False) -> Output:
    """Text cells as a contest file, for `write_all`; equal frames give equal bytes."""
    form = detect_format(path, CONTEST_SUFFIXES)
    if form is FileFormat.PARQUET:
        return Output(path, frame.write_parquet, secret, TableLayout())
    _require_unquoted_cells(frame, path)

    def plain(stream: BinaryIO) -> None:
        frame.write_csv(stream, include_header=False, quote_style="never", line_terminator="\n")

    def packed(stream: BinaryIO) -> None:
        # Neither name nor time goes into the header: equal frames, equal bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0) as unpacked:
            plain(cast(BinaryIO, unpacked))

    layout = TableLayout(header=False, names=tuple(frame.columns), quotes=False)
    return Output(path, packed if form is FileFormat.CSV_GZ else plain, secret, layout)


def _is_empty_file(path: AnyPath, form: FileFormat) -> bool:
    """Whether a regular file has no content: no lines are as good as any other number."""
    if not Path(path).is_file():
        return False
    try:
        with gzip.open(path) if form is FileFormat.CSV_GZ else Path(path).open("rb") as stream:
            return not stream.read(1)
    except (OSError, EOFError, zlib.error):
        return False  # load_bytes tells what is wrong with it


def _normalize_lines(data: bytes, where: AnyPath) -> bytes:
    if (nul_offset := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, nul_offset) + 1
        reason = Message("a NUL byte on line {line}: this is not a text file", line=line)
        raise input_error(where, reason)
    if b"\r" in data and b"\n" not in data:
        # Only the oldest Macintosh programs end lines so.
        data = data.replace(b"\r", b"\n")
    return data.rstrip(b"\r\n")


def split_contest_lines(
    lines: pl.Series, columns: Sequence[str], *, numbers: np.ndarray | None = None
) -> ContestRows:
    """Lines that were read already; `numbers` are theirs in the file."""
    fields = lines.str.count_matches(",", literal=True).to_numpy().astype(np.int64) + 1
    cells = lines.str.split_exact(",", len(columns) - 1)
    return ContestRows(cells.struct.rename_fields(columns).struct.unnest(), fields, numbers)


def frame_to_contest_rows(
    frame: pl.DataFrame,
    columns: Sequence[str],
    *,
    where: AnyPath,
    numbers: np.ndarray | None = None,
) -> ContestRows:
    """The cells of a frame as those of a contest file; `numbers` are those of its lines."""
    if frame.width != len(columns):
        reason = Message(
            "{count} column instead of {expected} ({columns})",
            plural="{count} columns instead of {expected} ({columns})",
            count=frame.width,
            expected=len(columns),
            columns=join_messages(columns),
        )
        raise input_error(where, reason)
    cells = [
        _to_contest_text(series).alias(name) for series, name in zip(frame, columns, strict=True)
    ]
    return ContestRows(pl.DataFrame(cells), np.full(frame.height, frame.width), numbers)


def _to_contest_text(series: pl.Series) -> pl.Series:
    if series.dtype in (pl.Date, pl.Datetime):
        series = series.dt.strftime("%Y/%-m/%-d")
    return series.cast(pl.String).fill_null("")


def _require_unquoted_cells(frame: pl.DataFrame, path: AnyPath) -> None:
    texts = [series for series in frame if series.dtype == pl.String]
    rows_by_column = {
        text.name: text.str.contains(_UNQUOTABLE).arg_true().to_list() for text in texts
    }
    total = sum(len(rows) for rows in rows_by_column.values())
    if total:
        places = [
            (name, row)
            for name, rows in rows_by_column.items()
            for row in rows[:MAX_SHOWN_VIOLATIONS]
        ]
        faults = [_unquotable_violation(name, row) for name, row in places]
        reason = Message(
            "{count} cell holds a comma or a line break, which a contest file cannot quote",
            plural="{count:,} cells hold a comma or a line break, which a contest file cannot "
            "quote",
            count=total,
        )
        raise input_error(path, reason, faults=faults, total=total)


def _unquotable_violation(name: str, row: int) -> Violation:
    # The cell itself is not shown: the file may be secret.
    message = Message(
        "line {line}, column '{column}': a comma or a line break", line=row + 1, column=name
    )
    return Violation(rule="contest-cell", line=row + 1, column=name, message=message)
