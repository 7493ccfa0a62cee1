"""What an attacker remembers inexactly, and what only roughly.

rough = coarsened(noisy(rows, {"price": 0.1}, rng), {"day": "month"})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.pseudonyms.data.cell_text import day_text, price_text, quantity_text, time_text
from tokumei.pseudonyms.data.months import NO_DAY
from tokumei.pseudonyms.data.noise import (
    month_ends,
    scaled_prices,
    shifted_days,
    shifted_minutes,
    shifted_quantities,
)
from tokumei.pseudonyms.data.rows import NO_TIME, PeriodRows

Coarse = str | float
_SPELLED: dict[str, Callable[[np.ndarray], pl.Series]] = {
    "day": day_text,
    "time": time_text,
    "price": price_text,
    "quantity": quantity_text,
}
_STEPS: dict[str, tuple[str, ...]] = {"day": ("month", "week"), "time": ("hour",)}
_WEEK = 7
_MONDAY = 4
"""The first Monday since 1 January 1970 is day 4."""


def noisy(rows: PeriodRows, noise: Mapping[str, float], rng: Randomness) -> PeriodRows:
    """The rows with noise on days (days), times (minutes), prices (share), quantities (pieces)."""
    for column, size in noise.items():
        values, there = _numbers(rows, column)
        source = rng.child(column)
        if column == "price":
            values[there] = scaled_prices(values[there], size, source)
        elif column == "quantity":
            values[there] = shifted_quantities(values[there], int(size), source)
        else:
            shifted = shifted_days if column == "day" else shifted_minutes
            values[there] = shifted(values[there], int(size), source)
        rows = _written(rows, column, values, there)
    return rows


def coarsened(rows: PeriodRows, coarse: Mapping[str, Coarse]) -> PeriodRows:
    """The rows with days as the first of their month or week, times as hours, numbers in steps.

    A week begins on Monday, but never in the month before: the period of a row stays what it is.
    """
    for column, step in coarse.items():
        values, there = _numbers(rows, column)
        if column == "day":
            values[there] = _first_days(values[there], str(step))
        elif column == "time":
            values[there] = values[there] // 60 * 60
        else:
            values[there] = np.floor(values[there] / float(step) + 1e-9) * float(step)
        rows = _written(rows, column, values, there)
    return rows


def require_noise(noise: Mapping[str, float]) -> None:
    """Fail unless the columns can have noise, each of a size that makes sense."""
    for column, size in noise.items():
        if column not in _SPELLED:
            raise UnknownNameError(Text("column", "列"), column, _SPELLED, where="noise")
        if size < 0 or (column == "price" and size >= 1):
            raise _unusable("noise", column, size)
        if column != "price" and size != int(size):
            raise _unusable("noise", column, size)


def require_coarse(coarse: Mapping[str, Coarse]) -> None:
    """Fail unless the columns can be coarsened so."""
    for column, step in coarse.items():
        if column not in _SPELLED:
            raise UnknownNameError(Text("column", "列"), column, _SPELLED, where="coarse")
        if column in _STEPS:
            if step not in _STEPS[column]:
                raise UnknownNameError(
                    Text("step", "粗さ"), str(step), _STEPS[column], where=f"coarse {column}"
                )
        elif isinstance(step, str) or not 0 < step < np.inf:
            raise _unusable("coarse", column, step)


def _numbers(rows: PeriodRows, column: str) -> tuple[np.ndarray, np.ndarray]:
    """The values of a column, and which of them there are."""
    if column == "day":
        return rows.days.copy(), rows.days != NO_DAY
    if column == "time":
        return rows.minutes.copy(), rows.minutes != NO_TIME
    values = (rows.prices if column == "price" else rows.quantities).copy()
    return values, np.isfinite(values)


def _written(rows: PeriodRows, column: str, values: np.ndarray, there: np.ndarray) -> PeriodRows:
    cells = (
        rows.cells[column].clone().scatter(np.flatnonzero(there), _SPELLED[column](values[there]))
    )
    return PeriodRows(rows.cells.with_columns(cells))


def _first_days(days: np.ndarray, step: str) -> np.ndarray:
    first, _ = month_ends(days)
    if step == "month":
        return first
    monday = (days - _MONDAY) // _WEEK * _WEEK + _MONDAY
    begun: np.ndarray = np.maximum(monday, first)
    return begun


def _unusable(option: str, column: str, size: Coarse) -> UsageError:
    given = f"{option}: {column}={size}"
    return UsageError(f"{given} cannot be used as a size", f"{given} は使えません")
