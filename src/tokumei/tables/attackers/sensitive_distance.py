"""Prepares the sensitive columns of both tables for distances: numbers and texts.

Without gaps and texts the distance is the attack's own. With them it is Gower's: a gap on one side
counts as much as the two most distant values of its column, on both sides nothing; texts count 0 or
1, which is as much as the columns of numbers count at most on average.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.tables.attackers.missing_values import known_column_means
from tokumei.tables.attackers.nearest_rows import ReleasedBoxes
from tokumei.tables.attackers.text_distance import GapAndTextCosts, TextColumn
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.numeric_columns import MAX_SQUARABLE, is_number_column, missing_mask
from tokumei.tables.data.table import Table

ColumnBounds = tuple[np.ndarray, np.ndarray]


def build_sensitive_boxes(
    public: Table,
    knowledge: Knowledge,
    columns: Sequence[str] | None = None,
    *,
    aware: bool = False,
    standardize: bool = False,
) -> ReleasedBoxes:
    """The sensitive columns of both tables, or some of them.

    A generalized number counts as its middle, a suppressed one as the known mean; if `aware`, both
    as all that they may stand for, and so do gaps of which the original has fewer.
    """
    before, after = knowledge.table.frame, public.frame
    names = list(columns if columns is not None else knowledge.table.schema.sa)
    numbers = [name for name in names if is_number_column(before[name], after[name])]
    known = knowledge.table.numbers(numbers)
    if aware:
        low, high = _cell_ends(public, before, numbers)
    else:
        low = high = _cell_middles(public, numbers, known)
    known, low, high = _scale_to_squarable(known, low, high)
    if standardize:
        scale = standard_deviations(known)
        known, is_plain = known / scale, high is low
        low, high = low / scale, high / scale
        high = low if is_plain else high
    ranges = _column_ranges(known, low) if high is low else _column_ranges(known, low, high)
    mean_square_range = float((ranges**2).mean()) if len(numbers) else 1.0
    texts = [
        TextColumn.of(before[name], after[name], knowledge.hierarchies.get(name), mean_square_range)
        for name in names
        if name not in numbers
    ]
    return ReleasedBoxes(known, low, high, GapAndTextCosts(ranges**2, texts))


def _scale_to_squarable(
    known: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, ...]:
    """The same numbers, all made smaller alike if the square of one is more than a float holds."""
    sides = (known, low) if high is low else (known, low, high)
    ends = np.concatenate([end for side in sides for end in _finite_bounds(side)])
    largest = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
    if largest <= MAX_SQUARABLE:
        return known, low, high
    scale_factor = 2.0 ** -np.ceil(np.log2(largest))
    scaled_low = low * scale_factor
    return known * scale_factor, scaled_low, scaled_low if high is low else high * scale_factor


def _cell_middles(public: Table, names: Sequence[str], known: np.ndarray) -> np.ndarray:
    """Released cells by their middle, suppressed ones by the known mean; gaps stay gaps."""
    released = public.numbers(names)
    if np.isfinite(released).all():
        return released
    is_gap = missing_mask(public.frame, names)
    return np.where(np.isfinite(released) | is_gap, released, known_column_means(known))


def _cell_ends(public: Table, before: pl.DataFrame, names: Sequence[str]) -> ColumnBounds:
    """Cells that were emptied may stand for anything: a column with more gaps than it had."""
    low, high = public.ranges(names)
    has_more_gaps = [public.frame[name].null_count() > before[name].null_count() for name in names]
    if not any(has_more_gaps):
        return low, high
    is_emptied = missing_mask(public.frame, names) & np.array(has_more_gaps)
    return np.where(is_emptied, -np.inf, low), np.where(is_emptied, np.inf, high)


def _column_ranges(*sides: np.ndarray) -> np.ndarray:
    """Per column the greatest less the least finite value of all sides.

    Of a column with one value, or none, what is usual among the others.
    """
    ends = [_finite_bounds(side) for side in sides]
    low = np.min([least for least, _ in ends], axis=0)
    high = np.max([most for _, most in ends], axis=0)
    is_varying = high > low
    ranges = np.where(is_varying, high - low, 1.0)
    return np.asarray(
        np.where(is_varying, ranges, ranges[is_varying].mean() if is_varying.any() else 1.0)
    )


def _finite_bounds(side: np.ndarray) -> ColumnBounds:
    """The least and the greatest finite value of each column; ∞ and −∞ where there is none."""
    low = high = side
    if not np.isfinite(side).all():
        is_finite = np.isfinite(side)
        low, high = np.where(is_finite, side, np.inf), np.where(is_finite, side, -np.inf)
    return low.min(axis=0, initial=np.inf), high.max(axis=0, initial=-np.inf)


def standard_deviations(known: np.ndarray) -> np.ndarray:
    """The standard deviation of each known column, 1 where it is constant; gaps do not count."""
    is_gap = np.isnan(known)
    sd = (
        np.ma.array(known, mask=is_gap).std(axis=0).filled(0.0)
        if is_gap.any()
        else known.std(axis=0)
    )
    return np.where(sd > 0, sd, 1.0)
