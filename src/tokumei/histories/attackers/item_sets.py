"""Item-set intersection: who bought something out of every released set?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from tokumei.core.randomness import Randomness
from tokumei.core.text import Text
from tokumei.histories.attackers.answers import most_votes, not_crowded
from tokumei.histories.attackers.protocol import HistoryAttacker
from tokumei.histories.attackers.released_rows import ReleasedRows, read_released, released_rows
from tokumei.histories.data.general import ItemSets
from tokumei.histories.data.guess import HistoryGuess
from tokumei.histories.data.history import History

_CHUNK = 5000


@dataclass(frozen=True)
class ItemSetOverlap(HistoryAttacker):
    """The customer who bought an item of the most released rows; days and numbers unused."""

    name: ClassVar[str] = "item-sets"
    title: ClassVar[Text] = Text("Item-set intersection", "商品集合の共通部分")
    sentence: ClassVar[Text] = Text(
        "Names the customer who bought an item of the most released rows.",
        "公開された行の商品集合と、買った商品が最も多く重なる顧客を答えます。",
    )
    needs: ClassVar[tuple[str, ...]] = ("item",)

    def attack(self, public: pl.DataFrame, known: History, *, rng: Randomness) -> HistoryGuess:
        """Count the rows each customer could explain by items; ties by lot."""
        released = released_rows(read_released(public, known), numbers=False)
        votes = explained_rows(released, known)
        answers, tied = most_votes(votes, rng=rng.child(self.name))
        sure = not_crowded(answers, 1 / tied)
        return HistoryGuess.of_places(released.pseudonyms, known.customers, answers, sure)


def explained_rows(released: ReleasedRows, known: History) -> np.ndarray:
    """For every pseudonym and customer the released rows whose set the customer bought of."""
    sets, bought = _members(released.sets), _bought(known, len(released.sets.names))
    stars = released.sets.sizes[released.item_set] == 0
    total = np.repeat((released.owners @ (released.times * stars))[:, None], bought.shape[1], 1)
    for first in range(0, len(released.times), _CHUNK):
        part = slice(first, first + _CHUNK)
        overlap = sets[released.item_set[part]] @ bought
        overlap.data = np.repeat(released.times[part].astype(float), np.diff(overlap.indptr))
        total += (released.owners[:, part] @ overlap).toarray()
    return np.asarray(total)


def _members(sets: ItemSets) -> csr_array:
    """Sets × items."""
    ones = np.ones(len(sets.members))
    return csr_array((ones, sets.members, sets.start), shape=(len(sets.sizes), len(sets.names)))


def _bought(known: History, items: int) -> csr_array:
    """Items × customers."""
    customers = len(known.customers)
    item, who = np.divmod(np.unique(known.item_codes * customers + known.customer_codes), customers)
    return csr_array((np.ones(len(item)), (item, who)), shape=(items, customers))
