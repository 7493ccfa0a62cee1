"""Formats cells as the 2017 contest does, adds noise to them, and coarsens them.

days = shift_values("day", rows.days, 3, rng.child("days"))     # at most three days away
format_days(days)                                             # 2011/1/31
rough = coarsen_rows(add_noise(rows, {"price": 0.1}, rng), {"day": "month"})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import polars as pl

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.purchase_text_cells import (
    NO_DAY,
    NO_TIME,
    PeriodRows,
    to_month_numbers,
)


def format_days(days: np.ndarray) -> pl.Series:
    """Days since 1970 without leading zeros."""
    dates = pl.Series("day", days.astype(np.int32)).cast(pl.Date)
    return dates.dt.strftime("%Y/%-m/%-d")


def format_times(minutes: np.ndarray) -> pl.Series:
    """Minutes since midnight: hours without, minutes with a leading zero."""
    clock = pl.DataFrame({"hour": minutes // 60, "minute": minutes % 60})
    minute = pl.col("minute").cast(pl.String).str.zfill(2)
    return clock.select(pl.format("{}:{}", "hour", minute).alias("time")).to_series()


def format_prices(prices: np.ndarray) -> pl.Series:
    """At most two decimals, none that is needless."""
    cents = np.rint(prices * 100).astype(np.int64)
    spelled = pl.DataFrame({"whole": cents // 100, "cents": cents % 100})
    decimals = pl.col("cents").cast(pl.String).str.zfill(2)
    with_cents = pl.format("{}.{}", "whole", decimals.str.strip_chars_end("0"))
    text = pl.when(pl.col("cents") == 0).then(pl.col("whole").cast(pl.String)).otherwise(with_cents)
    return spelled.select(text.alias("price")).to_series()


def format_quantities(quantities: np.ndarray) -> pl.Series:
    """Whole numbers."""
    return pl.Series("quantity", np.rint(quantities).astype(np.int64)).cast(pl.String)


LAST_MINUTE = 24 * 60 - 1
MAX_PRICE, MIN_PRICE = 99_999.99, 0.01
MAX_QUANTITY = 999_999


def month_bounds(days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last day of every day's month (days since 1970)."""
    months = to_month_numbers(days)
    first, after = (
        (months + later).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        for later in (0, 1)
    )
    return first, after - 1


def set_day_of_month(days: np.ndarray, day: int) -> np.ndarray:
    """The same day of every month, or its last one where the month is shorter."""
    first, last = month_bounds(days)
    return np.asarray(np.minimum(first + day - 1, last))


def draw_days_in_month(days: np.ndarray, rng: Randomness) -> np.ndarray:
    """Any day of the same month, all equally likely."""
    first, last = month_bounds(days)
    return rng.generator.integers(first, last + 1)


def shift_values(column: str, values: np.ndarray, most: int, rng: Randomness) -> np.ndarray:
    """At most `most` days, minutes or pieces away, but in the same month, or day, and above 0."""
    moved = values + rng.generator.integers(-most, most + 1, len(values))
    if column == "day":
        return np.clip(moved, *month_bounds(values))
    return np.clip(moved, *((0, LAST_MINUTE) if column == "time" else (1, MAX_QUANTITY)))


def scale_prices(prices: np.ndarray, share: float, rng: Randomness) -> np.ndarray:
    """Times a factor from 1 − share to 1 + share, in cents; what cost something still does."""
    scaled = prices * rng.generator.uniform(1 - share, 1 + share, len(prices))
    return np.where(prices > 0, np.clip(scaled.round(2), MIN_PRICE, MAX_PRICE), prices)


def round_half_up(share: float, number: int) -> int:
    """How many of `number` a share is, halves rounded up."""
    # The product of a decimal share may lie just below the half that it means.
    return int(np.floor(share * number + 0.5 + 1e-9))


CoarseStep = str | float
_FORMATTERS: dict[str, Callable[[np.ndarray], pl.Series]] = {
    "day": format_days,
    "time": format_times,
    "price": format_prices,
    "quantity": format_quantities,
}
_NAMED_STEPS: dict[str, tuple[str, ...]] = {"day": ("month", "week"), "time": ("hour",)}
_WEEK, _MONDAY = 7, 4
"""The first Monday since 1 January 1970 is day 4."""


def add_noise(rows: PeriodRows, noise: Mapping[str, float], rng: Randomness) -> PeriodRows:
    """The rows with noise on days (days), times (minutes), prices (share), quantities (pieces)."""
    for column, size in noise.items():
        values, has_value = _column_values(rows, column)
        source = rng.child(column)
        if column == "price":
            values[has_value] = scale_prices(values[has_value], size, source)
        else:
            values[has_value] = shift_values(column, values[has_value], int(size), source)
        rows = _write_column(rows, column, values, has_value)
    return rows


def coarsen_rows(rows: PeriodRows, coarse: Mapping[str, CoarseStep]) -> PeriodRows:
    """The rows with days as the first of their month or week, times as hours, numbers in steps.

    A week begins on Monday, but never in the month before: the period of a row stays what it is.
    """
    for column, step in coarse.items():
        values, has_value = _column_values(rows, column)
        if column == "day":
            values[has_value] = _first_day_of_step(values[has_value], str(step))
        elif column == "time":
            values[has_value] = values[has_value] // 60 * 60
        else:
            values[has_value] = np.floor(values[has_value] / float(step) + 1e-9) * float(step)
        rows = _write_column(rows, column, values, has_value)
    return rows


def require_noise(noise: Mapping[str, float]) -> None:
    """Fail unless the columns can have noise, each of a size that makes sense."""
    for column, size in noise.items():
        if column not in _FORMATTERS:
            raise UnknownNameError(Message("column"), column, _FORMATTERS, where="noise")
        if size < 0 or (size >= 1 if column == "price" else size != int(size)):
            raise _unusable_size_error("noise", column, size)


def require_coarse_steps(coarse: Mapping[str, CoarseStep]) -> None:
    """Fail unless the columns can be coarsened so."""
    for column, step in coarse.items():
        if column not in _FORMATTERS:
            raise UnknownNameError(Message("column"), column, _FORMATTERS, where="coarse")
        if column in _NAMED_STEPS:
            if step not in _NAMED_STEPS[column]:
                raise UnknownNameError(
                    Message("step"), str(step), _NAMED_STEPS[column], where=f"coarse {column}"
                )
        elif isinstance(step, str) or not 0 < step < np.inf:
            raise _unusable_size_error("coarse", column, step)


def _column_values(rows: PeriodRows, column: str) -> tuple[np.ndarray, np.ndarray]:
    """The values of a column, and which of them there are."""
    if column == "day":
        return rows.days.copy(), rows.days != NO_DAY
    if column == "time":
        return rows.minutes.copy(), rows.minutes != NO_TIME
    values = (rows.prices if column == "price" else rows.quantities).copy()
    return values, np.isfinite(values)


def _write_column(
    rows: PeriodRows, column: str, values: np.ndarray, has_value: np.ndarray
) -> PeriodRows:
    spelled = _FORMATTERS[column](values[has_value])
    cells = rows.cells[column].clone().scatter(np.flatnonzero(has_value), spelled)
    return PeriodRows(rows.cells.with_columns(cells))


def _first_day_of_step(days: np.ndarray, step: str) -> np.ndarray:
    first, _ = month_bounds(days)
    if step == "month":
        return first
    monday = (days - _MONDAY) // _WEEK * _WEEK + _MONDAY
    return np.asarray(np.maximum(monday, first))


def _unusable_size_error(option: str, column: str, size: CoarseStep) -> UsageError:
    setting = f"{option}: {column}={size}"
    return UsageError("{setting} cannot be used as a size", setting=setting)
