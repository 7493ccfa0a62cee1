"""Greedy k-member clustering (Byun, Kamra, Bertino and Li 2007).

    found = k_member(problem, k=5)

Start a cluster at the tuple farthest from the last start, let the tuples that add least to the loss
join until it has k rows, and so on; fewer than k rows left over join where that adds least. A tuple
that k rows share is a class of its own. Time grows with the square of the tuples: more than BLOCK
are sorted by their generalized values and clustered in blocks.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.progress import Advance, meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.clusters import (
    Clustering,
    blocks,
    check_clusterable,
    clustering,
    dissolve_small,
    shared_levels,
)
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def k_member(problem: RecodingProblem, k: int, *, seed: int = 0) -> Clustering:
    """Classes of at least k rows; the seed draws the tuple the first start is farthest from."""
    check_clusterable(problem, k)
    class_of = np.where(problem.counts >= k, np.arange(len(problem.codes)), -1)
    rare = np.flatnonzero(class_of < 0)
    left = rare[:0]
    rng = np.random.default_rng(seed)
    with meter(Text("clustering", "クラスタリング中"), total=len(rare)) as advance:
        for block in blocks(problem, rare):
            left = _cluster(problem, k, np.concatenate([left, block]), class_of, rng, advance)
    return clustering(problem, dissolve_small(problem, class_of, k))


def _cluster(
    problem: RecodingProblem,
    k: int,
    left: np.ndarray,
    class_of: np.ndarray,
    rng: np.random.Generator,
    advance: Advance,
) -> np.ndarray:
    """Cluster the tuples as long as k rows are left; the tuples left over."""
    last = int(rng.choice(left)) if len(left) else -1
    rows = int(problem.counts[left].sum())
    while rows >= k:
        last = int(left[np.argmax(_Growing(problem, last, left).cost)])
        cluster = _Growing(problem, last, left)
        taken = cluster.grow(k)
        class_of[left[taken]] = last
        rows -= cluster.size
        left = left[~taken]
        advance(int(np.count_nonzero(taken)))
    return left


class _Growing:
    """A cluster around a start, and what each candidate would make a row of it cost."""

    def __init__(self, problem: RecodingProblem, start: int, candidates: np.ndarray) -> None:
        leaves = problem.codes[start]
        self._met = [
            shared_levels(up, leaves[j], problem.codes[candidates, j])
            for j, up in enumerate(problem.up)
        ]
        self._costs = [table[:, leaves[j]] for j, table in enumerate(problem.cost)]
        self._levels = [0] * problem.columns
        self._counts = problem.counts[candidates]
        self._taken: np.ndarray = candidates == start
        self.size = int(problem.counts[start])
        cells = [cost[met] for cost, met in zip(self._costs, self._met, strict=True)]
        self.cost = np.sum(cells, axis=0)

    def grow(self, k: int) -> np.ndarray:
        """Take in the tuple that adds least, until there are k rows."""
        while self.size < k:
            here = sum(cost[level] for cost, level in zip(self._costs, self._levels, strict=True))
            added = (self.size + self._counts) * self.cost - self.size * here
            added[self._taken] = np.inf
            self._take(int(np.argmin(added)))
        return self._taken

    def _take(self, at: int) -> None:
        self._taken[at] = True
        self.size += int(self._counts[at])
        for j, (cost, met) in enumerate(zip(self._costs, self._met, strict=True)):
            if met[at] > self._levels[j]:
                before, self._levels[j] = self._levels[j], int(met[at])
                self.cost += cost[np.maximum(met, met[at])] - cost[np.maximum(met, before)]
