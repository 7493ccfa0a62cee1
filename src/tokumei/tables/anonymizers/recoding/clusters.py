"""Classes made by clustering tuples: every class is generalized to what its tuples share.

    found = k_member(problem, k=5)
    found.levels[t, j], found.class_of[t], found.loss

A tuple is never divided. The distance of a tuple to a cluster is what joining would add to the
loss: all rows of the cluster are widened.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

BLOCK = 20_000
"""Tuples clustered at once: time grows with their square, so more are cut into blocks."""


@dataclass(frozen=True, eq=False)
class Clustering:
    """Levels (tuples × columns), a class number per tuple, and the mean NCP of a cell."""

    levels: np.ndarray
    class_of: np.ndarray
    loss: float


def clustering(problem: RecodingProblem, class_of: np.ndarray) -> Clustering:
    """Classes numbered anew by their first tuple, each generalized as little as it can be."""
    first, number = np.unique(class_of, return_index=True, return_inverse=True)[1:]
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    classes = rank[number]
    order = np.argsort(classes, kind="stable")
    starts = np.searchsorted(classes[order], np.arange(len(first)))
    shared = [
        _shared_level(up[:, problem.codes[order, j]], starts) for j, up in enumerate(problem.up)
    ]
    levels = np.column_stack(shared)[classes]
    return Clustering(levels, classes, ncp_of(problem, levels))


def _shared_level(nodes: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """For each class the lowest level at which all its tuples have the same node."""
    least = np.minimum.reduceat(nodes, starts, axis=1)
    most = np.maximum.reduceat(nodes, starts, axis=1)
    levels: np.ndarray = (least != most).sum(axis=0)
    return levels


def ncp_of(problem: RecodingProblem, levels: np.ndarray) -> float:
    """The mean cost of a cell when every tuple has its own levels."""
    cost = np.zeros(len(levels))
    for j, table in enumerate(problem.cost):
        cost += table[levels[:, j], problem.codes[:, j]]
    return float(cost @ problem.counts) / (problem.rows * problem.columns)


def shared_levels(up: np.ndarray, leaf: int, others: np.ndarray) -> np.ndarray:
    """The lowest level at which a leaf and each other one have the same node.

    Levels are nested: it is the number of levels at which they differ.
    """
    if up.shape[1] <= len(others):
        levels: np.ndarray = (up != up[:, [leaf]]).sum(axis=0)[others]
    else:
        levels = (up[:, others] != up[:, [leaf]]).sum(axis=0)
    return levels


class Pool:
    """Clusters as arrays: a leaf and a level per column, rows, and the cost of a row."""

    def __init__(self, problem: RecodingProblem, seeds: np.ndarray) -> None:
        self._problem = problem
        self.leaf = problem.codes[seeds].T.astype(np.int64)
        self.level = np.zeros_like(self.leaf)
        self.size = problem.counts[seeds].copy()
        self.cost = np.zeros(len(seeds))

    def increase(self, one: int) -> np.ndarray:
        """What each cluster's loss would grow by if this tuple joined it."""
        cost = np.zeros(len(self.size))
        for j, leaf in enumerate(self._problem.codes[one]):
            met = shared_levels(self._problem.up[j], leaf, self.leaf[j])
            # Where they have joined, the tuple's node is the cluster's.
            cost += self._problem.cost[j][:, leaf][np.maximum(met, self.level[j])]
        size = self.size + self._problem.counts[one]
        grown: np.ndarray = size * cost - self.size * self.cost
        return grown

    def add(self, cluster: int, one: int) -> None:
        """Let a tuple join a cluster, and widen it."""
        leaves, cost = self._problem.codes[one], 0.0
        for j, (up, table) in enumerate(zip(self._problem.up, self._problem.cost, strict=True)):
            met = np.count_nonzero(up[:, leaves[j]] != up[:, self.leaf[j, cluster]])
            self.level[j, cluster] = max(met, self.level[j, cluster])
            cost += table[self.level[j, cluster], leaves[j]]
        self.cost[cluster] = cost
        self.size[cluster] += self._problem.counts[one]


def blocks(problem: RecodingProblem, tuples: np.ndarray) -> Iterator[np.ndarray]:
    """The tuples, similar ones near each other, in parts of at most BLOCK."""
    highest = max(len(up) for up in problem.up)
    keys = [
        up[level, problem.codes[tuples, j]]
        for level in range(highest)
        for j, up in enumerate(problem.up)
        if level < len(up) - 1
    ]
    ordered = tuples[np.lexsort(keys)] if keys else tuples
    parts = max(-(-len(ordered) // BLOCK), 1)
    yield from np.array_split(ordered, parts)


def dissolve_small(problem: RecodingProblem, class_of: np.ndarray, k: int) -> np.ndarray:
    """Tuples of classes below k, or of none (−1), join the class where that adds least."""
    class_of = class_of.copy()
    sizes = np.zeros(max(int(class_of.max()), 0) + 1, dtype=np.int64)
    np.add.at(sizes, class_of[class_of >= 0], problem.counts[class_of >= 0])
    small = np.flatnonzero((class_of < 0) | (sizes[class_of] < k))
    if len(small) == len(class_of):
        return np.zeros_like(class_of)
    if not len(small):
        return class_of
    others = np.delete(np.arange(len(class_of)), small)
    numbers, pool = pool_of(problem, others, class_of[others])
    for one in small.tolist():
        cluster = int(np.argmin(pool.increase(one)))
        pool.add(cluster, one)
        class_of[one] = numbers[cluster]
    return class_of


def pool_of(
    problem: RecodingProblem, tuples: np.ndarray, classes: np.ndarray
) -> tuple[np.ndarray, Pool]:
    """The classes of these tuples as clusters, and their numbers in order."""
    numbers, first, cluster = np.unique(classes, return_index=True, return_inverse=True)
    pool = Pool(problem, tuples[first])
    np.add.at(pool.size, cluster, problem.counts[tuples])
    pool.size -= problem.counts[tuples[first]]
    order = np.argsort(cluster, kind="stable")
    starts = np.searchsorted(cluster[order], np.arange(len(numbers)))
    for j, (up, table) in enumerate(zip(problem.up, problem.cost, strict=True)):
        pool.level[j] = _shared_level(up[:, problem.codes[tuples[order], j]], starts)
        pool.cost += table[pool.level[j], pool.leaf[j]]
    return numbers, pool


def check_clusterable(problem: RecodingProblem, k: int) -> None:
    """Fail on a k below 1, or one that not even all rows together reach."""
    if k < 1:
        raise UsageError("k must be at least 1", "k は 1 以上にしてください")
    if problem.rows < k:
        raise InputError(
            f"{problem.rows} rows cannot form a class of {k}",
            f"{problem.rows} 行では {k} 行のクラスを作れません",
        )
