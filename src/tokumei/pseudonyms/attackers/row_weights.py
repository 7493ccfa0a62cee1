"""How much likelier a known row is, given a public row it may come from: for one month.

    month = month_rows(sides, 3)
    weights = row_weights(month, shares, same_item)
    row_weight(weights, k, entry)       # compiled; entry: a place in the list of k's pair

The weight is the product over item, price, quantity, day and time; its mean over the known rows of
the month is about one. Item and price exclude most public rows, so every (item, price) pair of the
known rows has a list of those that remain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.pseudonyms.attackers.columns import Column, column_table, month_columns
from tokumei.pseudonyms.attackers.sides import DAY, PRICE, QUANTITY, TIME, USUAL_PRICE, Sides

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


def month_rows(sides: Sides, month: int) -> MonthRows:
    """The rows of a month that has known and public ones."""
    columns = month_columns(sides, month)
    item = sides.known.item[sides.known.rows(month)]
    pair, (pair_item, pair_price) = _pairs(item, columns[PRICE].known_place)
    basket, (day, time) = _pairs(columns[DAY].known_place, columns[TIME].known_place)
    start = sides.public.starts(month)
    owner = np.repeat(np.arange(len(start) - 1, dtype=np.int32), np.diff(start))
    rarity = 1 / np.maximum(sides.item_share, 1e-4)
    public_item = sides.public.item[sides.public.rows(month)]
    known_start = sides.known.starts(month)
    return MonthRows(
        columns, public_item, rarity, pair, pair_item, pair_price, basket, day, time,
        known_start, start, owner,
    )  # fmt: skip


def _pairs(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Distinct pairs of codes, and every row's place among them."""
    wide = int(right.max()) + 1
    found, place = np.unique(left.astype(np.int64) * wide + right, return_inverse=True)
    return place.astype(np.int32), (found // wide, found % wide)


def row_weights(month: MonthRows, shares: list[np.ndarray], same_item: float) -> RowWeights:
    """The weights under these shares; `same_item`: how often a true pair's items are equal."""
    columns = month.columns
    tables = [column_table(col, part) for col, part in zip(columns, shares, strict=True)]
    price, usual = columns[PRICE], columns[USUAL_PRICE]
    often = np.bincount(price.known_place) / len(price.known_place)
    prices = tables[PRICE], price.public_place, tables[USUAL_PRICE], usual.public_place
    total = price_totals(often, *prices)
    same = same_item * month.item_rarity
    lists = pair_lists(
        month.pair_item, month.pair_price, month.public_item, *prices, total, same, 1 - same_item
    )
    rest = []
    for number in (QUANTITY, DAY, TIME):
        rest += [tables[number], columns[number].known_place, columns[number].public_place]
    return RowWeights(len(month.public_item), month.pair, *lists, *rest)


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
