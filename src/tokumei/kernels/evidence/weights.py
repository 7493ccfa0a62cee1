"""The weight of a known row against the public rows it may come from (compiled).

    row_weight(weights, k, entry)       # entry: a place in the list of k's pair

Item and price exclude most public rows, so every (item, price) pair of the known rows has a list
of those that remain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.evidence.columns import Column

NEGLIGIBLE = 0.02
"""Item and price that make a match fifty times less likely exclude it."""


class MonthRows(NamedTuple):
    """What does not change while the shares are learned."""

    columns: tuple[Column, ...]
    public_item: np.ndarray
    item_rarity: np.ndarray
    pair: np.ndarray  # of every known row: its (item, price)
    pair_item: np.ndarray
    pair_price: np.ndarray
    basket: np.ndarray  # of every known row: its (day, time)
    basket_day: np.ndarray
    basket_time: np.ndarray
    known_start: np.ndarray
    public_start: np.ndarray
    public_owner: np.ndarray


class RowWeights(NamedTuple):
    """Lists of public rows by pair, and the tables of the other columns."""

    rows: int
    pair: np.ndarray
    first: np.ndarray
    row: np.ndarray
    weight: np.ndarray
    quantity: np.ndarray
    known_quantity: np.ndarray
    public_quantity: np.ndarray
    day: np.ndarray
    known_day: np.ndarray
    public_day: np.ndarray
    time: np.ndarray
    known_time: np.ndarray
    public_time: np.ndarray


@compiled
def price_totals(
    often: np.ndarray,
    price: np.ndarray,
    price_place: np.ndarray,
    usual: np.ndarray,
    usual_place: np.ndarray,
) -> np.ndarray:
    """For every public row the mean over known prices of both price weights together."""
    total = np.zeros(len(price_place), np.float32)
    for known in range(len(often)):
        for row in range(len(total)):
            both = price[known, price_place[row]] * usual[known, usual_place[row]]
            total[row] += often[known] * both
    return total


@compiled
def pair_lists(
    pair_item: np.ndarray,
    pair_price: np.ndarray,
    item: np.ndarray,
    price: np.ndarray,
    price_place: np.ndarray,
    usual: np.ndarray,
    usual_place: np.ndarray,
    total: np.ndarray,
    same: np.ndarray,
    other: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every pair the public rows that may match it, and their weight by item and price."""
    first = np.zeros(len(pair_item) + 1, np.int64)
    row, weight = np.empty(1 << 16, np.int32), np.empty(1 << 16, np.float32)
    count = 0
    for pair in range(len(pair_item)):
        for public in range(len(item)):
            found = same[pair_item[pair]] if item[public] == pair_item[pair] else other
            if found < NEGLIGIBLE:
                continue
            known = pair_price[pair]
            found *= price[known, price_place[public]] * usual[known, usual_place[public]]
            found /= total[public]
            if found < NEGLIGIBLE:
                continue
            if count == len(row):
                row = np.append(row, np.empty_like(row))
                weight = np.append(weight, np.empty_like(weight))
            row[count], weight[count] = public, found
            count += 1
        first[pair + 1] = count
    return first, row[:count].copy(), weight[:count].copy()


@compiled
def row_weight(weights: RowWeights, known: int, entry: int) -> float:
    """The weight of a known row and the public row of an entry in its pair's list."""
    row = weights.row[entry]
    found: float = (
        weights.weight[entry]
        * weights.quantity[weights.known_quantity[known], weights.public_quantity[row]]
        * weights.day[weights.known_day[known], weights.public_day[row]]
        * weights.time[weights.known_time[known], weights.public_time[row]]
    )
    return found
