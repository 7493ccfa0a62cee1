"""Monthly sales: distance of the release's curve from the true one.

    MonthlySales().score(case)
    monthly_curves(case)         # month, original, released: for a chart

In the release a row's sales are its estimated price × quantity, spread evenly over the days of
its interval. Rows whose day is `*` follow the known curve (the months by the size of their known
sales); where no month is known they cannot be placed and count as missing, as deleted rows do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.measure import ERROR_LIMITS, Limits, Score
from tokumei.core.messages import Message
from tokumei.histories.data.generalized_history import GeneralHistory
from tokumei.histories.measures.protocol import (
    HistoryCase,
    HistoryMeasure,
    estimated_sales,
    true_sales,
)


@dataclass(frozen=True)
class MonthlySales(HistoryMeasure):
    """Σ |released − original| / Σ |original| over months; 0 if nothing was sold on either side."""

    name: ClassVar[str] = "monthly_sales"
    title: ClassVar[Message] = Message("Error of monthly sales")
    sentence: ClassVar[Message] = Message(
        "How far the monthly sales are off, as a share of all sales."
    )
    formula: ClassVar[str] = "Σ |sales′ − sales| / Σ |sales|"
    says: ClassVar[Message] = Message("The monthly sales are off by {value} of all sales.")
    limits: ClassVar[Limits] = ERROR_LIMITS
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Message] = Message("share of sales")

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        curves = monthly_curves(case)
        original, released = curves["original"].to_numpy(), curves["released"].to_numpy()
        error, total = float(np.abs(released - original).sum()), float(np.abs(original).sum())
        if not total:
            return Score(np.inf if error else 0.0, sample=len(original))
        return Score(error / total, sample=len(original))


@dataclass(frozen=True)
class MonthlyShape(HistoryMeasure):
    """Half of Σ |released share − original share| over months: 0 the same shape, 1 no overlap.

    The middle of a wide interval overstates sales; this figure does not see the level.
    `baseline` is what a flat line reaches.
    """

    name: ClassVar[str] = "monthly_shape"
    title: ClassVar[Message] = Message("Error of the monthly shape")
    sentence: ClassVar[Message] = Message(
        "The share of sales that appear in the wrong month, whatever their total."
    )
    formula: ClassVar[str] = "½ Σ |share′ − share|"
    says: ClassVar[Message] = Message("{value} of the sales are in the wrong month{beside}.")
    beside: ClassVar[Message] = Message(" (a flat line: {baseline})")
    limits: ClassVar[Limits] = ERROR_LIMITS
    unit: ClassVar[Message] = Message("share of sales")

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        curves = monthly_curves(case)
        true, released = (_to_shares(curves[name].to_numpy()) for name in ("original", "released"))
        flat = np.full(len(true), 1 / len(true))
        error, flat_error = (float(np.abs(curve - true).sum() / 2) for curve in (released, flat))
        return Score(error, baseline=flat_error, sample=len(true))


def _to_shares(curve: np.ndarray) -> np.ndarray:
    size = np.abs(curve)
    return size / size.sum() if size.sum() else np.zeros(len(curve))


def monthly_curves(case: HistoryCase) -> pl.DataFrame:
    """Sales of every month from the first to the last of either side, in currency units."""
    history, released = case.original, case.released
    days = history.numbers("day")
    low, high, known, unknown = _sales_with_known_day(released)
    first = int(min(days.min(), low.min(initial=days.min())))
    last = int(max(days.max(), high.max(initial=days.max())))
    month, of_day = _month_index(first, last)
    original = np.bincount(of_day[days - first], weights=true_sales(history), minlength=len(month))
    daily = _spread_over_days(low - first, high - first, known, last - first + 1)
    curve = np.bincount(of_day, weights=daily, minlength=len(month))
    size = np.abs(curve)
    if size.sum():
        curve = curve + unknown * size / size.sum()
    unit = 10.0**history.decimals
    return pl.DataFrame({"month": month, "original": original / unit, "released": curve / unit})


def _sales_with_known_day(
    released: GeneralHistory,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """First day, last day and sales of the rows whose days are known; the sales of the others."""
    spans, sales = released.day, estimated_sales(released)
    code = spans.code[released.kept]
    known = ~spans.star[code]
    low, high = spans.low[code[known]], spans.high[code[known]]
    return low, high, sales[known], float(sales[~known].sum())


def _month_index(first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """The first days of all months from day to day, and the place of every day's month."""
    day = np.arange(first, last + 1).astype("datetime64[D]")
    month, place = np.unique(day.astype("datetime64[M]"), return_inverse=True)
    return month.astype("datetime64[D]"), place


def _spread_over_days(
    low: np.ndarray, high: np.ndarray, sales: np.ndarray, days: int
) -> np.ndarray:
    """Sales per day: each interval adds its daily share at its start and takes it off behind."""
    share = sales / (high - low + 1)
    change = np.bincount(low, weights=share, minlength=days + 1)
    change -= np.bincount(high + 1, weights=share, minlength=days + 1)
    return np.cumsum(change)[:days]
