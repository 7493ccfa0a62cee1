"""Histories and releases to attack: look-alikes of any size, and items hidden in random sets."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta

import numpy as np
import polars as pl

from tokumei.core.randomness import Randomness, digit_pseudonyms
from tokumei.histories.data.generalized_history import (
    DELETED,
    GeneralHistory,
    IntervalCells,
    ItemSets,
)
from tokumei.histories.data.history import NUMBERS, History
from tokumei.histories.data.release import HistoryRelease


def random_history(*, customers=60, items=40, most=14, seed=0) -> History:
    """Customers with a few to many rows, popular and rare items."""
    draw = np.random.default_rng(seed)
    owner = np.repeat(np.arange(customers), draw.integers(2, most, customers))
    owner = draw.permutation(owner)
    item = np.minimum(draw.geometric(0.08, len(owner)), items)
    days = draw.integers(0, 200, len(owner))
    return History.of(
        pl.DataFrame(
            {
                "customer": [f"c{number}" for number in owner],
                "day": [date(2011, 1, 1) + timedelta(days=int(day)) for day in days],
                "item": [f"i{number}" for number in item],
                "price": (item * 37 % 500 + 50) / 100,
                "quantity": draw.integers(1, 13, len(owner)),
            }
        )
    )


def hide_items(history: History, *, largest: int, keep: float = 1.0, seed: int) -> HistoryRelease:
    """Every item in a random set of up to `largest`; a share `keep` of the rows is left."""
    draw = np.random.default_rng(seed)
    rows, items = history.rows, len(history.item_names)
    size = draw.integers(1, largest + 1, rows)
    members = draw.integers(0, items, size.sum())
    members[np.cumsum(size) - size] = history.item_codes
    # Sorting is many times faster than np.unique, which hashes whole numbers.
    key = np.sort(np.repeat(np.arange(rows), size) * items + members)
    key = key[np.flatnonzero(np.diff(key, prepend=-1))]
    start = np.searchsorted(key, np.arange(rows + 1) * items)
    code = np.where(draw.random(rows) < keep, np.arange(rows), DELETED)
    never = np.zeros(rows, dtype=bool)
    cells = {name: IntervalCells(code, *[history.numbers(name)] * 2, never) for name in NUMBERS}
    people = digit_pseudonyms(history.customers, rng=Randomness(seed))
    person = np.where(code == DELETED, DELETED, history.customer_codes)
    sets = ItemSets(code, start, key % items, history.item_names)
    general = GeneralHistory(person, people, item=sets, decimals=history.decimals, **cells)
    return HistoryRelease(general, history.customers)


def in_customer_order(release: HistoryRelease) -> HistoryRelease:
    """A careless release: the pseudonyms rise in the order of the customers."""
    names = pl.Series([str(100_000 + n) for n in range(len(release.customers))])
    return dataclasses.replace(release, rows=dataclasses.replace(release.rows, pseudonyms=names))


def shuffled(history: History, seed: int) -> History:
    """The same purchases in another file order."""
    return history.take(np.random.default_rng(seed).permutation(history.rows))


def hits(guess, release: HistoryRelease) -> int:
    """How many answers are right."""
    right = release.truth()
    keys = {"left_on": ["pid", "cid"], "right_on": ["pseudonym", "customer"]}
    return guess.frame().join(right, how="semi", **keys).height
