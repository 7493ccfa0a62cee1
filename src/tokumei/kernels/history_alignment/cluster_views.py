"""Views of all clusters: initial assignment of customers, and promising exchanges.

members, dropped = first_clusters(purchases.lengths, pairs, k, gamma, moves, seed)
view = Outlook.of(lengths, pair_cost, members, cost, slots)
score, other = view.promising(cost, changed, tried)
view.learn(exchanges, seen, share=0.5)
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from tokumei.kernels.history_alignment.customer_pairs import PairCosts
from tokumei.kernels.history_alignment.row_aligner import TWISTER_WORDS
from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_arrays, require_that

NOBODY = -1
KEPT_EXCHANGES = 4
"""Exchanges remembered for each customer."""
MOVES_PER_STRETCH = 1 << 20
"""Moves at a stretch: in between, Ctrl-C is heard."""


class Seats(NamedTuple):
    """Customers in lines of seats, and room for what is known of the lines."""

    lengths: Annotated[np.ndarray, "int64[n]"]
    cost: Annotated[np.ndarray, "float32[n, n]"]
    partners: Annotated[np.ndarray, "int32[n, partners] 0..n"]
    seats: Annotated[np.ndarray, "int64[lines, k] -1..n"]
    line: Annotated[np.ndarray, "int64[n]"]
    place: Annotated[np.ndarray, "int64[n]"]
    pair_sum: Annotated[np.ndarray, "float64[lines]"]
    value: Annotated[np.ndarray, "float64[lines]"]
    twister: Annotated[np.ndarray, f"uint32[{TWISTER_WORDS}]"]


def first_clusters(
    lengths: np.ndarray, pairs: PairCosts, k: int, gamma: float, moves: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Clusters of k customers, and the customers that are left over."""
    order = np.argsort(-lengths, kind="stable").astype(np.int64)
    clusters = len(order) // k
    empty = np.full(-len(order) % k, NOBODY, np.int64)
    seats = np.concatenate([order, empty]).reshape(-1, k)
    if len(seats) > 1:
        line, place = np.empty((2, len(order)), np.int64)
        sums, value = np.zeros((2, len(seats)))
        twister = np.empty(TWISTER_WORDS, np.uint32)
        seating = Seats(
            lengths, pairs.cost, pairs.partners, seats, line, place, sums, value, twister
        )
        require_that(require_arrays(seating)["partners"] > 0 and k > 1, "nobody to sit with")
        _anneal_seats(seating, clusters, gamma, moves, seed)
    dropped = seats[clusters:].ravel()
    return seats[:clusters].copy(), dropped[dropped != NOBODY]


def _anneal_seats(seating: Seats, clusters: int, gamma: float, moves: int, seed: int) -> None:
    kernel = load("history_alignment")
    seats = kernel.Seats(*seating, clusters, gamma)
    kernel.prepare_seats(seats, seed & 0xFFFFFFFF)
    for first in range(0, moves, MOVES_PER_STRETCH):
        kernel.exchange_seats(seats, first, min(first + MOVES_PER_STRETCH, moves), moves)


class Outlook(NamedTuple):
    """What predictions need to know of the clusters."""

    lengths: Annotated[np.ndarray, "int64[n] 1.."]
    pair_cost: Annotated[np.ndarray, "float32[n, n]"]
    members: Annotated[np.ndarray, "int64[clusters, k] 0..n"]
    line: Annotated[np.ndarray, "int64[n] 0..clusters+1"]
    """The cluster of each customer; the number of clusters for the dropped ones."""
    link: Annotated[np.ndarray, "float64[clusters, n]"]
    """Sum of the pair costs of all members of each cluster (line) with a customer (column)."""
    home: Annotated[np.ndarray, "float64[n]"]
    """The link of each customer to its own cluster."""
    away: Annotated[np.ndarray, "float64[clusters]"]
    """Room for the links of one customer."""
    inner: Annotated[np.ndarray, "float64[clusters]"]
    """Sum of the pair costs inside each cluster."""
    rows: Annotated[np.ndarray, "int64[clusters]"]
    low: Annotated[np.ndarray, "int64[clusters, 2]"]
    """The two shortest lengths in each cluster."""
    matched: Annotated[np.ndarray, "float64[clusters]"]
    """What the groups of each cluster cost without deleted rows."""
    rate: Annotated[np.ndarray, "float64[clusters]"]

    @classmethod
    def of(
        cls,
        lengths: np.ndarray,
        pair_cost: np.ndarray,
        members: np.ndarray,
        cost: np.ndarray,
        slots: np.ndarray,
    ) -> Outlook:
        """Sum up the clusters."""
        n, clusters = len(lengths), len(members)
        view = cls(
            *(lengths, pair_cost, members, np.full(n, clusters), np.zeros((clusters, n))),
            *(np.zeros(n), np.zeros(clusters), np.zeros(clusters), np.zeros(clusters, np.int64)),
            np.full((clusters, 2), np.iinfo(np.int64).max),
            *np.empty((2, clusters)),
        )
        sizes = require_arrays(view)
        require_array("cost", cost, "float64[clusters]", sizes)
        require_array("slots", slots, "int64[clusters] 1..", sizes)
        load("history_alignment").look(view._to_compiled(), cost, slots)
        return view

    def promising(
        self, cost: np.ndarray, changed: np.ndarray, tried: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """For each customer the exchanges with the least predicted rise, relative to the matched.

        `tried[a, b]` says when an exchange was last refused and `changed[g]` when a cluster last
        changed: nothing is proposed again as long as both clusters stay the same.
        """
        sizes = require_arrays(self)
        require_array("cost", cost, "float64[clusters]", sizes)
        require_array("changed", changed, "int32[clusters+1]", sizes)
        require_array("tried", tried, "int32[n, n]", sizes)
        score, other = (
            np.full((sizes["n"], KEPT_EXCHANGES), np.inf),
            np.full((sizes["n"], KEPT_EXCHANGES), -1),
        )
        load("history_alignment").promising(self._to_compiled(), cost, changed, tried, score, other)
        return score, other

    def learn(self, exchanges: np.ndarray, seen: np.ndarray, share: float) -> None:
        """Correct the newcomers' pair costs by a share of what exchanges showed to be wrong."""
        sizes = require_arrays(self)
        exchanges = np.ascontiguousarray(exchanges)
        require_array("exchanges", exchanges, "int64[tries, 4] 0..", sizes)
        require_array("seen", seen, "float64[tries, 2]", sizes)
        require_that((exchanges[:, :2] < sizes["n"]).all(), "exchanges: no such customer")
        load("history_alignment").learn(self._to_compiled(), exchanges, seen, share)

    def _to_compiled(self) -> object:
        return load("history_alignment").Outlook(*self)
