"""How much likelier a known row is, given a public row it may come from: for one month.

    month = month_rows(sides, 3)
    weights = row_weights(month, shares, same_item)

The weight is the product over item, price, quantity, day and time; its mean over the known rows of
the month is about one. Item and price exclude most public rows, so every (item, price) pair of the
known rows has a list of those that remain.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.evidence.columns import DAY, PRICE, QUANTITY, TIME, USUAL_PRICE, column_table
from tokumei.kernels.evidence.weights import MonthRows, RowWeights, pair_lists, price_totals
from tokumei.pseudonyms.attackers.columns import month_columns
from tokumei.pseudonyms.attackers.sides import Sides


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
