"""Rank and match: the paper's algorithm for k customers with identical histories.

Customers are ranked by their number of rows (most first, ties by first appearance) and cut into
clusters of k; the last n mod k are dropped. Inside each customer rows are sorted by price, then
quantity, descending (ties in file order); the r-th rows of a cluster are generalized together,
as far as its shortest history goes. The paper's text says ascending (`ascending`); its
Tables 5 and 9 come only from descending order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.grouping_method import (
    MERGED_ROWS_STEP,
    PSEUDONYM_STEP,
    GroupingMethod,
)
from tokumei.histories.data.history import History


@dataclass(frozen=True)
class RankMatch(GroupingMethod):
    """k customers of similar activity; their rows matched by rank of price and quantity."""

    name: ClassVar[str] = "rank-match"
    title: ClassVar[Message] = Message("Rank and match (the paper)")
    sentence: ClassVar[Message] = Message(
        "Groups k customers of similar activity and matches their rows by the rank of price and "
        "quantity."
    )
    give_up: ClassVar[bool] = False
    explained: ClassVar[tuple[Message, ...]] = (
        Message(
            "Customers are ranked by how much they buy and put into groups of k neighbours; the "
            "last few who do not fill a group are left out."
        ),
        Message(
            "In each group the rows are sorted by price and quantity; the first row of one is "
            "matched with the first rows of the others, the second with the second, and so on."
        ),
        MERGED_ROWS_STEP,
        PSEUDONYM_STEP,
    )

    k: int = 6
    ascending: bool = field(default=False, kw_only=True)

    def describe(self) -> JsonObject:
        """The method and its parameters; the usual order is not mentioned."""
        description = super().describe()
        if not self.ascending:
            del description["ascending"]
        return description

    def prepare(self, history: History) -> tuple[np.ndarray, np.ndarray]:
        """Row numbers, customers by activity and rows by price and quantity; where each starts."""
        ranked = rank_customers(history.counts)
        place = np.empty(len(ranked), dtype=np.int64)
        place[ranked] = np.arange(len(ranked))
        prices, quantities = history.numbers("price"), history.numbers("quantity")
        sign = 1 if self.ascending else -1
        rows = np.lexsort((sign * quantities, sign * prices, place[history.customer_codes]))
        return rows, np.concatenate([[0], np.cumsum(history.counts[ranked])])

    def groups(self, history: History, *, rng: Randomness, prepared: object = None) -> np.ndarray:
        """Rows of equal rank in a cluster."""
        ranked, start = prepared if isinstance(prepared, tuple) else self.prepare(history)
        sizes = np.diff(start)
        clusters = len(sizes) // self.k
        shortest = sizes[self.k - 1 : clusters * self.k : self.k]
        cluster = np.repeat(np.arange(clusters), shortest)
        rank = np.arange(len(cluster)) - np.repeat(np.cumsum(shortest) - shortest, shortest)
        firsts = start[: clusters * self.k].reshape(clusters, self.k)
        return np.asarray(ranked[firsts[cluster] + rank[:, None]])


def rank_customers(counts: np.ndarray) -> np.ndarray:
    """Customers, given by first appearance, from the most rows to the fewest."""
    return np.argsort(-counts, kind="stable")
