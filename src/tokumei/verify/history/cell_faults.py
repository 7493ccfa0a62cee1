"""Faults of cells in contest files: line, column, the cell's text, and what is wrong with it."""

from __future__ import annotations

import polars as pl

from tokumei.errors import Fault
from tokumei.text import Text

ROW = "tokumei_row"
"""The place (0-based) of a row in its file."""

STAR = "*"
_SHOWN = 80


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
