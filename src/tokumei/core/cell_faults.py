"""A fault in one cell: where it is, what it holds, what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl

from tokumei.core.errors import Fault
from tokumei.core.text import Text

LineOf = Callable[[int], int]
"""From a row of a frame to its line in the file."""


def cell_fault(
    series: pl.Series, row: int, line_of: LineOf | None, *, rule: str, wrong: Text
) -> Fault:
    """The fault of a cell, by its line in the file, or by its row where there is no file."""
    shown = "" if series[row] is None else str(series[row])
    line = line_of(row) if line_of else None
    place = Text(f"line {line}", f"{line} 行目")
    if line is None:
        place = Text(f"row {row} (from 0)", f"第 {row} 行 (0 始まり)")
    return Fault(
        rule=rule,
        line=line,
        column=series.name,
        message=Text(
            f"{place.en}, column '{series.name}': '{shown}' {wrong.en}",
            f"{place.ja}、列 '{series.name}': '{shown}' {wrong.ja}",
        ),
    )
