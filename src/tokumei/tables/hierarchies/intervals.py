"""Hierarchies of numbers: bands of fixed widths, between cuts, or with equally many rows.

    interval_hierarchy(series, widths=[5, 10, 20])              # [20;24] → [20;29] → [20;39] → *
    interval_hierarchy(series, cuts=[[0, 18, 40, 65, 120], [0, 40, 120]])
    interval_hierarchy(series, quantiles=[8, 4, 2])
    interval_hierarchy(series, widths=[5, 10], open_above=70)   # …, [65;69], [70;inf]

The outermost cuts must take in all values, so that no label tells the smallest or largest value
of the data; `-inf` and `inf` may be cuts. (Quantiles do tell them.)

Bands contain their lower edge and not their upper one; only the last may be closed. Whole numbers
are labelled by the numbers they contain, `[20;24]`, or by the number itself if it is alone. Reals
are labelled by their edges, `[0.5;1]`, though 1 belongs to the next band.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np
import polars as pl

from tokumei.core.errors import UsageError
from tokumei.tables.hierarchies.column_values import ColumnValues, build_hierarchy
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.interval_bands import (
    BandEdges,
    NumericValues,
    band_labels,
    to_decimals,
)

Number = float | str | Decimal
MAX_BANDS = 1_000_000


def interval_hierarchy(
    series: pl.Series,
    *,
    widths: Sequence[Number] = (),
    cuts: Sequence[Sequence[Number]] = (),
    quantiles: Sequence[int] = (),
    every: bool = False,
    open_above: Number | None = None,
    open_below: Number | None = None,
) -> Hierarchy:
    """Bands of the column's numbers, fine to coarse, by exactly one of the three ways.

    The leaves are the values of the column; with `every` all whole numbers from the smallest to
    the largest. With widths, all numbers from `open_above` on and all below `open_below` are one
    band each; on coarser levels it starts or ends at their next multiple.
    """
    if bool(widths) + bool(cuts) + bool(quantiles) != 1:
        raise UsageError("give one of widths, cuts and quantiles")
    values = ColumnValues.of(series)
    numbers = NumericValues.of(_all_whole_numbers(values) if every else values)
    if not len(numbers.numbers):
        return build_hierarchy(numbers.source, [])
    ends = _open_ends(open_below, open_above, widths)
    if widths:
        levels = _open_outer_bands(_width_edges(numbers, _parse_decimals(widths)), *ends)
    elif cuts:
        levels = _cut_edges([_parse_decimals(level) for level in cuts])
    else:
        levels = _quantile_edges(numbers, quantiles)
    return build_hierarchy(numbers.source, [band_labels(numbers, edges) for edges in levels])


def _width_edges(numbers: NumericValues, widths: Sequence[Decimal]) -> list[BandEdges]:
    """Multiples of each width; a width of 1 on whole numbers is the number itself, left out."""
    if any(not width.is_finite() or width <= 0 for width in widths):
        raise UsageError("widths must be positive")
    for fine, coarse in pairwise(widths):
        if coarse <= fine or coarse % fine:
            raise UsageError(
                "the width {coarse} is not a multiple of {fine}", coarse=coarse, fine=fine
            )
    used_widths = [width for width in widths if not (numbers.whole and width <= 1)]
    return [BandEdges(_multiples_of_width(numbers, width)) for width in used_widths]


def _open_ends(
    below: Number | None, above: Number | None, widths: Sequence[Number]
) -> tuple[Decimal | None, Decimal | None]:
    """Where open bands end and start; only widths have them, and they may not meet."""
    low, high = (None if end is None else _parse_decimals([end])[0] for end in (below, above))
    if not widths and (low, high) != (None, None):
        raise UsageError("open bands go with widths; cuts may be -inf and inf")
    if low is not None and high is not None and low > high:
        raise UsageError(
            "the open bands overlap: below {low}, from {high} on", low=str(low), high=str(high)
        )
    return low, high


def _open_outer_bands(
    levels: Sequence[BandEdges], below: Decimal | None, above: Decimal | None
) -> list[BandEdges]:
    """The levels with everything below one number and from another on in a band of its own."""
    opened_levels = []
    for level_index, edges in enumerate(levels):
        inner = list(edges.at)
        width = inner[1] - inner[0]
        if level_index and above is not None:
            above = width * math.floor(above / width)
        if level_index and below is not None:
            below = width * math.ceil(below / width)
        if below is not None and above is not None and below > above:
            break  # both would take in the same numbers: from here on all are one
        if above is not None:
            inner = [*(edge for edge in inner if edge < above), above, Decimal("inf")]
        if below is not None:
            inner = [Decimal("-inf"), below, *(edge for edge in inner if edge > below)]
        opened_levels.append(BandEdges(tuple(inner), edges.closed))
    return opened_levels


def _multiples_of_width(numbers: NumericValues, width: Decimal) -> tuple[Decimal, ...]:
    first, last = (numbers.low // width), (numbers.high // width)
    # Decimal division rounds towards zero, not down.
    low = int(first) - (1 if first * width > numbers.low else 0)
    if int(last) - low > MAX_BANDS:
        raise UsageError(
            "width {width} makes more than {max_bands:,} bands", width=width, max_bands=MAX_BANDS
        )
    return tuple(width * place for place in range(low, int(last) + 2))


def _cut_edges(levels: Sequence[Sequence[Decimal]]) -> list[BandEdges]:
    for level in levels:
        if len(level) < 2 or any(low >= high for low, high in pairwise(level)):
            raise UsageError("give at least two cuts, in ascending order")
    for fine, coarse in pairwise(levels):
        added_cuts = sorted(set(coarse[1:-1]) - set(fine))
        if added_cuts or coarse[0] > fine[0] or coarse[-1] < fine[-1]:
            cuts = ", ".join(map(str, added_cuts)) or f"{coarse[0]}, {coarse[-1]}"
            raise UsageError(
                "a coarser level may only leave out cuts of the finer one, not add {cuts}",
                cuts=cuts,
            )
    return [BandEdges(tuple(level), closed=True) for level in levels]


def _quantile_edges(numbers: NumericValues, groups: Sequence[int]) -> list[BandEdges]:
    if any(number < 1 for number in groups) or any(
        coarse >= fine or fine % coarse for fine, coarse in pairwise(groups)
    ):
        raise UsageError("each number of groups must divide the one before it, as in 8,4,2")
    return [BandEdges(quantile_cuts(numbers, number), closed=True) for number in groups]


def quantile_cuts(numbers: NumericValues, groups: int) -> tuple[Decimal, ...]:
    """The values at which about equally many rows lie on each side, with both ends."""
    counts = numbers.source.counts
    before = np.cumsum(counts) - counts
    places = np.searchsorted(before * groups, np.arange(groups) * counts.sum())
    cuts = numbers.numbers[np.unique(places[places < len(before)])]
    low, *inner = to_decimals(cuts.tolist())
    return (low, *(cut for cut in inner if cut < numbers.high), numbers.high)


def _all_whole_numbers(values: ColumnValues) -> ColumnValues:
    """All whole numbers from the smallest to the largest; those not in the data have no rows."""
    numbers = NumericValues.of(values)
    if not numbers.whole or not len(values):
        raise UsageError("'every' needs whole numbers")
    low, high = int(numbers.low), int(numbers.high)
    if high - low >= MAX_BANDS:
        raise UsageError(
            "more than {max_bands:,} whole numbers lie between {low} and {high}",
            max_bands=MAX_BANDS,
            low=low,
            high=high,
        )
    whole = pl.Series(np.arange(low, high + 1))
    counts = np.zeros(len(whole), dtype=np.int64)
    counts[numbers.numbers - low] = values.counts
    return ColumnValues(values.column, whole, whole.cast(pl.String), counts, values.missing)


def _parse_decimals(numbers: Sequence[Number]) -> tuple[Decimal, ...]:
    try:
        decimals = to_decimals(numbers)
    except InvalidOperation:
        decimals = (Decimal("nan"),)
    if any(number.is_nan() for number in decimals):
        raise UsageError("{list}: numbers are needed", list=list(numbers))
    return decimals
