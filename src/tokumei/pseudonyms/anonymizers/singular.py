"""Rows that stand out: an item of one customer, a price or quantity far from all others."""

from __future__ import annotations

import numpy as np

from tokumei.pseudonyms.anonymizers.exposure import Purchases
from tokumei.pseudonyms.data.rows import PeriodRows

FAR = 4.0
"""Standard deviations from the original's mean beyond which a number is singular."""


def singular_rows(source: PeriodRows, changed: PeriodRows, bought: Purchases) -> np.ndarray:
    """The rows to delete so that none of those left stands out; `bought` are all changed rows.

    Deleting a row may leave an item with one buyer, so it goes on until nothing changes.
    """
    gone = ~changed.kept
    for before, after in (
        (source.prices, changed.prices),
        (source.quantities, changed.quantities),
    ):
        gone |= np.abs(after - before.mean()) > FAR * before.std()
    while True:
        alone = ~gone & (bought.take(~gone).buyers()[bought.item] < 2)
        if not alone.any():
            return gone
        gone |= alone
