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
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import numpy as np
import polars as pl

from tokumei.core.cells import plain_text
from tokumei.core.errors import UsageError
from tokumei.core.text import Text
from tokumei.tables.hierarchies.hierarchy import Hierarchy
from tokumei.tables.hierarchies.values import Values, hierarchy_of, unfit

Number = float | str | Decimal
MOST_BANDS = 1_000_000


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
        raise UsageError("give one of widths, cuts and quantiles", "幅・区切り・分位数の一つを指定")
    values = Values.of(series)
    numbers = Numbers.of(_every(values) if every else values)
    if not len(numbers.numbers):
        return hierarchy_of(numbers.source, [])
    ends = _ends(open_below, open_above, widths)
    if widths:
        levels = _opened(_width_edges(numbers, _decimals(widths)), *ends)
    elif cuts:
        levels = _cut_edges([_decimals(level) for level in cuts])
    else:
        levels = _quantile_edges(numbers, quantiles)
    return hierarchy_of(numbers.source, [band_labels(numbers, edges) for edges in levels])


def _width_edges(numbers: Numbers, widths: Sequence[Decimal]) -> list[Edges]:
    """Multiples of each width; a width of 1 on whole numbers is the number itself, left out."""
    if any(not width.is_finite() or width <= 0 for width in widths):
        raise UsageError("widths must be positive", "幅は正の数です")
    for fine, coarse in pairwise(widths):
        if coarse <= fine or coarse % fine:
            raise UsageError(
                f"the width {coarse} is not a multiple of {fine}",
                f"幅 {coarse} は {fine} の倍数ではありません",
            )
    kept = [width for width in widths if not (numbers.whole and width <= 1)]
    return [Edges(_multiples(numbers, width)) for width in kept]


def _ends(
    below: Number | None, above: Number | None, widths: Sequence[Number]
) -> tuple[Decimal | None, Decimal | None]:
    """Where open bands end and start; only widths have them, and they may not meet."""
    low, high = (None if end is None else _decimals([end])[0] for end in (below, above))
    if not widths and (low, high) != (None, None):
        raise UsageError(
            "open bands go with widths; cuts may be -inf and inf",
            "端の開いた区間は幅とともに指定します (区切りには -inf と inf が使えます)",
        )
    if low is not None and high is not None and low > high:
        ja = f"端の開いた区間が重なります ({low} 未満と {high} 以上)"
        raise UsageError(f"the open bands overlap: below {low}, from {high} on", ja)
    return low, high


def _opened(levels: Sequence[Edges], below: Decimal | None, above: Decimal | None) -> list[Edges]:
    """The levels with everything below one number and from another on in a band of its own."""
    found = []
    for place, edges in enumerate(levels):
        inner = list(edges.at)
        width = inner[1] - inner[0]
        if place and above is not None:
            above = width * math.floor(above / width)
        if place and below is not None:
            below = width * math.ceil(below / width)
        if below is not None and above is not None and below > above:
            break  # both would take in the same numbers: from here on all are one
        if above is not None:
            inner = [*(edge for edge in inner if edge < above), above, Decimal("inf")]
        if below is not None:
            inner = [Decimal("-inf"), below, *(edge for edge in inner if edge > below)]
        found.append(Edges(tuple(inner), edges.closed))
    return found


def _multiples(numbers: Numbers, width: Decimal) -> tuple[Decimal, ...]:
    first, last = (numbers.low // width), (numbers.high // width)
    # Decimal division rounds towards zero, not down.
    low = int(first) - (1 if first * width > numbers.low else 0)
    if int(last) - low > MOST_BANDS:
        raise UsageError(
            f"width {width} makes more than {MOST_BANDS:,} bands",
            f"幅 {width} では区間が {MOST_BANDS:,} を超えます",
        )
    return tuple(width * place for place in range(low, int(last) + 2))


def _cut_edges(levels: Sequence[Sequence[Decimal]]) -> list[Edges]:
    for level in levels:
        if len(level) < 2 or any(low >= high for low, high in pairwise(level)):
            raise UsageError(
                "give at least two cuts, in ascending order", "区切りは小さい順に二つ以上"
            )
    for fine, coarse in pairwise(levels):
        strange = sorted(set(coarse[1:-1]) - set(fine))
        if strange or coarse[0] > fine[0] or coarse[-1] < fine[-1]:
            shown = ", ".join(map(str, strange)) or f"{coarse[0]}, {coarse[-1]}"
            raise UsageError(
                f"a coarser level may only leave out cuts of the finer one, not add {shown}",
                f"粗い段は細かい段の区切りを省くだけです ({shown} は加えられません)",
            )
    return [Edges(tuple(level), closed=True) for level in levels]


def _quantile_edges(numbers: Numbers, groups: Sequence[int]) -> list[Edges]:
    if any(number < 1 for number in groups) or any(
        coarse >= fine or fine % coarse for fine, coarse in pairwise(groups)
    ):
        raise UsageError(
            "each number of groups must divide the one before it, as in 8,4,2",
            "群の数は前の数の約数にします (例 8, 4, 2)",
        )
    return [Edges(quantile_cuts(numbers, number), closed=True) for number in groups]


def quantile_cuts(numbers: Numbers, groups: int) -> tuple[Decimal, ...]:
    """The values at which about equally many rows lie on each side, with both ends."""
    counts = numbers.source.counts
    before = np.cumsum(counts) - counts
    places = np.searchsorted(before * groups, np.arange(groups) * counts.sum())
    cuts = numbers.numbers[np.unique(places[places < len(before)])]
    low, *inner = as_decimals(cuts.tolist())
    return (low, *(cut for cut in inner if cut < numbers.high), numbers.high)


def _every(values: Values) -> Values:
    """All whole numbers from the smallest to the largest; those not in the data have no rows."""
    numbers = Numbers.of(values)
    if not numbers.whole or not len(values):
        raise UsageError("'every' needs whole numbers", "every には整数の列が必要です")
    low, high = int(numbers.low), int(numbers.high)
    if high - low >= MOST_BANDS:
        raise UsageError(
            f"more than {MOST_BANDS:,} whole numbers lie between {low} and {high}",
            f"{low} から {high} までの整数は {MOST_BANDS:,} 個を超えます",
        )
    whole = pl.Series(np.arange(low, high + 1))
    counts = np.zeros(len(whole), dtype=np.int64)
    counts[numbers.numbers - low] = values.counts
    return Values(values.column, whole, whole.cast(pl.String), counts, values.missing)


def _decimals(numbers: Sequence[Number]) -> tuple[Decimal, ...]:
    try:
        found = as_decimals(numbers)
    except InvalidOperation:
        found = (Decimal("nan"),)
    if any(number.is_nan() for number in found):
        raise UsageError(
            f"{list(numbers)}: numbers are needed", f"{list(numbers)}: 数値にしてください"
        )
    return found


_FAR = 2**63 - 1


@dataclass(frozen=True)
class Edges:
    """The edges of neighbouring bands, ascending; `closed`: the last one belongs to its band."""

    at: tuple[Decimal, ...]
    closed: bool = False


@dataclass(frozen=True, eq=False)
class Numbers:
    """The values of a column as numbers, ascending."""

    source: Values
    numbers: np.ndarray

    @classmethod
    def of(cls, values: Values) -> Numbers:
        """The values as whole numbers if all are, else as reals; an error lists what is neither."""
        if values.values.dtype.is_integer() or values.values.dtype == pl.String:
            whole = values.values.cast(pl.Int64, strict=False)
            if not whole.null_count():
                return cls(values, whole.to_numpy())
        reals = values.values.cast(pl.Float64, strict=False)
        wrong = ~reals.is_finite().fill_null(False).to_numpy()
        if wrong.any():
            raise unfit(
                values,
                np.flatnonzero(wrong),
                Text("intervals need finite numbers", "区間には有限の数値が必要です"),
            )
        return cls(values, reals.to_numpy())

    @property
    def whole(self) -> bool:
        """Whether these are whole numbers."""
        return bool(np.issubdtype(self.numbers.dtype, np.integer))

    @property
    def low(self) -> Decimal:
        """The smallest."""
        return Decimal(str(self.numbers.min()))

    @property
    def high(self) -> Decimal:
        """The largest."""
        return Decimal(str(self.numbers.max()))


def band_labels(numbers: Numbers, edges: Edges) -> pl.Series:
    """The label of every number's band; an error lists the numbers outside all bands."""
    at = [_whole_edge(edge) for edge in edges.at] if numbers.whole else list(map(float, edges.at))
    ends = np.array(at, dtype=np.int64 if numbers.whole else np.float64)
    places = np.searchsorted(ends, numbers.numbers, side="right") - 1
    last = len(ends) - 2
    if edges.closed:
        places[(places == last + 1) & (numbers.numbers <= _last(edges, numbers.whole))] = last
    outside = (places < 0) | (places > last)
    if outside.any():
        low, high = _text(edges.at[0]), _text(edges.at[-1])
        reach = Text(f"the cuts reach from {low} to {high}", f"区切りは {low} から {high} までです")
        raise unfit(numbers.source, np.flatnonzero(outside), reach)
    used, codes = np.unique(places, return_inverse=True)
    names = pl.Series([_label(edges, int(p), numbers.whole) for p in used], dtype=pl.String)
    return names.gather(codes)


def _whole_edge(edge: Decimal) -> int:
    """The first whole number not below the edge, as far as 64 bits reach."""
    if edge.is_infinite():
        return _FAR if edge > 0 else -_FAR
    return max(-_FAR, min(math.ceil(edge), _FAR))


def _last(edges: Edges, whole: bool) -> float | int:
    end = edges.at[-1]
    if not whole:
        return float(end)
    return _FAR if end.is_infinite() else math.floor(end)


def _label(edges: Edges, place: int, whole: bool) -> str:
    low, high = edges.at[place], edges.at[place + 1]
    closed = edges.closed and place == len(edges.at) - 2
    if whole and not high.is_infinite():
        high = Decimal(math.floor(high) if closed else math.ceil(high) - 1)
    if whole and not low.is_infinite():
        low = Decimal(math.ceil(low))
    first, last = _text(low), _text(high)
    return first if first == last else f"[{first};{last}]"


def _text(edge: Decimal) -> str:
    if edge.is_infinite():
        return "inf" if edge > 0 else "-inf"
    return plain_text(format(edge, "f"))


def as_decimals(numbers: Sequence[float | str | Decimal]) -> tuple[Decimal, ...]:
    """Numbers as they are written: 0.1 is a tenth."""
    return tuple(Decimal(str(number)) for number in numbers)
