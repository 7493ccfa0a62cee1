"""Faults of cells in contest files: line, column, the cell's text, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text

ROW = "tokumei_row"
"""The place (0-based) of a row in its file."""

STAR = "*"
_SHOWN = 80
LONGEST = 64
_ID = Text("is the identifier of a customer, not a pseudonym", "は仮名ではなく顧客の ID です")
_LONG = Text(f"is longer than {LONGEST} characters", f"は {LONGEST} 文字を超えています")


def cell_fault(row: int, column: str, cell: str, *, rule: str, wrong: Text) -> Fault:
    """The fault of one cell."""
    line = row + 1
    shown = cell if len(cell) <= _SHOWN else f"{cell[:_SHOWN]}…"
    return Fault(
        rule=rule,
        line=line,
        column=column,
        message=Text(
            f"line {line}, column '{column}': '{shown}' {wrong.en}",
            f"{line} 行目、列 '{column}': '{shown}' {wrong.ja}",
        ),
    )


def cell_faults(bad: pl.DataFrame, column: str, *, rule: str, wrong: Text) -> list[Fault]:
    """One fault for each of the given rows."""
    pairs = bad.select(ROW, column).iter_rows()
    return [cell_fault(row, column, cell, rule=rule, wrong=wrong) for row, cell in pairs]


def unknown_faults(
    lines: pl.DataFrame, column: str, known: pl.Series, *, rule: str, wrong: Text
) -> list[Fault]:
    """One fault for each cell that is not among the known ones."""
    bad = lines.filter(~pl.col(column).is_in(known.unique().implode()))
    return cell_faults(bad, column, rule=rule, wrong=wrong)


def repeated_faults(lines: pl.DataFrame, column: str) -> list[Fault]:
    """`repeated`: one fault for each further answer about the same cell."""
    first = lines.with_columns(first=pl.col(ROW).first().over(column))
    again = first.filter(pl.col(ROW) != pl.col("first")).select(ROW, column, "first")
    return [_repeated_fault(row, column, cell, before) for row, cell, before in again.iter_rows()]


def _repeated_fault(row: int, column: str, cell: str, before: int) -> Fault:
    line = before + 1
    wrong = Text(f"was answered before, on line {line}", f"は {line} 行目ですでに答えています")
    return cell_fault(row, column, cell, rule="repeated", wrong=wrong)


def name_length_faults(rows: pl.DataFrame, columns: Sequence[str]) -> list[Fault]:
    """`name-length`: every cell of these columns that is too long, by line."""
    lines = rows.with_row_index(ROW)
    faults = [
        fault
        for name in columns
        for fault in cell_faults(
            lines.filter(pl.col(name).str.len_bytes() > LONGEST),
            name,
            rule="name-length",
            wrong=_LONG,
        )
    ]
    return sorted(faults, key=lambda fault: fault.line or 0)


def identifier_faults(rows: pl.DataFrame, customers: pl.Series) -> list[Fault]:
    """`pseudonym-is-customer`: no pseudonym is the identifier of any customer."""
    same = rows.filter(pl.col("customer").is_in(customers.implode()))
    return cell_faults(same, "customer", rule="pseudonym-is-customer", wrong=_ID)
