"""Attacks by votes: order of appearance, unique rows, item sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.protocol import (
    HistoryAttacker,
    lower_shared_confidence,
    pick_most_votes,
)
from tokumei.histories.attackers.released_rows import (
    ReleasedRows,
    distinct_released_rows,
    list_pseudonyms,
    parse_public_rows,
)
from tokumei.histories.data.generalized_history import GeneralHistory, ItemSets
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class OrderOfAppearance(HistoryAttacker):
    """The n-th pseudonym to appear is the n-th customer to appear.

    It gains nothing unless a release leaks the order of the original.
    """

    name: ClassVar[str] = "first"
    title: ClassVar[Message] = Message("Order of appearance")
    sentence: ClassVar[Message] = Message(
        "Takes the n-th pseudonym to appear for the n-th customer to appear."
    )
    needs: ClassVar[tuple[str, ...]] = ("customer",)

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Pair by order; pseudonyms beyond the last known customer get no answer."""
        pseudonyms, customers = list_pseudonyms(public), known.customers
        places = np.arange(len(pseudonyms))
        places[len(customers) :] = -1
        confidence = np.full(len(places), 1 / max(len(customers), 1))
        return HistoryGuess.of_places(pseudonyms, customers, places, confidence)


@dataclass(frozen=True)
class UniqueRows(HistoryAttacker):
    """Plain rows of exactly one known customer vote for that customer; no vote, no answer."""

    name: ClassVar[str] = "unique-rows"
    title: ClassVar[Message] = Message("Unique exact rows")
    sentence: ClassVar[Message] = Message(
        "Counts released rows that exactly one known customer has, and names the one with the most."
    )
    needs: ClassVar[tuple[str, ...]] = ("day", "item", "price", "quantity")

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Most votes win; the share of the votes is the confidence."""
        general = parse_public_rows(public, known)
        cells = known.columns[1:]
        votes = _ungeneralized_rows(general, cells).join(
            _rows_of_one_customer(known), on=cells, how="inner"
        )
        shape = (len(general.pseudonyms), len(known.customers))
        places = votes["person"].to_numpy() * shape[1] + votes["customer"].to_numpy()
        table = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
        answers, _ = pick_most_votes(table, rng=rng.child(self.name))
        share = table.max(axis=1, initial=0) / np.maximum(table.sum(axis=1), 1)
        confidence = lower_shared_confidence(answers, share)
        return HistoryGuess.of_places(general.pseudonyms, known.customers, answers, confidence)


def _rows_of_one_customer(known: History) -> pl.DataFrame:
    """The rows that exactly one customer has, with the customer's place."""
    sets = {name: known.places(name) for name in ("item", *known.set_values)}
    numbers = {name: known.numbers(name) for name in known.number_columns}
    rows = pl.DataFrame({"customer": known.customer_codes} | sets | numbers)
    owners = rows.group_by(known.columns[1:]).agg(pl.col("customer").unique())
    return owners.filter(pl.col("customer").list.len() == 1).explode("customer")


def _ungeneralized_rows(general: GeneralHistory, columns: Sequence[str]) -> pl.DataFrame:
    """The released rows of which every cell is one value."""
    plain, cells = general.kept, {"person": general.person}
    for name in columns:
        column_cells = general.cells(name)
        if isinstance(column_cells, ItemSets):
            single = column_cells.sizes == 1
            value = np.zeros(len(single), dtype=np.int64)
            value[single] = column_cells.members[column_cells.start[:-1][single]]
        else:
            single, value = (
                (column_cells.low == column_cells.high) & ~column_cells.star,
                column_cells.low,
            )
        plain = plain & single[column_cells.code]
        cells[name] = value[column_cells.code]
    return pl.DataFrame(cells).filter(pl.Series(plain))


_CHUNK_ROWS = 5000


@dataclass(frozen=True)
class ItemSetOverlap(HistoryAttacker):
    """The customer who bought an item of the most released rows; days and numbers unused."""

    name: ClassVar[str] = "item-sets"
    title: ClassVar[Message] = Message("Item-set intersection")
    sentence: ClassVar[Message] = Message(
        "Names the customer who has bought something from the item sets of most released rows."
    )
    needs: ClassVar[tuple[str, ...]] = ("item",)

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Count the rows each customer could explain by items; ties by lot."""
        released = distinct_released_rows(parse_public_rows(public, known), numbers=False)
        votes = count_explained_rows(released, known)
        answers, tied = pick_most_votes(votes, rng=rng.child(self.name))
        confidence = lower_shared_confidence(answers, 1 / tied)
        return HistoryGuess.of_places(released.pseudonyms, known.customers, answers, confidence)


def count_explained_rows(released: ReleasedRows, known: History) -> np.ndarray:
    """For every pseudonym and customer the released rows whose set the customer bought of."""
    sets, bought = (
        _set_item_matrix(released.sets),
        _item_customer_matrix(known, len(released.sets.names)),
    )
    stars = released.sets.sizes[released.item_set] == 0
    total = np.repeat((released.owners @ (released.times * stars))[:, None], bought.shape[1], 1)
    for first in range(0, len(released.times), _CHUNK_ROWS):
        part = slice(first, first + _CHUNK_ROWS)
        overlap = sets[released.item_set[part]] @ bought
        overlap.data = np.repeat(released.times[part].astype(float), np.diff(overlap.indptr))
        total += (released.owners[:, part] @ overlap).toarray()
    return np.asarray(total)


def _set_item_matrix(sets: ItemSets) -> csr_array:
    """Sets × items."""
    ones = np.ones(len(sets.members))
    return csr_array((ones, sets.members, sets.start), shape=(len(sets.sizes), len(sets.names)))


def _item_customer_matrix(known: History, items: int) -> csr_array:
    """Items × customers."""
    customers = len(known.customers)
    item, customer = np.divmod(
        np.unique(known.item_codes * customers + known.customer_codes), customers
    )
    return csr_array((np.ones(len(item)), (item, customer)), shape=(items, customers))
