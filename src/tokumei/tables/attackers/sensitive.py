"""The sensitive columns of both tables as attacks compare them: numbers, and texts beside them.

Without gaps and texts the distance is the attack's own. With them it is Gower's: a gap on one side
counts as much as the two most distant values of its column, on both sides nothing; texts count 0 or
1, which is as much as the columns of numbers count at most on average.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from tokumei.tables.attackers.gaps import known_means
from tokumei.tables.attackers.nearest import Boxes
from tokumei.tables.attackers.texts import TextColumn, Uneven
from tokumei.tables.data.guess import Knowledge
from tokumei.tables.data.numbers import SQUARABLE, gaps_in, is_number_column
from tokumei.tables.data.table import Table

Ends = tuple[np.ndarray, np.ndarray]


def sensitive_boxes(
    public: Table,
    knowledge: Knowledge,
    columns: Sequence[str] | None = None,
    *,
    aware: bool = False,
    standardize: bool = False,
) -> Boxes:
    """The sensitive columns of both tables, or some of them.

    A generalized number counts as its middle, a suppressed one as the known mean; if `aware`, both
    as all that they may stand for, and so do gaps of which the original has fewer.
    """
    before, after = knowledge.table.frame, public.frame
    names = list(columns if columns is not None else knowledge.table.schema.sa)
    numbers = [name for name in names if is_number_column(before[name], after[name])]
    known = knowledge.table.numbers(numbers)
    if aware:
        low, high = _ends(public, before, numbers)
    else:
        low = high = _middles(public, numbers, known)
    known, low, high = _squarable(known, low, high)
    if standardize:
        scale = scales(known)
        known, same = known / scale, high is low
        low, high = low / scale, high / scale
        high = low if same else high
    ranges = _ranges(known, low) if high is low else _ranges(known, low, high)
    usual = float((ranges**2).mean()) if len(numbers) else 1.0
    texts = [
        TextColumn.of(before[name], after[name], knowledge.hierarchies.get(name), usual)
        for name in names
        if name not in numbers
    ]
    return Boxes(known, low, high, Uneven(ranges**2, texts))


def _squarable(known: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, ...]:
    """The same numbers, all made smaller alike if the square of one is more than a float holds."""
    sides = (known, low) if high is low else (known, low, high)
    ends = np.concatenate([end for side in sides for end in _finite_ends(side)])
    largest = float(np.abs(ends[np.isfinite(ends)]).max(initial=0.0))
    if largest <= SQUARABLE:
        return known, low, high
    down = 2.0 ** -np.ceil(np.log2(largest))
    less = low * down
    return known * down, less, less if high is low else high * down


def _middles(public: Table, names: Sequence[str], known: np.ndarray) -> np.ndarray:
    """Released cells by their middle, suppressed ones by the known mean; gaps stay gaps."""
    released = public.numbers(names)
    if np.isfinite(released).all():
        return released
    gaps = gaps_in(public.frame, names)
    return np.where(np.isfinite(released) | gaps, released, known_means(known))


def _ends(public: Table, before: pl.DataFrame, names: Sequence[str]) -> Ends:
    """Cells that were emptied may stand for anything: a column with more gaps than it had."""
    low, high = public.ranges(names)
    more = [public.frame[name].null_count() > before[name].null_count() for name in names]
    if not any(more):
        return low, high
    empty = gaps_in(public.frame, names) & np.array(more)
    return np.where(empty, -np.inf, low), np.where(empty, np.inf, high)


def _ranges(*sides: np.ndarray) -> np.ndarray:
    """Per column the greatest less the least finite value of all sides.

    Of a column with one value, or none, what is usual among the others.
    """
    ends = [_finite_ends(side) for side in sides]
    low = np.min([least for least, _ in ends], axis=0)
    high = np.max([most for _, most in ends], axis=0)
    wide = high > low
    ranges = np.where(wide, high - low, 1.0)
    return np.asarray(np.where(wide, ranges, ranges[wide].mean() if wide.any() else 1.0))


def _finite_ends(side: np.ndarray) -> Ends:
    """The least and the greatest finite value of each column; ∞ and −∞ where there is none."""
    low = high = side
    if not np.isfinite(side).all():
        finite = np.isfinite(side)
        low, high = np.where(finite, side, np.inf), np.where(finite, side, -np.inf)
    return low.min(axis=0, initial=np.inf), high.max(axis=0, initial=-np.inf)


def scales(known: np.ndarray) -> np.ndarray:
    """The standard deviation of each known column, 1 where it is constant; gaps do not count."""
    gaps = np.isnan(known)
    sd = np.ma.array(known, mask=gaps).std(axis=0).filled(0.0) if gaps.any() else known.std(axis=0)
    return np.where(sd > 0, sd, 1.0)
