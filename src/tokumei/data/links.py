"""The secret link in a file: CSV `released,original`, row numbers from 0.

No message here shows a value of the file: the lines are named, and nothing of what they hold.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.data.csv_text import CsvRows, parse_csv
from tokumei.data.encodings import to_utf8
from tokumei.data.files import AnyPath, Format, input_error, load_bytes, suffix_of
from tokumei.errors import Fault, UsageError
from tokumei.text import Text

COLUMNS = ("released", "original")
_NOT_CSV = (".parquet", ".xlsx")


def read_link(path: AnyPath, released: int, original: int) -> np.ndarray:
    """The original row of every released row, from a file with one line per released row."""
    data = to_utf8(load_bytes(path, link_format(path)), "auto", where=path)
    rows = parse_csv(data, sep=",", where=path, expected=COLUMNS)
    to, of = (_row_numbers(rows.frame[name]) for name in COLUMNS)
    faults = [*_outside(rows, to, COLUMNS[0], released), *_outside(rows, of, COLUMNS[1], original)]
    faults += [*_repeated(rows, to, COLUMNS[0]), *_repeated(rows, of, COLUMNS[1])]
    faults += _missing(to, released)
    if faults:
        reason = Text("the link cannot be used", "対応表が使えません")
        ordered = sorted(faults, key=lambda fault: fault.line or 2**62)
        raise input_error(path, reason, faults=ordered)
    link = np.empty(released, dtype=np.int64)
    link[to] = of
    return link


def link_format(path: AnyPath) -> Format:
    """A link is CSV whatever its name, compressed if that ends in `.gz`."""
    suffix = suffix_of(path)
    if suffix in _NOT_CSV:
        raise UsageError(
            Text(
                f"{path}: a link is CSV, not {suffix}",
                f"{path}: 対応表は CSV です ({suffix} は不可)",
            )
        )
    return Format.CSV_GZ if suffix.endswith(".gz") else Format.CSV


def _row_numbers(series: pl.Series) -> np.ndarray:
    """Cells as numbers, -1 for whatever is none."""
    plain = series.str.contains("^(0|[1-9][0-9]*)$").fill_null(False)
    numbers = series.set(~plain, None).cast(pl.Int64, strict=False)
    return numbers.fill_null(-1).to_numpy()


def _outside(rows: CsvRows, numbers: np.ndarray, column: str, limit: int) -> list[Fault]:
    wrong = np.flatnonzero((numbers < 0) | (numbers >= limit))
    return [_outside_fault(rows.line_of(int(row)), column, limit) for row in wrong]


def _repeated(rows: CsvRows, numbers: np.ndarray, column: str) -> list[Fault]:
    first = np.zeros(len(numbers), dtype=bool)
    first[np.unique(numbers, return_index=True)[1]] = True
    again = np.flatnonzero(~first & (numbers >= 0))
    return [_repeated_fault(rows.line_of(int(row)), column) for row in again]


def _missing(numbers: np.ndarray, released: int) -> list[Fault]:
    absent = np.setdiff1d(np.arange(released), numbers)
    return [_missing_fault(int(row)) for row in absent]


def _outside_fault(line: int, column: str, limit: int) -> Fault:
    message = Text(
        f"line {line}, column '{column}': not a row number from 0 to {limit - 1}",
        f"{line} 行目、列 '{column}': 0 から {limit - 1} までの行番号ではありません",
    )
    return Fault(rule="link", line=line, column=column, message=message)


def _repeated_fault(line: int, column: str) -> Fault:
    message = Text(
        f"line {line}, column '{column}': the row number stands on an earlier line already",
        f"{line} 行目、列 '{column}': 同じ行番号が前の行にもあります",
    )
    return Fault(rule="link", line=line, column=column, message=message)


def _missing_fault(row: int) -> Fault:
    message = Text(
        f"released row {row} has no line", f"匿名加工データの {row} 行 (0 始まり) がありません"
    )
    return Fault(rule="link", column=COLUMNS[0], message=message)
