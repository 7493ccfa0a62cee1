"""Bands of numbers: their edges, and the label of every number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import polars as pl

from tokumei.core.generalized_cells import canonicalize_value
from tokumei.core.messages import Message
from tokumei.tables.hierarchies.column_values import ColumnValues, unfit_values_error

_MAX_INT64 = 2**63 - 1


@dataclass(frozen=True)
class BandEdges:
    """The edges of neighbouring bands, ascending; `closed`: the last one belongs to its band."""

    at: tuple[Decimal, ...]
    closed: bool = False


@dataclass(frozen=True, eq=False)
class NumericValues:
    """The values of a column as numbers, ascending."""

    source: ColumnValues
    numbers: np.ndarray

    @classmethod
    def of(cls, values: ColumnValues) -> NumericValues:
        """The values as whole numbers if all are, else as reals; an error lists what is neither."""
        if values.values.dtype.is_integer() or values.values.dtype == pl.String:
            whole = values.values.cast(pl.Int64, strict=False)
            if not whole.null_count():
                return cls(values, whole.to_numpy())
        reals = values.values.cast(pl.Float64, strict=False)
        is_not_finite = ~reals.is_finite().fill_null(False).to_numpy()
        if is_not_finite.any():
            raise unfit_values_error(
                values, np.flatnonzero(is_not_finite), Message("intervals need finite numbers")
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


def band_labels(numbers: NumericValues, edges: BandEdges) -> pl.Series:
    """The label of every number's band; an error lists the numbers outside all bands."""
    at = [_whole_edge(edge) for edge in edges.at] if numbers.whole else list(map(float, edges.at))
    ends = np.array(at, dtype=np.int64 if numbers.whole else np.float64)
    places = np.searchsorted(ends, numbers.numbers, side="right") - 1
    last = len(ends) - 2
    if edges.closed:
        places[(places == last + 1) & (numbers.numbers <= _last_edge(edges, numbers.whole))] = last
    outside = (places < 0) | (places > last)
    if outside.any():
        low, high = _format_edge(edges.at[0]), _format_edge(edges.at[-1])
        reach = Message("the cuts reach from {low} to {high}", low=low, high=high)
        raise unfit_values_error(numbers.source, np.flatnonzero(outside), reach)
    used, codes = np.unique(places, return_inverse=True)
    names = pl.Series([_band_label(edges, int(p), numbers.whole) for p in used], dtype=pl.String)
    return names.gather(codes)


def _whole_edge(edge: Decimal) -> int:
    """The first whole number not below the edge, as far as 64 bits reach."""
    if edge.is_infinite():
        return _MAX_INT64 if edge > 0 else -_MAX_INT64
    return max(-_MAX_INT64, min(math.ceil(edge), _MAX_INT64))


def _last_edge(edges: BandEdges, whole: bool) -> float | int:
    end = edges.at[-1]
    if not whole:
        return float(end)
    return _MAX_INT64 if end.is_infinite() else math.floor(end)


def _band_label(edges: BandEdges, place: int, whole: bool) -> str:
    low, high = edges.at[place], edges.at[place + 1]
    closed = edges.closed and place == len(edges.at) - 2
    if whole and not high.is_infinite():
        high = Decimal(math.floor(high) if closed else math.ceil(high) - 1)
    if whole and not low.is_infinite():
        low = Decimal(math.ceil(low))
    first, last = _format_edge(low), _format_edge(high)
    return first if first == last else f"[{first};{last}]"


def _format_edge(edge: Decimal) -> str:
    if edge.is_infinite():
        return "inf" if edge > 0 else "-inf"
    return canonicalize_value(format(edge, "f"))


def to_decimals(numbers: Sequence[float | str | Decimal]) -> tuple[Decimal, ...]:
    """Numbers as they are written: 0.1 is a tenth."""
    return tuple(Decimal(str(number)) for number in numbers)
