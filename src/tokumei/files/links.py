"""The secret link in a file: CSV `released,original`, row numbers from 0.

No message here shows a value of the file: the lines are named, and nothing of what they hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import polars as pl

from tokumei.core.errors import FAULTS_SHOWN, Fault, UsageError
from tokumei.core.text import Text
from tokumei.files.containers import AnyPath, Format, input_error, load_bytes, suffix_of
from tokumei.files.csv_text import CsvRows, parse_csv
from tokumei.files.encodings import to_utf8

COLUMNS = ("released", "original")
_NOT_CSV = (".parquet", ".xlsx")


def read_link(path: AnyPath, released: int, original: int) -> np.ndarray:
    """The original row of every released row, from a file with one line per released row."""
    data = to_utf8(load_bytes(path, link_format(path)), "auto", where=path)
    rows = parse_csv(data, sep=",", where=path, expected=COLUMNS)
    to, of = (_row_numbers(rows.frame[name]) for name in COLUMNS)
    _require_one_to_one(rows, to, of, (released, original), path)
    link = np.empty(released, dtype=np.int64)
    link[to] = of
    return link


def link_format(path: AnyPath) -> Format:
    """A link is CSV whatever its name, compressed if that ends in `.gz`."""
    suffix = suffix_of(path)
    if suffix in _NOT_CSV:
        raise UsageError(
            f"{path}: a link is CSV, not {suffix}",
            f"{path}: 対応表は CSV です ({suffix} は使えません)",
        )
    return Format.CSV_GZ if suffix.endswith(".gz") else Format.CSV


def _row_numbers(series: pl.Series) -> np.ndarray:
    """Cells as numbers, -1 for whatever is none."""
    plain = series.str.contains("^(0|[1-9][0-9]*)$").fill_null(False)
    numbers = series.set(~plain, None).cast(pl.Int64, strict=False)
    return numbers.fill_null(-1).to_numpy()


def _require_one_to_one(
    rows: CsvRows, to: np.ndarray, of: np.ndarray, limits: tuple[int, int], path: AnyPath
) -> None:
    found: list[tuple[np.ndarray, Callable[[int], Fault]]] = []
    for column, numbers, limit in zip(COLUMNS, (to, of), limits, strict=True):
        found.append((_outside(numbers, limit), partial(_outside_fault, rows, column, limit)))
        found.append((_repeated(numbers), partial(_repeated_fault, rows, column)))
    found.append((np.setdiff1d(np.arange(limits[0]), to), _missing_fault))
    faults = [make(int(row)) for wrong, make in found for row in wrong[:FAULTS_SHOWN]]
    if faults:
        raise input_error(
            path,
            Text("the link cannot be used", "対応表が使えません"),
            faults=sorted(faults, key=lambda fault: fault.line or 2**62),
            total=sum(len(wrong) for wrong, _ in found),
        )


def _outside(numbers: np.ndarray, limit: int) -> np.ndarray:
    return np.flatnonzero((numbers < 0) | (numbers >= limit))


def _repeated(numbers: np.ndarray) -> np.ndarray:
    first = np.zeros(len(numbers), dtype=bool)
    first[np.unique(numbers, return_index=True)[1]] = True
    return np.flatnonzero(~first & (numbers >= 0))


def _outside_fault(rows: CsvRows, column: str, limit: int, row: int) -> Fault:
    line = rows.line_of(row)
    message = Text(
        f"line {line}, column '{column}': not a row number from 0 to {limit - 1}",
        f"{line} 行目、列 '{column}': 0 から {limit - 1} までの行番号ではありません",
    )
    return Fault(rule="link", line=line, column=column, message=message)


def _repeated_fault(rows: CsvRows, column: str, row: int) -> Fault:
    line = rows.line_of(row)
    message = Text(
        f"line {line}, column '{column}': the row number is already on an earlier line",
        f"{line} 行目、列 '{column}': 同じ行番号が前の行にもあります",
    )
    return Fault(rule="link", line=line, column=column, message=message)


def _missing_fault(row: int) -> Fault:
    message = Text(
        f"released row {row} has no line", f"匿名加工データの {row} 行 (0 始まり) がありません"
    )
    return Fault(rule="link", column=COLUMNS[0], message=message)
