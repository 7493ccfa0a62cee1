"""The rules of uploads: a row-aligned release Y of a table X, and a guess about a published table.

faults = check_table(read_cells(text, expected), expected)

header         the names of X in X's order, without its id columns
rows           as many lines as X            fields             as many on every line
rows-kept      the least share               deleted-row        DEL, all else empty
sa-form        a number, or [a;b]            cell-length        at most 200 characters
formula        no cell begins with = + - @   control-character  no invisible characters

A guess has lines `released,original`, rows from 0, in any order. Rows of S that are alike cannot be
told apart, so each answer to one of n alike rows counts 1/n if any of the n comes from the row
named.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text
from tokumei.files.contest_text import ContestText
from tokumei.files.csv_layout import lay_out
from tokumei.files.csv_text import CsvRows, parse_csv

DELETED = "DEL"
LONGEST = 200
_ROW = "tokumei_row"
_NUMBER = r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?"
_WRONG = {
    "sa-form": Text(
        "is neither a number nor an interval [a;b] of numbers, a ≤ b",
        "は数でも区間 [a;b] (a ≤ b) でもありません",
    ),
    "formula": Text(
        "begins like a formula (= + - @), which a spreadsheet would run",
        "は表計算ソフトで実行される式のように始まっています (= + - @)",
    ),
    "control-character": Text("holds invisible characters", "は見えない文字を含んでいます"),
    "cell-length": Text(f"is longer than {LONGEST}", f"は {LONGEST} 文字を超えています"),
}
_LEFT = Text(
    "stands for a deleted row, but other cells are left",
    "は削除行を表しますが、ほかのセルが残っています",
)


@dataclass(frozen=True)
class Expected:
    """What a release of a table looks like."""

    names: Sequence[str]
    sa: Sequence[str]
    rows: int
    rows_kept: float
    linked: bool = False
    """Whether a link says where rows come from: then deleted ones are simply not there."""


def read_cells(text: bytes, expected: Expected) -> CsvRows | list[Fault]:
    """The cells of a CSV text as text, empty ones empty; or all that is wrong with its lines."""
    text = text.rstrip(b"\r\n") + b"\n"
    layout = lay_out(text, ",")
    if isinstance(layout, Fault):
        return [layout]
    width = len(expected.names)
    bad = layout.ragged(width).tolist()
    if bad:
        if bad[0] == 0:
            return [_header(expected.names)]
        return [_ragged(int(layout.lines[row]), int(layout.fields[row]), width) for row in bad]
    found = parse_csv(text, sep=",", where="")
    if found.frame.columns != list(expected.names):
        return [_header(expected.names)]
    return CsvRows(found.frame.with_columns(pl.all().fill_null("")), found.lines)


def check_table(cells: CsvRows, expected: Expected) -> list[Fault]:
    """Every violation, those of the whole file first, then by line."""
    rows = cells.frame.with_row_index(_ROW)
    first, *others = expected.names
    gone = pl.col(first) == DELETED
    bare = pl.all_horizontal(pl.lit(True), *(pl.col(name) == "" for name in others))
    faults = _cell_faults(rows.filter(gone & ~bare), first, "deleted-row", _LEFT, cells.line_of)
    kept = rows.filter(~gone)
    for name in expected.names:
        for rule, broken in _broken(name, name in expected.sa).items():
            bad = kept.filter(broken)
            faults += _cell_faults(bad, name, rule, _WRONG[rule], cells.line_of)
    faults.sort(key=lambda fault: fault.line or 0)
    return [*_whole(rows.height, kept.height, expected), *faults]


def _broken(name: str, sensitive: bool) -> dict[str, pl.Expr]:
    cell = pl.col(name)
    if sensitive:
        return {"sa-form": ~_is_number(cell)}
    plain = cell.str.contains(f"^{_NUMBER}$")
    return {
        "formula": cell.str.contains(r"^\s*[=+\-@＝＋－＠]") & ~plain,
        "control-character": cell.str.contains(r"\p{C}"),
        "cell-length": cell.str.len_chars() > LONGEST,
    }


def _is_number(cell: pl.Expr) -> pl.Expr:
    ends = cell.str.extract_groups(f"^\\[({_NUMBER});({_NUMBER})\\]$")
    low, high = (ends.struct[end].cast(pl.Float64, strict=False) for end in (0, 1))
    return cell.str.contains(f"^{_NUMBER}$") | (low <= high).fill_null(False)


def _whole(rows: int, kept: int, expected: Expected) -> list[Fault]:
    if rows > expected.rows or (rows < expected.rows and not expected.linked):
        message = Text(
            f"{rows} row(s), but the original has {expected.rows}; a deleted row stays as DEL and "
            "empty cells, or a link.csv beside the release says where its rows come from",
            f"{rows} 行ありますが、元データは {expected.rows} 行です。削除行は DEL と空欄として"
            "残すか、各行の元の行を示す link.csv を添えてください",
        )
        return [Fault(rule="rows", line=min(rows, expected.rows) + 2, message=message)]
    if kept == 0 or kept < expected.rows_kept * expected.rows:
        message = Text(
            f"only {kept} of {expected.rows} rows are kept; "
            f"at least {expected.rows_kept:.0%} must be",
            f"{expected.rows} 行のうち {kept} 行しか残っていません "
            f"({expected.rows_kept:.0%} 以上が必要です)",
        )
        return [Fault(rule="rows-kept", message=message)]
    return []


def _cell_faults(
    bad: pl.DataFrame, column: str, rule: str, wrong: Text, line_of: Callable[[int], int]
) -> list[Fault]:
    faults = []
    for row, cell in bad.select(_ROW, column).iter_rows():
        shown = str(cell) if len(str(cell)) <= 80 else f"{str(cell)[:80]}…"
        words = Text(f"'{shown}' {wrong.en}", f"'{shown}' {wrong.ja}")
        faults.append(_at(line_of(row), column, rule, words))
    return faults


def _at(line: int, column: str, rule: str, wrong: Text) -> Fault:
    message = Text(
        f"line {line}, column '{column}': {wrong.en}", f"{line} 行目、列 '{column}': {wrong.ja}"
    )
    return Fault(rule=rule, line=line, column=column, message=message)


def _ragged(line: int, found: int, width: int) -> Fault:
    message = Text(
        f"line {line}: {found} field(s) instead of {width}",
        f"{line} 行目: 欄が {width} 個ではなく {found} 個あります",
    )
    return Fault(rule="fields", line=line, message=message)


def _header(names: Sequence[str]) -> Fault:
    wanted = ",".join(names)
    message = Text(f"the first line must be {wanted}", f"1 行目は {wanted} でなければなりません")
    return Fault(rule="header", line=1, message=message)


GUESS = "guess.csv"
HEADER = ("released", "original")
_FORM = "^(?:0|[1-9][0-9]{0,17})$"
_ANSWERED = Text("the row was answered before", "この行にはすでに答えています")


def guess_faults(guess: ContestText, released: int, original: int) -> list[Fault]:
    """Every violation, by line: the header, two row numbers on each line, no released row twice."""
    if not guess.rows or guess.frame.row(0) != HEADER or guess.fields[0] != len(HEADER):
        return [_header(HEADER)]
    faults = guess.ragged_faults()
    rows = guess.frame.with_row_index("row")[1:].filter(pl.Series(guess.fields[1:] == 2))
    for column, limit in zip(HEADER, (released, original), strict=True):
        number = _numbers(column)
        bad = rows.filter(number.is_null() | (number >= limit))["row"]
        wrong = Text(
            f"not a row number from 0 to {limit - 1}",
            f"0 から {limit - 1} までの行番号ではありません",
        )
        faults += [_at(row + 1, column, f"{column}-row", wrong) for row in bad]
    first = rows.with_columns(first=pl.col("row").first().over("released"))
    again = first.filter(pl.col("row") != pl.col("first"))["row"]
    faults += [_at(row + 1, "released", "repeated", _ANSWERED) for row in again]
    return sorted(faults, key=lambda fault: fault.line or 0)


def guess_numbers(guess: ContestText) -> np.ndarray:
    """The row numbers of a guess without faults (or of the truth), two columns."""
    return guess.frame[1:].select(_numbers(column) for column in HEADER).to_numpy()


def hits_of(guess: np.ndarray, truth: np.ndarray, lines: pl.Series) -> float:
    """How many answers are right, on average over the order of rows of S that are alike."""
    alike = (lines.rank("dense").to_numpy() - 1).astype(np.int64)
    sizes = np.bincount(alike)
    most = max(int(part[:, 1].max(initial=0)) for part in (guess, truth)) + 1
    right = np.isin(*(alike[pairs[:, 0]] * most + pairs[:, 1] for pairs in (guess, truth)))
    return float((1.0 / sizes[alike[guess[right, 0]]]).sum())


def _numbers(column: str) -> pl.Expr:
    cell = pl.col(column)
    return pl.when(cell.str.contains(_FORM)).then(cell).cast(pl.Int64)
