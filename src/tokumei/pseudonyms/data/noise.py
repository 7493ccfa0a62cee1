"""Chance applied to the cells of purchases: days inside their month, times, prices, quantities.

days = shifted_days(rows.days, 3, rng.child("days"))       # at most three days away
prices = scaled_prices(rows.prices, 0.1, rng.child("prices"))
"""

from __future__ import annotations

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.months import month_of

LAST_MINUTE = 24 * 60 - 1
MOST_PRICE, LEAST_PRICE = 99_999.99, 0.01
MOST_QUANTITY = 999_999


def month_ends(days: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last day of every day's month (days since 1970)."""
    months = month_of(days)
    first, after = (
        (months + later).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        for later in (0, 1)
    )
    return first, after - 1


def fixed_days(days: np.ndarray, day: int) -> np.ndarray:
    """The same day of every month, or its last one where the month is shorter."""
    first, last = month_ends(days)
    fixed: np.ndarray = np.minimum(first + day - 1, last)
    return fixed


def random_days(days: np.ndarray, rng: Randomness) -> np.ndarray:
    """Any day of the same month, all equally likely."""
    first, last = month_ends(days)
    return rng.generator.integers(first, last + 1)


def shifted_days(days: np.ndarray, most: int, rng: Randomness) -> np.ndarray:
    """At most `most` days earlier or later, but in the same month."""
    moved = days + rng.generator.integers(-most, most + 1, len(days))
    return np.clip(moved, *month_ends(days))


def shifted_minutes(minutes: np.ndarray, most: int, rng: Randomness) -> np.ndarray:
    """At most `most` minutes earlier or later, but on the same day."""
    moved = minutes + rng.generator.integers(-most, most + 1, len(minutes))
    return np.clip(moved, 0, LAST_MINUTE)


def scaled_prices(prices: np.ndarray, share: float, rng: Randomness) -> np.ndarray:
    """Times a factor from 1 − share to 1 + share, in cents; what cost something still does."""
    scaled = prices * rng.generator.uniform(1 - share, 1 + share, len(prices))
    return np.where(prices > 0, np.clip(scaled.round(2), LEAST_PRICE, MOST_PRICE), prices)


def shifted_quantities(quantities: np.ndarray, most: int, rng: Randomness) -> np.ndarray:
    """At most `most` pieces fewer or more, but at least one."""
    moved = quantities + rng.generator.integers(-most, most + 1, len(quantities))
    return np.clip(moved, 1, MOST_QUANTITY)


def half_up(share: float, number: int) -> int:
    """How many of `number` a share is, halves rounded up."""
    # The product of a decimal share may lie just below the half that it means.
    return int(np.floor(share * number + 0.5 + 1e-9))
