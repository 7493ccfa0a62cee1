"""Two tables one below the other: a blank line, then a line of names where values should stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from tokumei.tables.look.records import Row, header_names, mostly_values, plain, value_like

_NEAR = 60
_MOST = 200
"""So many blank lines are looked behind: what comes after more of them is no second table."""


class Part(NamedTuple):
    """The larger table: rows, their lines, the line of its names, and where the other begins."""

    frame: pl.DataFrame
    lines: np.ndarray
    header: int | None
    """None: the line of names is that of the whole."""
    other: int


def larger_part(frame: pl.DataFrame, lines: np.ndarray) -> Part | None:
    """The larger of two tables that a blank line parts; None: there is one only."""
    for at in (np.flatnonzero(np.diff(lines) > 1) + 1)[:_MOST].tolist():
        row, above = frame.row(at), frame[max(0, at - _NEAR) : at]
        if at + 1 < frame.height and _names_others(row, above):
            return _parted(frame, lines, at, row)
    return None


def _parted(frame: pl.DataFrame, lines: np.ndarray, at: int, row: Row) -> Part:
    if at >= frame.height - at - 1:
        return Part(frame[:at], lines[:at], None, int(lines[at]))
    names = header_names(row, (), frame.width)
    rest = frame[at + 1 :].rename(dict(zip(frame.columns, names, strict=True)))
    return Part(rest, lines[at + 1 :], int(lines[at]), int(lines[0]))


def _names_others(row: Row, above: pl.DataFrame) -> bool:
    """Whether a line holds several words, none of them a value, also where values stood above."""
    filled = {j: text for j, cell in enumerate(row) if (text := plain(cell))}
    values = [j for j, series in enumerate(above) if mostly_values(series.to_list())]
    if len(filled) < 2 or len({*filled.values()}) < len(filled) or not {*values} & {*filled}:
        return False
    return not any(value_like(text) for text in filled.values())
