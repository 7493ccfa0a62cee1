"""Changes rows before they get pseudonyms: noise on cells, other items, deletion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.generalized_cells import positions_in
from tokumei.core.randomness import Randomness, text_pseudonyms
from tokumei.pseudonyms.anonymizers.lifetimes import PurchaseCodes
from tokumei.pseudonyms.data import noise
from tokumei.pseudonyms.data.purchase_text_cells import PeriodRows

DayChange = int | Literal["keep", "random"]
TimeChange = Literal["keep", "hour", "constant", "random"]
InvoiceChange = Literal["blank", "renumber", "keep"]
NOON = 12 * 60
BLANK_INVOICE = "0"


@dataclass(frozen=True)
class CellChanges:
    """The changes of every column; cells that are not to change keep their spelling."""

    day: DayChange
    day_shift: int
    time: TimeChange
    time_shift: int
    price_noise: float
    quantity_noise: int
    invoice: InvoiceChange

    def apply(self, rows: PeriodRows, *, rng: Randomness) -> pl.DataFrame:
        """All cells of the rows, changed."""
        changed = [
            self._change_days(rows, rng.child("day")),
            self._change_times(rows, rng.child("time")),
            self._change_prices(rows, rng.child("price")),
            self._change_quantities(rows, rng.child("quantity")),
            self._change_invoices(rows, rng.child("invoice")),
        ]
        return rows.cells.with_columns(changed)

    def _change_days(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.day == "random":
            return noise.format_days(noise.draw_days_in_month(rows.days, rng))
        if self.day != "keep":
            return noise.format_days(noise.set_day_of_month(rows.days, self.day))
        if self.day_shift:
            return noise.format_days(noise.shift_values("day", rows.days, self.day_shift, rng))
        return rows.cells["day"]

    def _change_times(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.time_shift:
            return noise.format_times(
                noise.shift_values("time", rows.minutes, self.time_shift, rng)
            )
        if self.time == "keep":
            return rows.cells["time"]
        if self.time == "hour":
            return noise.format_times(rows.minutes // 60 * 60)
        if self.time == "constant":
            return noise.format_times(np.full(rows.rows, NOON))
        return noise.format_times(rng.generator.integers(0, noise.LAST_MINUTE + 1, rows.rows))

    def _change_prices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.price_noise:
            return rows.cells["price"]
        return noise.format_prices(noise.scale_prices(rows.prices, self.price_noise, rng))

    def _change_quantities(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.quantity_noise:
            return rows.cells["quantity"]
        moved = noise.shift_values("quantity", rows.quantities, self.quantity_noise, rng)
        return noise.format_quantities(moved)

    def _change_invoices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        old = rows.cells["invoice"]
        if self.invoice == "keep":
            return old
        if self.invoice == "blank":
            return pl.repeat(BLANK_INVOICE, rows.rows, dtype=pl.String, eager=True).alias("invoice")
        names = old.unique().sort()
        new = text_pseudonyms(len(names), taken=names, rng=rng)
        return new.gather(positions_in(old, names)).alias("invoice")


ItemSimilarity = Literal["prefix", "bought-together"]
NEIGHBOUR_COUNT = 10
_BLOCK_ITEMS = 512


def replace_items(
    purchases: PurchaseCodes,
    names: pl.Series,
    *,
    share: float,
    like: ItemSimilarity,
    prefix: int,
    rng: Randomness,
) -> np.ndarray:
    """The items of all rows, in that share of them another one (an item unlike any stays)."""
    rows = len(purchases.item)
    chosen = rng.child("rows").permutation(rows)[: noise.round_half_up(share, rows)]
    chance = rng.child("choice").generator.random(len(chosen))
    items = purchases.item.copy()
    old = items[chosen]
    if like == "prefix":
        items[chosen] = _replace_by_prefix(old, names, prefix, chance)
    else:
        items[chosen] = _replace_by_co_purchase(purchases, old, chance)
    return items


def _replace_by_prefix(
    old: np.ndarray, names: pl.Series, prefix: int, chance: np.ndarray
) -> np.ndarray:
    """Any other item that begins alike; names are sorted, so these stand side by side."""
    _, group, size = np.unique(
        names.str.head(prefix).to_numpy(), return_inverse=True, return_counts=True
    )
    start = (np.cumsum(size) - size)[group[old]]
    others = size[group[old]] - 1
    place = start + np.minimum((chance * others).astype(np.int64), np.maximum(others - 1, 0))
    # The item itself is left out: what comes after it moves one on.
    return np.where(others > 0, place + (place >= old), old)


def _replace_by_co_purchase(
    purchases: PurchaseCodes, old: np.ndarray, chance: np.ndarray
) -> np.ndarray:
    """One of the items whose buyers are most alike (cosine), all equally likely."""
    old_items, place = np.unique(old, return_inverse=True)
    near, number = _nearest_items(purchases, old_items)
    pick = (chance * number[place]).astype(np.int64)
    return np.where(number[place] > 0, near[place, pick], old)


def _nearest_items(
    purchases: PurchaseCodes, query_items: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest items of every wanted one (ties: the smaller code), and how many they are."""
    pair = np.unique(purchases.item * purchases.people + purchases.person)
    item, person = np.divmod(pair, purchases.people)
    shape = (purchases.items, purchases.people)
    buyers = sparse.csr_array((np.ones(len(pair)), (item, person)), shape=shape)
    length = np.sqrt(np.maximum(np.bincount(item, minlength=purchases.items), 1))
    most = min(NEIGHBOUR_COUNT, purchases.items)
    nearest = np.zeros((len(query_items), most), dtype=np.int64)
    neighbour_counts = np.zeros(len(query_items), dtype=np.int64)
    for first in range(0, len(query_items), _BLOCK_ITEMS):
        block = query_items[first : first + _BLOCK_ITEMS]
        similarity = (buyers[block] @ buyers.T).toarray() / length
        similarity[np.arange(len(block)), block] = 0.0
        best = np.argsort(-similarity, axis=1, kind="stable")[:, :most]
        nearest[first : first + len(block)] = best
        neighbour_counts[first : first + len(block)] = (
            np.take_along_axis(similarity, best, 1) > 0
        ).sum(axis=1)
    return nearest, neighbour_counts


DeletionOrder = Literal["random", "rare-items", "heavy-customers"]


def choose_deleted_rows(
    purchases: PurchaseCodes, share: float, order: DeletionOrder, *, rng: Randomness
) -> np.ndarray:
    """Exactly that share of the rows (halves rounded up), as a choice by bool.

    rare-items: items with the fewest buyers first. heavy-customers: always a row of the customer
    who has the most rows left. What is equal is decided by chance.
    """
    rows = len(purchases.person)
    deleted = np.zeros(rows, dtype=bool)
    chance = rng.permutation(rows)
    priority = _deletion_priority(purchases, order, chance)
    deleted[np.lexsort((chance, priority))[: noise.round_half_up(share, rows)]] = True
    return deleted


def _deletion_priority(
    purchases: PurchaseCodes, order: DeletionOrder, chance: np.ndarray
) -> np.ndarray:
    """What goes first is worth least."""
    if order == "rare-items":
        return np.asarray(purchases.buyers()[purchases.item])
    if order == "heavy-customers":
        return -_rank_within_customer(purchases.person, chance)
    return np.zeros(len(purchases.person))


def _rank_within_customer(person: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """The place of every row among its customer's, in random order.

    The row in place r is the one to go when its customer has r rows left.
    """
    order = np.lexsort((chance, person))
    counts = np.bincount(person)
    start = np.repeat(np.cumsum(counts) - counts, counts)
    place = np.empty(len(person), dtype=np.int64)
    place[order] = np.arange(len(person)) - start
    return place


MAX_DEVIATIONS = 4.0
"""Standard deviations from the original's mean beyond which a number is singular."""


def find_outlier_rows(source: PeriodRows, changed: PeriodRows, bought: PurchaseCodes) -> np.ndarray:
    """The rows to delete so that none of those left stands out; `bought` are all changed rows.

    Deleting a row may leave an item with one buyer, so it goes on until nothing changes.
    """
    deleted = ~changed.kept
    for before, after in ((source.prices, changed.prices), (source.quantities, changed.quantities)):
        deleted |= np.abs(after - before.mean()) > MAX_DEVIATIONS * before.std()
    while True:
        single_buyer = ~deleted & (bought.take(~deleted).buyers()[bought.item] < 2)
        if not single_buyer.any():
            return deleted
        deleted |= single_buyer
