"""Somebody who knows how many purchases of a person left, and what they add up to.

Published intervals give a range of totals for every pseudonym. Columns that were moved tell nothing
for certain and are left out; so is a total where something can be anything.
"""

from __future__ import annotations

import numpy as np

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.opened_purchases import OpenedPurchases
from tokumei.assessment.purchase_candidates import OwnerCandidates

AMOUNT = ("price", "quantity")
TOLERANCE = 1e-6
CELLS_AT_ONCE = 20_000_000


def find_candidates_by_totals(opened: OpenedPurchases) -> OwnerCandidates:
    """The pseudonyms with as many rows whose totals may be those of the person."""
    counts = np.bincount(opened.owner, minlength=opened.owners).astype(np.float64)
    lows, highs, trues = (list[np.ndarray]([counts]) for _ in range(3))
    for low, high, true in _totals(opened):
        lows.append(np.bincount(opened.owner, low, minlength=opened.owners))
        highs.append(np.bincount(opened.owner, high, minlength=opened.owners))
        trues.append(np.bincount(opened.owner, true, minlength=opened.owners))
    size = np.zeros(opened.owners, dtype=np.int64)
    holds = np.zeros(opened.owners, dtype=bool)
    step = max(1, CELLS_AT_ONCE // max(1, opened.owners))
    for begin in range(0, opened.owners, step):
        part = np.arange(begin, min(begin + step, opened.owners))
        fits = np.ones((len(part), opened.owners), dtype=bool)
        for low, high, true in zip(lows, highs, trues, strict=True):
            slack = TOLERANCE * np.maximum(1.0, np.abs(true[part]))[:, None]
            fits &= (low <= true[part, None] + slack) & (true[part, None] - slack <= high)
        size[part], holds[part] = fits.sum(axis=1), fits[np.arange(len(part)), part]
    known = np.zeros(opened.rows.original.rows, dtype=bool)
    known[opened.link] = True
    return OwnerCandidates(np.arange(opened.owners), size, holds, known, is_sampled=False)


def _totals(opened: OpenedPurchases) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """By released row the least and the greatest amount and quantity, and the true one."""
    columns = opened.rows.columns
    bounds = {
        name: (*_bounds(columns[name]), columns[name].numbers[columns[name].value_rank])
        for name in AMOUNT
        if name in columns and opened.is_exact[name]
    }
    totals = list[tuple[np.ndarray, np.ndarray, np.ndarray]]()
    if "quantity" in bounds:
        low, high, true = bounds["quantity"]
        totals.append((low, high, true[opened.link]))
    if len(bounds) == len(AMOUNT):
        (a, b, price), (c, d, quantity) = bounds["price"], bounds["quantity"]
        with np.errstate(invalid="ignore"):
            corners = np.nan_to_num(
                np.stack([a * c, a * d, b * c, b * d]), posinf=np.inf, neginf=-np.inf
            )
        totals.append((corners.min(axis=0), corners.max(axis=0), (price * quantity)[opened.link]))
    return [(low, high, np.nan_to_num(true)) for low, high, true in totals]


def _bounds(codes: ColumnCodes) -> tuple[np.ndarray, np.ndarray]:
    """By released row the ends of its cell; a cell of anything has no ends."""
    low = np.array([cell.low for cell in codes.cells], dtype=np.float64)
    high = np.array([cell.high for cell in codes.cells], dtype=np.float64)
    unknown = np.isnan(low) | np.isnan(high)
    low, high = np.where(unknown, -np.inf, low), np.where(unknown, np.inf, high)
    return low[codes.cell_code], high[codes.cell_code]
