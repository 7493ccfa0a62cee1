"""One-pass k-means (Lin and Wei 2008): as many clusters as k allows, filled once, then evened.

    found = one_pass(problem, k=5)

Starts are drawn at random; every other tuple joins the cluster where that adds least to the loss.
Then clusters give away the tuples farthest from their start as long as k rows stay, and those go to
clusters below k first. Clusters that are still below k are dissolved. A tuple that k rows share is
a class of its own. More than BLOCK tuples are clustered in blocks: time grows with their square.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.progress import Advance, meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.clusters import (
    Clustering,
    Pool,
    blocks,
    check_clusterable,
    clustering,
    dissolve_small,
    pool_of,
)
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def one_pass(problem: RecodingProblem, k: int, *, seed: int = 0) -> Clustering:
    """Classes of at least k rows; the seed draws the starts."""
    check_clusterable(problem, k)
    class_of = np.where(problem.counts >= k, np.arange(len(problem.codes)), -1)
    rare = np.flatnonzero(class_of < 0)
    rng = np.random.default_rng(seed)
    with meter(Text("clustering", "クラスタリング中"), total=len(rare)) as advance:
        for block in blocks(problem, rare):
            clusters = int(problem.counts[block].sum()) // k
            if clusters:
                seeds = np.sort(rng.choice(len(block), min(clusters, len(block)), replace=False))
                class_of[block] = block[_filled(problem, k, block, seeds, advance)]
    return clustering(problem, dissolve_small(problem, class_of, k))


def _filled(
    problem: RecodingProblem, k: int, block: np.ndarray, seeds: np.ndarray, advance: Advance
) -> np.ndarray:
    """For every tuple of the block the place of its cluster's start."""
    cluster = np.full(len(block), -1)
    cluster[seeds] = np.arange(len(seeds))
    pool = Pool(problem, block[seeds])
    for at in np.flatnonzero(cluster < 0):
        cluster[at] = int(np.argmin(pool.increase(block[at])))
        pool.add(cluster[at], block[at])
        advance(1)
    given = _given_away(problem, k, block, seeds, cluster)
    cluster[given] = -1
    _settle(problem, k, block, cluster)
    places: np.ndarray = seeds[cluster]
    return places


def _given_away(
    problem: RecodingProblem, k: int, block: np.ndarray, seeds: np.ndarray, cluster: np.ndarray
) -> np.ndarray:
    """Places that clusters of more than k rows can spare, the farthest from the start first."""
    distance = _to_start(problem, block, block[seeds][cluster])
    counts = problem.counts[block]
    sizes = np.zeros(len(seeds), dtype=np.int64)
    np.add.at(sizes, cluster, counts)
    is_seed = np.zeros(len(block), dtype=bool)
    is_seed[seeds] = True
    given = []
    for at in np.argsort(-distance, kind="stable"):
        if not is_seed[at] and sizes[cluster[at]] - counts[at] >= k:
            sizes[cluster[at]] -= counts[at]
            given.append(at)
    return np.array(given, dtype=np.int64)


def _to_start(problem: RecodingProblem, tuples: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """The cost of a row if only the tuple and its start were together."""
    cost = np.zeros(len(tuples))
    for j, (up, table) in enumerate(zip(problem.up, problem.cost, strict=True)):
        leaf, start = problem.codes[tuples, j], problem.codes[starts, j]
        cost += table[(up[:, leaf] != up[:, start]).sum(axis=0), leaf]
    return cost


def _settle(problem: RecodingProblem, k: int, block: np.ndarray, cluster: np.ndarray) -> None:
    """Tuples given away join a cluster below k, or any if there is none; all have their start."""
    staying = cluster >= 0
    _, pool = pool_of(problem, block[staying], cluster[staying])
    for at in np.flatnonzero(cluster < 0):
        added = pool.increase(block[at])
        if (pool.size < k).any():
            added[pool.size >= k] = np.inf
        cluster[at] = int(np.argmin(added))
        pool.add(cluster[at], block[at])
