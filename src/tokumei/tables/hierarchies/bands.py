"""Numbers in bands: from the edges of a level to a label per value.

Bands contain their lower edge and not their upper one; only the last may be closed. Whole numbers
are labelled by the numbers they contain, `[20;24]`, or by the number itself if it is alone. Reals
are labelled by their edges, `[0.5;1]`, though 1 belongs to the next band.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import polars as pl

from tokumei.core.cells import plain_text
from tokumei.core.text import Text
from tokumei.tables.hierarchies.values import Values, unfit

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
        whole = values.values.cast(pl.Int64, strict=False) if _may_be_whole(values.values) else None
        if whole is not None and not whole.null_count():
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
        raise _outside(numbers.source, np.flatnonzero(outside), edges)
    used, codes = np.unique(places, return_inverse=True)
    names = pl.Series([_label(edges, int(p), numbers.whole) for p in used], dtype=pl.String)
    return names.gather(codes)


def _may_be_whole(values: pl.Series) -> bool:
    return values.dtype.is_integer() or values.dtype == pl.String


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
    if not whole:
        return _interval(_text(low), _text(high))
    closed = edges.closed and place == len(edges.at) - 2
    if not high.is_infinite():
        high = Decimal(math.floor(high) if closed else math.ceil(high) - 1)
    return _interval(_text(low if low.is_infinite() else Decimal(math.ceil(low))), _text(high))


def _interval(low: str, high: str) -> str:
    return low if low == high else f"[{low};{high}]"


def _text(edge: Decimal) -> str:
    if edge.is_infinite():
        return "inf" if edge > 0 else "-inf"
    return plain_text(format(edge, "f"))


def _outside(values: Values, places: np.ndarray, edges: Edges) -> Exception:
    low, high = _text(edges.at[0]), _text(edges.at[-1])
    return unfit(
        values,
        places,
        Text(f"the cuts reach from {low} to {high}", f"区切りは {low} から {high} までです"),
    )


def as_decimals(numbers: Sequence[float | str | Decimal]) -> tuple[Decimal, ...]:
    """Numbers as they are written: 0.1 is a tenth."""
    return tuple(Decimal(str(number)) for number in numbers)
