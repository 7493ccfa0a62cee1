"""Clustering methods for comparison: greedy k-member, and one-pass k-means.

    recoding = k_member(problem, k=5)
    recoding = one_pass(problem, k=5)

A tuple that k rows share is a class of its own. Time grows with the square of the tuples: more than
BLOCK are sorted by their generalized values and clustered in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.progress import AdvanceProgress, progress_bar
from tokumei.tables.anonymizers.recoding.recoding_problem import (
    ClassBoxes,
    RecodedClasses,
    RecodingProblem,
)

BLOCK = 20_000
"""Tuples clustered at once: time grows with their square, so more are cut into blocks."""


def k_member(problem: RecodingProblem, k: int, *, seed: int = 0) -> RecodedClasses:
    """Classes of at least k rows (Byun, Kamra, Bertino and Li 2007).

    Start a cluster at the tuple farthest from the last start, let the tuples that add least to the
    loss join until it has k rows, and so on; fewer than k rows left over join where that adds
    least. The seed draws the tuple the first start is farthest from.
    """
    class_of = np.where(problem.counts >= k, np.arange(len(problem.codes)), -1)
    small_tuples = np.flatnonzero(class_of < 0)
    remaining = small_tuples[:0]
    rng = np.random.default_rng(seed)
    with progress_bar(Message("clustering"), total=len(small_tuples)) as advance:
        for block in split_blocks(problem, small_tuples):
            remaining = _cluster_tuples(
                problem, k, np.concatenate([remaining, block]), class_of, rng, advance
            )
    return build_classes(problem, dissolve_small_classes(problem, class_of, k))


def _cluster_tuples(
    problem: RecodingProblem,
    k: int,
    remaining: np.ndarray,
    class_of: np.ndarray,
    rng: np.random.Generator,
    advance: AdvanceProgress,
) -> np.ndarray:
    """Cluster the tuples as long as k rows are left; the tuples left over."""
    start_tuple = int(rng.choice(remaining)) if len(remaining) else -1
    rows = int(problem.counts[remaining].sum())
    while rows >= k:
        start_tuple = int(
            remaining[np.argmax(_GrowingCluster(problem, start_tuple, remaining).cost)]
        )
        cluster = _GrowingCluster(problem, start_tuple, remaining)
        is_taken = cluster.grow(k)
        class_of[remaining[is_taken]] = start_tuple
        rows -= cluster.size
        remaining = remaining[~is_taken]
        advance(int(np.count_nonzero(is_taken)))
    return remaining


class _GrowingCluster:
    """A cluster around a start, and what each candidate would make a row of it cost."""

    def __init__(self, problem: RecodingProblem, start: int, candidates: np.ndarray) -> None:
        leaves = problem.codes[start]
        self._shared_levels = [
            lowest_shared_levels(up, leaves[j], problem.codes[candidates, j])
            for j, up in enumerate(problem.up)
        ]
        self._costs = [table[:, leaves[j]] for j, table in enumerate(problem.cost)]
        self._levels = [0] * problem.columns
        self._counts = problem.counts[candidates]
        self._taken: np.ndarray = candidates == start
        self.size = int(problem.counts[start])
        cells = [
            level_costs[shared]
            for level_costs, shared in zip(self._costs, self._shared_levels, strict=True)
        ]
        self.cost = np.sum(cells, axis=0)

    def grow(self, k: int) -> np.ndarray:
        """Take in the tuple that adds least, until there are k rows."""
        while self.size < k:
            current_cost = sum(
                level_costs[level]
                for level_costs, level in zip(self._costs, self._levels, strict=True)
            )
            added_loss = (self.size + self._counts) * self.cost - self.size * current_cost
            added_loss[self._taken] = np.inf
            self._add_tuple(int(np.argmin(added_loss)))
        return self._taken

    def _add_tuple(self, candidate: int) -> None:
        self._taken[candidate] = True
        self.size += int(self._counts[candidate])
        for j, (level_costs, shared) in enumerate(
            zip(self._costs, self._shared_levels, strict=True)
        ):
            if shared[candidate] > self._levels[j]:
                before, self._levels[j] = self._levels[j], int(shared[candidate])
                self.cost += (
                    level_costs[np.maximum(shared, shared[candidate])]
                    - level_costs[np.maximum(shared, before)]
                )


def one_pass(problem: RecodingProblem, k: int, *, seed: int = 0) -> RecodedClasses:
    """As many clusters as k allows, filled once, then evened (Lin and Wei 2008).

    Starts are drawn by the seed; every other tuple joins the cluster where that adds least to the
    loss. Then clusters give away the tuples farthest from their start as long as k rows stay, and
    those go to clusters below k first. Clusters that are still below k are dissolved.
    """
    class_of = np.where(problem.counts >= k, np.arange(len(problem.codes)), -1)
    small_tuples = np.flatnonzero(class_of < 0)
    rng = np.random.default_rng(seed)
    with progress_bar(Message("clustering"), total=len(small_tuples)) as advance:
        for block in split_blocks(problem, small_tuples):
            clusters = int(problem.counts[block].sum()) // k
            if clusters:
                seeds = np.sort(rng.choice(len(block), min(clusters, len(block)), replace=False))
                class_of[block] = block[_fill_clusters(problem, k, block, seeds, advance)]
    return build_classes(problem, dissolve_small_classes(problem, class_of, k))


def _fill_clusters(
    problem: RecodingProblem, k: int, block: np.ndarray, seeds: np.ndarray, advance: AdvanceProgress
) -> np.ndarray:
    """For every tuple of the block the place of its cluster's start."""
    cluster = np.full(len(block), -1)
    cluster[seeds] = np.arange(len(seeds))
    pool = ClusterPool(problem, block[seeds])
    for position in np.flatnonzero(cluster < 0):
        cluster[position] = int(np.argmin(pool.increase(block[position])))
        pool.add(cluster[position], block[position])
        advance(1)
    spare = _find_spare_tuples(problem, k, block, seeds, cluster)
    cluster[spare] = -1
    _place_spare_tuples(problem, k, block, cluster)
    return np.asarray(seeds[cluster])


def _find_spare_tuples(
    problem: RecodingProblem, k: int, block: np.ndarray, seeds: np.ndarray, cluster: np.ndarray
) -> np.ndarray:
    """Places that clusters of more than k rows can spare, the farthest from the start first."""
    distance = _cost_to_start(problem, block, block[seeds][cluster])
    counts = problem.counts[block]
    sizes = np.zeros(len(seeds), dtype=np.int64)
    np.add.at(sizes, cluster, counts)
    is_seed = np.zeros(len(block), dtype=bool)
    is_seed[seeds] = True
    spare = []
    for position in np.argsort(-distance, kind="stable"):
        if not is_seed[position] and sizes[cluster[position]] - counts[position] >= k:
            sizes[cluster[position]] -= counts[position]
            spare.append(position)
    return np.array(spare, dtype=np.int64)


def _cost_to_start(problem: RecodingProblem, tuples: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The cost of a row if only the tuple and its start were together."""
    cost = np.zeros(len(tuples))
    for j, (up, table) in enumerate(zip(problem.up, problem.cost, strict=True)):
        leaf, start = problem.codes[tuples, j], problem.codes[starts, j]
        cost += table[(up[:, leaf] != up[:, start]).sum(axis=0), leaf]
    return cost


def _place_spare_tuples(
    problem: RecodingProblem, k: int, block: np.ndarray, cluster: np.ndarray
) -> None:
    """Tuples given away join a cluster below k, or any if there is none; all have their start."""
    is_placed = cluster >= 0
    _, pool = build_pool(problem, block[is_placed], cluster[is_placed])
    for position in np.flatnonzero(cluster < 0):
        added_loss = pool.increase(block[position])
        if (pool.size < k).any():
            added_loss[pool.size >= k] = np.inf
        cluster[position] = int(np.argmin(added_loss))
        pool.add(cluster[position], block[position])


def build_classes(problem: RecodingProblem, class_of: np.ndarray) -> RecodedClasses:
    """Classes numbered anew by their first tuple, each generalized as little as it can be."""
    first_tuples, class_numbers = np.unique(class_of, return_index=True, return_inverse=True)[1:]
    classes = np.argsort(np.argsort(first_tuples))[class_numbers]
    levels = ClassBoxes.around(problem, classes).levels[classes]
    return RecodedClasses(levels, classes, problem.loss(levels))


def lowest_shared_levels(up: np.ndarray, leaf: int, others: np.ndarray) -> np.ndarray:
    """The lowest level at which a leaf and each other one have the same node.

    Levels are nested: it is the number of levels at which they differ.
    """
    if up.shape[1] <= len(others):
        levels: np.ndarray = (up != up[:, [leaf]]).sum(axis=0)[others]
    else:
        levels = (up[:, others] != up[:, [leaf]]).sum(axis=0)
    return levels


class ClusterPool:
    """Clusters as arrays: a leaf and a level per column, rows, and the cost of a row."""

    def __init__(self, problem: RecodingProblem, seeds: np.ndarray) -> None:
        self._problem = problem
        self.leaf = problem.codes[seeds].T.astype(np.int64)
        self.level = np.zeros_like(self.leaf)
        self.size = problem.counts[seeds].copy()
        self.cost = np.zeros(len(seeds))

    def increase(self, tuple_index: int) -> np.ndarray:
        """What each cluster's loss would grow by if this tuple joined it."""
        cost = np.zeros(len(self.size))
        for j, leaf in enumerate(self._problem.codes[tuple_index]):
            shared = lowest_shared_levels(self._problem.up[j], leaf, self.leaf[j])
            # Where they have joined, the tuple's node is the cluster's.
            cost += self._problem.cost[j][:, leaf][np.maximum(shared, self.level[j])]
        size = self.size + self._problem.counts[tuple_index]
        return np.asarray(size * cost - self.size * self.cost)

    def add(self, cluster: int, tuple_index: int) -> None:
        """Let a tuple join a cluster, and widen it."""
        leaves, cost = self._problem.codes[tuple_index], 0.0
        for j, (up, table) in enumerate(zip(self._problem.up, self._problem.cost, strict=True)):
            shared = np.count_nonzero(up[:, leaves[j]] != up[:, self.leaf[j, cluster]])
            self.level[j, cluster] = max(shared, self.level[j, cluster])
            cost += table[self.level[j, cluster], leaves[j]]
        self.cost[cluster] = cost
        self.size[cluster] += self._problem.counts[tuple_index]


def split_blocks(problem: RecodingProblem, tuples: np.ndarray) -> Iterator[np.ndarray]:
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


def dissolve_small_classes(problem: RecodingProblem, class_of: np.ndarray, k: int) -> np.ndarray:
    """Tuples of classes below k, or of none (−1), join the class where that adds least."""
    class_of = class_of.copy()
    sizes = np.zeros(max(int(class_of.max()), 0) + 1, dtype=np.int64)
    np.add.at(sizes, class_of[class_of >= 0], problem.counts[class_of >= 0])
    small_tuples = np.flatnonzero((class_of < 0) | (sizes[class_of] < k))
    if len(small_tuples) == len(class_of):
        return np.zeros_like(class_of)
    if not len(small_tuples):
        return class_of
    others = np.delete(np.arange(len(class_of)), small_tuples)
    numbers, pool = build_pool(problem, others, class_of[others])
    for tuple_index in small_tuples.tolist():
        cluster = int(np.argmin(pool.increase(tuple_index)))
        pool.add(cluster, tuple_index)
        class_of[tuple_index] = numbers[cluster]
    return class_of


def build_pool(
    problem: RecodingProblem, tuples: np.ndarray, classes: np.ndarray
) -> tuple[np.ndarray, ClusterPool]:
    """The classes of these tuples as clusters, and their numbers in order."""
    numbers, cluster = np.unique(classes, return_inverse=True)
    class_of = np.full(len(problem.codes), -1)
    class_of[tuples] = cluster
    boxes = ClassBoxes.around(problem, class_of)
    pool = ClusterPool(problem, boxes.head)
    pool.level, pool.size = boxes.levels.T.copy(), boxes.rows
    for j, table in enumerate(problem.cost):
        pool.cost += table[pool.level[j], pool.leaf[j]]
    return numbers, pool
