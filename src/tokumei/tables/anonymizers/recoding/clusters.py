"""Classes made by clustering tuples: every class is generalized to what its tuples share.

A tuple is never divided. The distance of a tuple to a cluster is what joining would add to the
loss: all rows of the cluster are widened.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tokumei.tables.anonymizers.recoding.problem import Boxes, Classes, RecodingProblem

BLOCK = 20_000
"""Tuples clustered at once: time grows with their square, so more are cut into blocks."""


def clustering(problem: RecodingProblem, class_of: np.ndarray) -> Classes:
    """Classes numbered anew by their first tuple, each generalized as little as it can be."""
    first, number = np.unique(class_of, return_index=True, return_inverse=True)[1:]
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    classes = rank[number]
    levels = Boxes.around(problem, classes).levels[classes]
    return Classes(levels, classes, problem.loss(levels))


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
    numbers, cluster = np.unique(classes, return_inverse=True)
    class_of = np.full(len(problem.codes), -1)
    class_of[tuples] = cluster
    boxes = Boxes.around(problem, class_of)
    pool = Pool(problem, boxes.head)
    pool.level, pool.size = boxes.levels.T.copy(), boxes.rows
    for j, table in enumerate(problem.cost):
        pool.cost += table[pool.level[j], pool.leaf[j]]
    return numbers, pool
