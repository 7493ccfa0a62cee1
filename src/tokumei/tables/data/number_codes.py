"""A number that stands for others: `90` for all who are 90 or older, `-9` or `999` for anybody.

Told only where nothing else is possible: every other number of the released column may be the
original's own, because none is more frequent than there. Noise changes more than one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import polars as pl

from tokumei.tables.data.rounding import FEWEST_CELLS, counted_numbers, crowded_numbers


@dataclass(frozen=True)
class NumberCode:
    """The number, and the lowest and highest that it stands for; None: nothing tells them."""

    value: float
    ends: tuple[float, float] | None


def code_of(original: pl.Series, released: pl.Series) -> NumberCode | None:
    """The one number of a column that is more frequent than in the original, if it is a code."""
    if not original.dtype.is_numeric() or len(released) < FEWEST_CELLS:
        return None
    more = crowded_numbers(original, released)
    if len(more) != 1 or released.n_unique() == 1:
        return None
    value, rows, before = more.row(0)
    shown = counted_numbers(released)["value"]
    ends = {shown.max(): (value, math.inf), shown.min(): (-math.inf, value)}
    if value in ends and rows <= _rows_between(original, *ends[value]):
        return NumberCode(value, ends[value])
    return NumberCode(value, None) if before is None and rows > 1 else None


def _rows_between(numbers: pl.Series, low: float, high: float) -> int:
    return int(numbers.is_between(low, high).sum())
