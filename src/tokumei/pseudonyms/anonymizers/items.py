"""Replacing items by similar ones: the same first characters, or often bought by the same people.

items = replaced_items(purchases, names, share=0.1, like="prefix", prefix=2, rng=rng)
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.exposure import Purchases
from tokumei.pseudonyms.data.noise import half_up

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
    chosen = rng.child("rows").permutation(rows)[: half_up(share, rows)]
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
