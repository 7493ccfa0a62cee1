"""Numbers that were rounded, or stand for others, told from numbers that were kept.

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

FEWEST_CELLS = 20
MOST_VALUES = 10_000
"""A column of fewer numbers, or more different ones, is not looked at."""


@dataclass(frozen=True)
class Rounding:
    """A number stands for those from `below` under it to `above` over it."""

    below: float
    above: float

    def ends(self, value: float) -> tuple[float, float]:
        """The lowest and highest number behind a rounded one."""
        return value - self.below, value + self.above


def rounding_of(original: pl.Series, released: pl.Series) -> Rounding | None:
    """How the numbers of a column were rounded; None: not, or not beyond doubt."""
    if not original.dtype.is_numeric() or len(released) < FEWEST_CELLS:
        return None
    shown = counted_numbers(released)
    enough = shown["rows"].sum() >= FEWEST_CELLS and 1 < len(shown) <= MOST_VALUES
    if not enough or not len(crowded_numbers(original, released)):
        return None
    values, counts = (shown[name].to_numpy() for name in ("value", "rows"))
    numbers = np.sort(original.drop_nulls().cast(pl.Float64).to_numpy())
    for step in _steps(values):
        fits = [way for way in _ways(step) if _holds(way, values, counts, numbers)]
        if fits:
            return Rounding(max(way.below for way in fits), max(way.above for way in fits))
    return None


def counted_numbers(series: pl.Series) -> pl.DataFrame:
    """Every number of a column (`value`), with its `rows`."""
    text = series if series.dtype.is_numeric() else series.cast(pl.String)
    numbers = text.cast(pl.Float64, strict=False).drop_nulls().drop_nans().alias("value")
    return numbers.value_counts(name="rows").sort("value")


def crowded_numbers(original: pl.Series, released: pl.Series) -> pl.DataFrame:
    """The numbers with more `rows` in the release than in the original (`rows_known`)."""
    known, shown = (counted_numbers(series) for series in (original, released))
    both = shown.join(known, on="value", how="left", suffix="_known")
    return both.filter(pl.col("rows") > pl.col("rows_known").fill_null(0))


def _steps(values: np.ndarray) -> Iterator[float]:
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


def _ways(step: float) -> tuple[Rounding, ...]:
    """To the nearest, down, up."""
    almost = step * (1 - 1e-9)
    return Rounding(step / 2, step / 2), Rounding(0.0, almost), Rounding(almost, 0.0)


def _holds(way: Rounding, values: np.ndarray, counts: np.ndarray, numbers: np.ndarray) -> bool:
    low = np.searchsorted(numbers, values - way.below, "left")
    high = np.searchsorted(numbers, values + way.above, "right")
    return bool((counts <= high - low).all())


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
    if value in ends and rows <= original.is_between(*ends[value]).sum():
        return NumberCode(value, ends[value])
    return NumberCode(value, None) if before is None and rows > 1 else None
