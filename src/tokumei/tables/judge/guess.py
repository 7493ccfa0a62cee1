"""A guess about a published table: lines `released,original`, rows from 0, in any order.

Rows of S that are alike cannot be told apart, so each answer to one of n alike rows counts 1/n if
any of the n comes from the row named.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_text import ContestText

GUESS = "guess.csv"
HEADER = ("released", "original")
_FORM = "^(?:0|[1-9][0-9]{0,17})$"


def guess_faults(guess: ContestText, released: int, original: int) -> list[Fault]:
    """Every violation, by line: the header, two row numbers on each line, no released row twice."""
    if not guess.rows or guess.frame.row(0) != HEADER or guess.fields[0] != len(HEADER):
        words = ",".join(HEADER)
        message = Text(f"the first line must be {words}", f"1 行目は {words} でなければなりません")
        return [Fault(rule="header", line=1, message=message)]
    faults = guess.ragged_faults()
    rows = guess.frame.with_row_index("row")[1:].filter(pl.Series(guess.fields[1:] == 2))
    for column, limit in zip(HEADER, (released, original), strict=True):
        number = _numbers(column)
        bad = rows.filter(number.is_null() | (number >= limit))["row"]
        faults += [_outside(row + 1, column, limit) for row in bad]
    first = rows.with_columns(first=pl.col("row").first().over("released"))
    again = first.filter(pl.col("row") != pl.col("first"))["row"]
    faults += [_repeated(row + 1) for row in again]
    return sorted(faults, key=lambda fault: fault.line or 0)


def guess_numbers(guess: ContestText) -> np.ndarray:
    """The row numbers of a guess without faults (or of the truth), two columns."""
    return guess.frame[1:].select(_numbers(column) for column in HEADER).to_numpy()


def hits_of(guess: np.ndarray, truth: np.ndarray, lines: pl.Series) -> float:
    """How many answers are right, on average over the order of rows of S that are alike."""
    alike = (lines.rank("dense").to_numpy() - 1).astype(np.int64)
    sizes = np.bincount(alike)
    most = max(int(part[:, 1].max(initial=0)) for part in (guess, truth)) + 1
    right = np.isin(_keys(guess, alike, most), _keys(truth, alike, most))
    return float((1.0 / sizes[alike[guess[right, 0]]]).sum())


def _keys(pairs: np.ndarray, alike: np.ndarray, most: int) -> np.ndarray:
    keys: np.ndarray = alike[pairs[:, 0]] * most + pairs[:, 1]
    return keys


def _numbers(column: str) -> pl.Expr:
    cell = pl.col(column)
    return pl.when(cell.str.contains(_FORM)).then(cell).cast(pl.Int64)


def _outside(line: int, column: str, limit: int) -> Fault:
    message = Text(
        f"line {line}, column '{column}': not a row number from 0 to {limit - 1}",
        f"{line} 行目、列 '{column}': 0 から {limit - 1} までの行番号ではありません",
    )
    return Fault(rule=f"{column}-row", line=line, column=column, message=message)


def _repeated(line: int) -> Fault:
    message = Text(
        f"line {line}, column 'released': the row was answered before",
        f"{line} 行目、列 'released': この行にはすでに答えています",
    )
    return Fault(rule="repeated", line=line, column="released", message=message)
