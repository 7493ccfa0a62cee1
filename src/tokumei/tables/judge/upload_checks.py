"""Checks uploads: a row-aligned release Y of a table X, and guesses.

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

from tokumei.core.errors import Violation
from tokumei.core.messages import Message
from tokumei.files.contest_files import ContestRows
from tokumei.files.csv_parsing import CsvRows, parse_csv
from tokumei.files.csv_records import measure_csv_records

DELETED = "DEL"
MAX_CELL_LENGTH = 200
_ROW = "tokumei_row"
_NUMBER = r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?(?:[eE][+-]?[0-9]{1,2})?"
_RULE_MESSAGES = {
    "sa-form": Message("'{cell}' is neither a number nor an interval [a;b] of numbers, a ≤ b"),
    "formula": Message(
        "'{cell}' begins like a formula (= + - @), which a spreadsheet program would run"
    ),
    "control-character": Message("'{cell}' contains invisible characters"),
    "cell-length": Message("'{cell}' is longer than {characters} characters").fill(
        characters=MAX_CELL_LENGTH
    ),
}
_CELLS_LEFT = Message("'{cell}' stands for a deleted row, but other cells are left")


@dataclass(frozen=True)
class ExpectedRelease:
    """What a release of a table looks like."""

    names: Sequence[str]
    sa: Sequence[str]
    rows: int
    rows_kept: float
    linked: bool = False
    """Whether a link says where rows come from: then deleted ones are simply not there."""


def read_upload_cells(text: bytes, expected: ExpectedRelease) -> CsvRows | list[Violation]:
    """The cells of a CSV text as text, empty ones empty; or all that is wrong with its lines."""
    text = text.rstrip(b"\r\n") + b"\n"
    layout = measure_csv_records(text, ",")
    if isinstance(layout, Violation):
        return [layout]
    width = len(expected.names)
    bad = layout.ragged(width).tolist()
    if bad:
        if bad[0] == 0:
            return [_header_violation(expected.names)]
        return [
            _field_count_violation(int(layout.lines[row]), int(layout.fields[row]), width)
            for row in bad
        ]
    parsed = parse_csv(text, sep=",", where="")
    if parsed.frame.columns != list(expected.names):
        return [_header_violation(expected.names)]
    return CsvRows(parsed.frame.with_columns(pl.all().fill_null("")), parsed.lines)


def check_table(cells: CsvRows, expected: ExpectedRelease) -> list[Violation]:
    """Every violation, those of the whole file first, then by line."""
    rows = cells.frame.with_row_index(_ROW)
    first, *others = expected.names
    is_deleted = pl.col(first) == DELETED
    has_empty_cells = pl.all_horizontal(pl.lit(True), *(pl.col(name) == "" for name in others))
    faults = _cell_violations(
        rows.filter(is_deleted & ~has_empty_cells), first, "deleted-row", _CELLS_LEFT, cells.line_of
    )
    kept = rows.filter(~is_deleted)
    for name in expected.names:
        for rule, broken in _broken_rules(name, name in expected.sa).items():
            bad = kept.filter(broken)
            faults += _cell_violations(bad, name, rule, _RULE_MESSAGES[rule], cells.line_of)
    faults.sort(key=lambda fault: fault.line or 0)
    return [*_row_count_violations(rows.height, kept.height, expected), *faults]


def _broken_rules(name: str, sensitive: bool) -> dict[str, pl.Expr]:
    cell = pl.col(name)
    if sensitive:
        return {"sa-form": ~_is_number(cell)}
    plain = cell.str.contains(f"^{_NUMBER}$")
    return {
        "formula": cell.str.contains(r"^\s*[=+\-@＝＋－＠]") & ~plain,
        "control-character": cell.str.contains(r"\p{C}"),
        "cell-length": cell.str.len_chars() > MAX_CELL_LENGTH,
    }


def _is_number(cell: pl.Expr) -> pl.Expr:
    ends = cell.str.extract_groups(f"^\\[({_NUMBER});({_NUMBER})\\]$")
    low, high = (ends.struct[end].cast(pl.Float64, strict=False) for end in (0, 1))
    return cell.str.contains(f"^{_NUMBER}$") | (low <= high).fill_null(False)


def _row_count_violations(rows: int, kept: int, expected: ExpectedRelease) -> list[Violation]:
    if rows > expected.rows or (rows < expected.rows and not expected.linked):
        message = Message(
            "{count} row, but the original has {original_rows}; a deleted row stays as DEL and "
            "empty cells, or a link.csv beside the release says where its rows come from",
            plural="{count} rows, but the original has {original_rows}; a deleted row stays as DEL "
            "and empty cells, or a link.csv beside the release says where its rows come from",
            count=rows,
            original_rows=expected.rows,
        )
        return [Violation(rule="rows", line=min(rows, expected.rows) + 2, message=message)]
    if kept == 0 or kept < expected.rows_kept * expected.rows:
        message = Message(
            "only {kept} of {rows} rows are kept; at least {share:.0%} must be",
            kept=kept,
            rows=expected.rows,
            share=expected.rows_kept,
        )
        return [Violation(rule="rows-kept", message=message)]
    return []


def _cell_violations(
    bad: pl.DataFrame, column: str, rule: str, problem: Message, line_of: Callable[[int], int]
) -> list[Violation]:
    faults = []
    for row, cell in bad.select(_ROW, column).iter_rows():
        shown = str(cell) if len(str(cell)) <= 80 else f"{str(cell)[:80]}…"
        faults.append(_violation_at(line_of(row), column, rule, problem.fill(cell=shown)))
    return faults


def _violation_at(line: int, column: str, rule: str, problem: Message) -> Violation:
    message = Message(
        "line {line}, column '{column}': {problem}", line=line, column=column, problem=problem
    )
    return Violation(rule=rule, line=line, column=column, message=message)


def _field_count_violation(line: int, field_count: int, width: int) -> Violation:
    message = Message(
        "line {line}: {count} field instead of {width}",
        plural="line {line}: {count} fields instead of {width}",
        count=field_count,
        line=line,
        width=width,
    )
    return Violation(rule="fields", line=line, message=message)


def _header_violation(names: Sequence[str]) -> Violation:
    header = ",".join(names)
    message = Message("the first line must be {header}", header=header)
    return Violation(rule="header", line=1, message=message)


GUESS_FILE = "guess.csv"
HEADER = ("released", "original")
_ROW_NUMBER_PATTERN = "^(?:0|[1-9][0-9]{0,17})$"
_ALREADY_ANSWERED = Message("the row was answered before")


def check_guess(guess: ContestRows, released: int, original: int) -> list[Violation]:
    """Every violation, by line: the header, two row numbers on each line, no released row twice."""
    if not guess.rows or guess.frame.row(0) != HEADER or guess.fields[0] != len(HEADER):
        return [_header_violation(HEADER)]
    faults = guess.ragged_faults()
    rows = guess.frame.with_row_index("row")[1:].filter(pl.Series(guess.fields[1:] == 2))
    for column, limit in zip(HEADER, (released, original), strict=True):
        number = _parse_row_numbers(column)
        bad = rows.filter(number.is_null() | (number >= limit))["row"]
        problem = Message("not a row number from 0 to {limit}", limit=limit - 1)
        faults += [_violation_at(row + 1, column, f"{column}-row", problem) for row in bad]
    first = rows.with_columns(first=pl.col("row").first().over("released"))
    repeated = first.filter(pl.col("row") != pl.col("first"))["row"]
    faults += [
        _violation_at(row + 1, "released", "repeated", _ALREADY_ANSWERED) for row in repeated
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


def parse_guess(guess: ContestRows) -> np.ndarray:
    """The row numbers of a guess without faults (or of the truth), two columns."""
    return guess.frame[1:].select(_parse_row_numbers(column) for column in HEADER).to_numpy()


def count_hits(guess: np.ndarray, truth: np.ndarray, lines: pl.Series) -> float:
    """How many answers are right, on average over the order of rows of S that are alike."""
    alike = (lines.rank("dense").to_numpy() - 1).astype(np.int64)
    sizes = np.bincount(alike)
    most = max(int(part[:, 1].max(initial=0)) for part in (guess, truth)) + 1
    right = np.isin(*(alike[pairs[:, 0]] * most + pairs[:, 1] for pairs in (guess, truth)))
    return float((1.0 / sizes[alike[guess[right, 0]]]).sum())


def _parse_row_numbers(column: str) -> pl.Expr:
    cell = pl.col(column)
    return pl.when(cell.str.contains(_ROW_NUMBER_PATTERN)).then(cell).cast(pl.Int64)
