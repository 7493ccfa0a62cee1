"""First clusters: simulated annealing on a cheap stand-in for the true loss.

    members, dropped = first_clusters(purchases.lengths, pairs, k, gamma, moves, seed)

The stand-in of a cluster with lengths L, shortest m and mean pair cost c is
4 * (sum of (L - m) + k * m * min(1, gamma * c)); a dropped customer costs 4 * L.
"""
# Compiled code has no other random numbers than these; each thread has its own state.
# ruff: noqa: NPY002

from __future__ import annotations

import numpy as np

from tokumei.kernels.aligned.cost import COLUMNS
from tokumei.kernels.aligned.pairs import PairCosts
from tokumei.kernels.compiled import compiled

HOT = 0.02
"""The first temperature as a share of a cluster's mean cost; the last is 1/300 of it."""
COLD = 1 / 300
NOBODY = -1


def first_clusters(
    lengths: np.ndarray, pairs: PairCosts, k: int, gamma: float, moves: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Clusters of k customers, and the customers that are left over."""
    order = np.argsort(-lengths, kind="stable").astype(np.int64)
    clusters = len(order) // k
    empty = np.full(-len(order) % k, NOBODY, np.int64)
    seats = np.concatenate([order, empty]).reshape(-1, k)
    if len(seats) > 1:
        _anneal(lengths, pairs.cost, pairs.partners, seats, clusters, gamma, moves, seed)
    dropped = seats[clusters:].ravel()
    return seats[:clusters].copy(), dropped[dropped != NOBODY]


@compiled
def _anneal(
    lengths: np.ndarray,
    cost: np.ndarray,
    partners: np.ndarray,
    seats: np.ndarray,
    clusters: int,
    gamma: float,
    moves: int,
    seed: int,
) -> None:
    """Exchange customers between the lines of seats; lines from `clusters` on are dropped.

    A move brings a customer into the cluster of one of its best partners.
    """
    np.random.seed(seed)
    k = seats.shape[1]
    line, place = _where(seats, lengths.size)
    pair_sum, value = _values(lengths, cost, seats, clusters, gamma)
    hot = HOT * value[:clusters].sum() / clusters
    heat = hot
    for move in range(moves):
        if move % 1024 == 0:
            heat = hot * COLD ** (move / moves)
        a = np.random.randint(lengths.size)
        g, p = line[a], place[a]
        h, q = line[partners[a, np.random.randint(partners.shape[1])]], np.random.randint(k)
        b = seats[h, q]
        if g == h or b == NOBODY:
            continue
        sum_g, value_g = _after(lengths, cost, seats, pair_sum, value, clusters, gamma, g, p, b)
        sum_h, value_h = _after(lengths, cost, seats, pair_sum, value, clusters, gamma, h, q, a)
        rise = value_g + value_h - value[g] - value[h]
        if rise <= 0 or np.random.random() * heat < heat * np.exp(-rise / max(heat, 1e-300)):
            seats[g, p], seats[h, q] = b, a
            line[a], place[a], line[b], place[b] = h, q, g, p
            value[g], value[h], pair_sum[g], pair_sum[h] = value_g, value_h, sum_g, sum_h


@compiled
def _where(seats: np.ndarray, customers: int) -> tuple[np.ndarray, np.ndarray]:
    """The line and place of each customer."""
    line, place = np.empty(customers, np.int64), np.empty(customers, np.int64)
    for g in range(seats.shape[0]):
        for p in range(seats.shape[1]):
            if seats[g, p] != NOBODY:
                line[seats[g, p]] = g
                place[seats[g, p]] = p
    return line, place


@compiled
def _values(
    lengths: np.ndarray, cost: np.ndarray, seats: np.ndarray, clusters: int, gamma: float
) -> tuple[np.ndarray, np.ndarray]:
    """The sum of pair costs and the stand-in cost of each line (of dropped customers: 0)."""
    pair_sum, value = np.zeros(len(seats)), np.zeros(len(seats))
    for g in range(clusters):
        for p in range(seats.shape[1]):
            pair_sum[g] += _link(cost, seats[g], p, seats[g, p]) / 2
        value[g] = _stand_in(lengths, seats[g], pair_sum[g], 0, seats[g, 0], gamma)
    return pair_sum, value


@compiled
def _after(
    lengths: np.ndarray,
    cost: np.ndarray,
    seats: np.ndarray,
    pair_sum: np.ndarray,
    value: np.ndarray,
    clusters: int,
    gamma: float,
    g: int,
    p: int,
    newcomer: int,
) -> tuple[float, float]:
    """The sum of pair costs and the stand-in cost of a line with the newcomer in one place."""
    leaver = seats[g, p]
    if g >= clusters:
        return 0.0, value[g] + COLUMNS * float(lengths[newcomer] - lengths[leaver])
    total = pair_sum[g] + _link(cost, seats[g], p, newcomer) - _link(cost, seats[g], p, leaver)
    return total, _stand_in(lengths, seats[g], total, p, newcomer, gamma)


@compiled
def _link(cost: np.ndarray, members: np.ndarray, place: int, customer: int) -> float:
    """The pair costs of a customer with all members but the one at a place."""
    total = 0.0
    for p in range(members.size):
        if p != place:
            total += cost[customer, members[p]]
    return total


@compiled
def _stand_in(
    lengths: np.ndarray,
    members: np.ndarray,
    pair_sum: float,
    place: int,
    newcomer: int,
    gamma: float,
) -> float:
    """The stand-in cost of the members with the newcomer in one place."""
    rows, least, k = 0, lengths[newcomer], members.size
    for p in range(k):
        length = lengths[members[p] if p != place else newcomer]
        rows += length
        least = min(least, length)
    mean = 2.0 * pair_sum / (k * (k - 1))
    return float(COLUMNS * (rows - k * least * (1.0 - min(1.0, gamma * mean))))
