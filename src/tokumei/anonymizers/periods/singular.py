"""Rows that stand out: an item of one customer, a price or quantity far from all others."""

from __future__ import annotations

import numpy as np

from tokumei.data.periods.history import PeriodHistory
from tokumei.data.periods.rows import PeriodRows

FAR = 4.0
"""Standard deviations from the original's mean beyond which a number is singular."""


def singular_rows(source: PeriodHistory, changed: PeriodRows, item: np.ndarray) -> np.ndarray:
    """The rows to delete so that none of those left stands out.

    Deleting a row may leave an item with one buyer, so it goes on until nothing changes.
    """
    gone = ~changed.kept
    for before, after in (
        (source.rows.prices, changed.prices),
        (source.rows.quantities, changed.quantities),
    ):
        gone |= np.abs(after - before.mean()) > FAR * before.std()
    while True:
        alone = ~gone & (_buyers(item, source.person, ~gone)[item] < 2)
        if not alone.any():
            return gone
        gone |= alone


def _buyers(item: np.ndarray, person: np.ndarray, kept: np.ndarray) -> np.ndarray:
    """How many customers have a row left of each item."""
    people = int(person.max()) + 1
    pairs = np.unique(item[kept] * people + person[kept])
    return np.bincount(pairs // people, minlength=int(item.max()) + 1)
