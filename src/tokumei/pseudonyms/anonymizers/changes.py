"""What a release does to rows before they get pseudonyms: new cells, other items, deletion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.cells import codes_in
from tokumei.core.randomness import Randomness, text_pseudonyms
from tokumei.pseudonyms.anonymizers.lifetimes import Purchases
from tokumei.pseudonyms.data import noise
from tokumei.pseudonyms.data.rows import PeriodRows

Day = int | Literal["keep", "random"]
Time = Literal["keep", "hour", "constant", "random"]
Invoice = Literal["blank", "renumber", "keep"]
NOON = 12 * 60
BLANK = "0"


@dataclass(frozen=True)
class CellChanges:
    """The changes of every column; cells that are not to change keep their spelling."""

    day: Day
    day_shift: int
    time: Time
    time_shift: int
    price_noise: float
    quantity_noise: int
    invoice: Invoice

    def apply(self, rows: PeriodRows, *, rng: Randomness) -> pl.DataFrame:
        """All cells of the rows, changed."""
        changed = [
            self._days(rows, rng.child("day")),
            self._times(rows, rng.child("time")),
            self._prices(rows, rng.child("price")),
            self._quantities(rows, rng.child("quantity")),
            self._invoices(rows, rng.child("invoice")),
        ]
        return rows.cells.with_columns(changed)

    def _days(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.day == "random":
            return noise.day_text(noise.random_days(rows.days, rng))
        if self.day != "keep":
            return noise.day_text(noise.fixed_days(rows.days, self.day))
        if self.day_shift:
            return noise.day_text(noise.shifted("day", rows.days, self.day_shift, rng))
        return rows.cells["day"]

    def _times(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if self.time_shift:
            return noise.time_text(noise.shifted("time", rows.minutes, self.time_shift, rng))
        if self.time == "keep":
            return rows.cells["time"]
        if self.time == "hour":
            return noise.time_text(rows.minutes // 60 * 60)
        if self.time == "constant":
            return noise.time_text(np.full(rows.rows, NOON))
        return noise.time_text(rng.generator.integers(0, noise.LAST_MINUTE + 1, rows.rows))

    def _prices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.price_noise:
            return rows.cells["price"]
        return noise.price_text(noise.scaled_prices(rows.prices, self.price_noise, rng))

    def _quantities(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        if not self.quantity_noise:
            return rows.cells["quantity"]
        moved = noise.shifted("quantity", rows.quantities, self.quantity_noise, rng)
        return noise.quantity_text(moved)

    def _invoices(self, rows: PeriodRows, rng: Randomness) -> pl.Series:
        old = rows.cells["invoice"]
        if self.invoice == "keep":
            return old
        if self.invoice == "blank":
            return pl.repeat(BLANK, rows.rows, dtype=pl.String, eager=True).alias("invoice")
        names = old.unique().sort()
        new = text_pseudonyms(len(names), taken=names, rng=rng)
        return new.gather(codes_in(old, names)).alias("invoice")


Likeness = Literal["prefix", "bought-together"]
NEIGHBOURS = 10
_BLOCK = 512


def replaced_items(
    purchases: Purchases,
    names: pl.Series,
    *,
    share: float,
    like: Likeness,
    prefix: int,
    rng: Randomness,
) -> np.ndarray:
    """The items of all rows, in that share of them another one (an item unlike any stays)."""
    rows = len(purchases.item)
    chosen = rng.child("rows").permutation(rows)[: noise.half_up(share, rows)]
    chance = rng.child("choice").generator.random(len(chosen))
    items = purchases.item.copy()
    old = items[chosen]
    if like == "prefix":
        items[chosen] = _same_prefix(old, names, prefix, chance)
    else:
        items[chosen] = _bought_together(purchases, old, chance)
    return items


def _same_prefix(old: np.ndarray, names: pl.Series, prefix: int, chance: np.ndarray) -> np.ndarray:
    """Any other item that begins alike; names are sorted, so these stand side by side."""
    _, group, size = np.unique(
        names.str.head(prefix).to_numpy(), return_inverse=True, return_counts=True
    )
    start = (np.cumsum(size) - size)[group[old]]
    others = size[group[old]] - 1
    place = start + np.minimum((chance * others).astype(np.int64), np.maximum(others - 1, 0))
    # The item itself is left out: what comes after it moves one on.
    return np.where(others > 0, place + (place >= old), old)


def _bought_together(purchases: Purchases, old: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """One of the items whose buyers are most alike (cosine), all equally likely."""
    wanted, place = np.unique(old, return_inverse=True)
    near, number = _neighbours(purchases, wanted)
    pick = (chance * number[place]).astype(np.int64)
    return np.where(number[place] > 0, near[place, pick], old)


def _neighbours(purchases: Purchases, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest items of every wanted one (ties: the smaller code), and how many they are."""
    pair = np.unique(purchases.item * purchases.people + purchases.person)
    item, person = np.divmod(pair, purchases.people)
    shape = (purchases.items, purchases.people)
    buyers = sparse.csr_array((np.ones(len(pair)), (item, person)), shape=shape)
    length = np.sqrt(np.maximum(np.bincount(item, minlength=purchases.items), 1))
    most = min(NEIGHBOURS, purchases.items)
    near = np.zeros((len(wanted), most), dtype=np.int64)
    number = np.zeros(len(wanted), dtype=np.int64)
    for first in range(0, len(wanted), _BLOCK):
        block = wanted[first : first + _BLOCK]
        alike = (buyers[block] @ buyers.T).toarray() / length
        alike[np.arange(len(block)), block] = 0.0
        best = np.argsort(-alike, axis=1, kind="stable")[:, :most]
        near[first : first + len(block)] = best
        number[first : first + len(block)] = (np.take_along_axis(alike, best, 1) > 0).sum(axis=1)
    return near, number


Order = Literal["random", "rare-items", "heavy-customers"]


def deleted_rows(
    purchases: Purchases, share: float, order: Order, *, rng: Randomness
) -> np.ndarray:
    """Exactly that share of the rows (halves rounded up), as a choice by bool.

    rare-items: items with the fewest buyers first. heavy-customers: always a row of the customer
    who has the most rows left. What is equal is decided by chance.
    """
    rows = len(purchases.person)
    gone = np.zeros(rows, dtype=bool)
    chance = rng.permutation(rows)
    worth = _worth(purchases, order, chance)
    gone[np.lexsort((chance, worth))[: noise.half_up(share, rows)]] = True
    return gone


def _worth(purchases: Purchases, order: Order, chance: np.ndarray) -> np.ndarray:
    """What goes first is worth least."""
    if order == "rare-items":
        return np.asarray(purchases.buyers()[purchases.item])
    if order == "heavy-customers":
        return -_place(purchases.person, chance)
    return np.zeros(len(purchases.person))


def _place(person: np.ndarray, chance: np.ndarray) -> np.ndarray:
    """The place of every row among its customer's, in random order.

    The row in place r is the one to go when its customer has r rows left.
    """
    order = np.lexsort((chance, person))
    counts = np.bincount(person)
    start = np.repeat(np.cumsum(counts) - counts, counts)
    place = np.empty(len(person), dtype=np.int64)
    place[order] = np.arange(len(person)) - start
    return place


FAR = 4.0
"""Standard deviations from the original's mean beyond which a number is singular."""


def singular_rows(source: PeriodRows, changed: PeriodRows, bought: Purchases) -> np.ndarray:
    """The rows to delete so that none of those left stands out; `bought` are all changed rows.

    Deleting a row may leave an item with one buyer, so it goes on until nothing changes.
    """
    gone = ~changed.kept
    for before, after in ((source.prices, changed.prices), (source.quantities, changed.quantities)):
        gone |= np.abs(after - before.mean()) > FAR * before.std()
    while True:
        alone = ~gone & (bought.take(~gone).buyers()[bought.item] < 2)
        if not alone.any():
            return gone
        gone |= alone
