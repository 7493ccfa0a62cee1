"""Which rows are deleted: at random, rare items first, or from the heaviest customers first."""

from __future__ import annotations

from typing import Literal

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.exposure import Purchases
from tokumei.pseudonyms.data.noise import half_up

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
    gone[np.lexsort((chance, worth))[: half_up(share, rows)]] = True
    return gone


def _worth(purchases: Purchases, order: Order, chance: np.ndarray) -> np.ndarray:
    """What goes first is worth least."""
    if order == "rare-items":
        rare: np.ndarray = purchases.buyers()[purchases.item]
        return rare
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
