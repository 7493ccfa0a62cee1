"""Detects numbers that were rounded or replaced.

A column is rounded only if nothing else is possible: it has some number more often than the
original has it, all its numbers are multiples of one step, and no number is more frequent than the
originals that round to it.

A code (`90` for all who are 90 or older, `-9` or `999` for anybody) is told only where nothing else
is possible: every other number of the released column may be the original's own, because none is
more frequent than there. Noise changes more than one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import polars as pl

MIN_CELLS = 20
MAX_DISTINCT_VALUES = 10_000
"""A column of fewer numbers, or more different ones, is not looked at."""


@dataclass(frozen=True)
class Rounding:
    """A number stands for those from `below` under it to `above` over it."""

    below: float
    above: float

    def ends(self, value: float) -> tuple[float, float]:
        """The lowest and highest number behind a rounded one."""
        return value - self.below, value + self.above


def detect_rounding(original: pl.Series, released: pl.Series) -> Rounding | None:
    """How the numbers of a column were rounded; None: not, or not beyond doubt."""
    if not original.dtype.is_numeric() or len(released) < MIN_CELLS:
        return None
    released_counts = count_numbers(released)
    enough = (
        released_counts["rows"].sum() >= MIN_CELLS
        and 1 < len(released_counts) <= MAX_DISTINCT_VALUES
    )
    if not enough or not len(overrepresented_numbers(original, released)):
        return None
    values, counts = (released_counts[name].to_numpy() for name in ("value", "rows"))
    numbers = np.sort(original.drop_nulls().cast(pl.Float64).to_numpy())
    for step in _candidate_steps(values):
        possible_modes = [
            mode for mode in _rounding_modes(step) if _is_consistent(mode, values, counts, numbers)
        ]
        if possible_modes:
            return Rounding(
                max(mode.below for mode in possible_modes),
                max(mode.above for mode in possible_modes),
            )
    return None


def count_numbers(series: pl.Series) -> pl.DataFrame:
    """Every number of a column (`value`), with its `rows`."""
    text = series if series.dtype.is_numeric() else series.cast(pl.String)
    numbers = text.cast(pl.Float64, strict=False).drop_nulls().drop_nans().alias("value")
    return numbers.value_counts(name="rows").sort("value")


def overrepresented_numbers(original: pl.Series, released: pl.Series) -> pl.DataFrame:
    """The numbers with more `rows` in the release than in the original (`rows_known`)."""
    original_counts, released_counts = (count_numbers(series) for series in (original, released))
    both = released_counts.join(original_counts, on="value", how="left", suffix="_known")
    return both.filter(pl.col("rows") > pl.col("rows_known").fill_null(0))


def _candidate_steps(values: np.ndarray) -> Iterator[float]:
    """1, 2, 2.5 and 5 times powers of ten that divide all values, the largest first."""
    exact = [Decimal(repr(float(value))) for value in values]
    digits = max(0, *(-int(value.normalize().as_tuple().exponent) for value in exact))
    if digits > 9:
        return
    common = math.gcd(*(int(value.scaleb(digits)) for value in exact))
    for power in range(len(str(common)), -1, -1):
        for lead in (50, 25, 20, 10):
            step = lead * 10**power
            if step % 10 == 0 and common % (step // 10) == 0:
                yield step / 10 / 10**digits


def _rounding_modes(step: float) -> tuple[Rounding, ...]:
    """To the nearest, down, up."""
    almost = step * (1 - 1e-9)
    return Rounding(step / 2, step / 2), Rounding(0.0, almost), Rounding(almost, 0.0)


def _is_consistent(
    rounding: Rounding, values: np.ndarray, counts: np.ndarray, numbers: np.ndarray
) -> bool:
    low = np.searchsorted(numbers, values - rounding.below, "left")
    high = np.searchsorted(numbers, values + rounding.above, "right")
    return bool((counts <= high - low).all())


@dataclass(frozen=True)
class NumberCode:
    """The number, and the lowest and highest that it stands for; None: nothing tells them."""

    value: float
    ends: tuple[float, float] | None


def detect_number_code(original: pl.Series, released: pl.Series) -> NumberCode | None:
    """The one number of a column that is more frequent than in the original, if it is a code."""
    if not original.dtype.is_numeric() or len(released) < MIN_CELLS:
        return None
    overrepresented = overrepresented_numbers(original, released)
    if len(overrepresented) != 1 or released.n_unique() == 1:
        return None
    value, rows, rows_before = overrepresented.row(0)
    released_values = count_numbers(released)["value"]
    ends = {released_values.max(): (value, math.inf), released_values.min(): (-math.inf, value)}
    if value in ends and rows <= original.is_between(*ends[value]).sum():
        return NumberCode(value, ends[value])
    return NumberCode(value, None) if rows_before is None and rows > 1 else None
