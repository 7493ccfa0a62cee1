"""Level vectors by what they cost: the order in which local recoding visits them.

    vectors, complete = level_vectors(problem, at_most=20_000, seed=0)

A lattice too large to visit whole is sampled: its cheapest vectors, and random climbs to the top.
"""

from __future__ import annotations

import heapq
from math import prod

import numpy as np

from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def level_vectors(
    problem: RecodingProblem, *, at_most: int, seed: int = 0
) -> tuple[np.ndarray, bool]:
    """Level vectors by mean NCP over the rows (ties: lexicographic), and whether these are all."""
    means = [cost[:, problem.codes[:, j]] @ problem.counts for j, cost in enumerate(problem.cost)]
    complete = prod(int(height) + 1 for height in problem.heights) <= at_most
    vectors = _all_vectors(problem.heights) if complete else _sample(means, at_most, seed)
    total = sum(mean[vectors[:, j]] for j, mean in enumerate(means))
    rounded = np.round(total / problem.rows / problem.columns, 12)
    keys = [vectors[:, j] for j in reversed(range(problem.columns))]
    return np.ascontiguousarray(vectors[np.lexsort((*keys, rounded))]), complete


def _all_vectors(heights: np.ndarray) -> np.ndarray:
    axes = [np.arange(height + 1) for height in heights]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(heights))


def _sample(means: list[np.ndarray], at_most: int, seed: int) -> np.ndarray:
    """Half the cheapest vectors, half from random climbs, always with the top."""
    chosen = set(_cheapest(means, at_most // 2))
    top = tuple(len(mean) - 1 for mean in means)
    random = np.random.default_rng(seed)
    for _ in range(at_most):
        if len(chosen) + sum(top) > at_most:
            break
        chosen.update(_climb(means, random))
    return np.array(sorted(chosen | {top}), dtype=np.int64)


def _cheapest(means: list[np.ndarray], at_most: int) -> list[tuple[int, ...]]:
    """The cheapest vectors, best first: each is reached by raising only columns after its last."""
    heap = [(0.0, (0,) * len(means), 0)]
    found: list[tuple[int, ...]] = []
    while heap and len(found) < at_most:
        cost, vector, last = heapq.heappop(heap)
        found.append(vector)
        for j in range(last, len(means)):
            at = vector[j]
            if at + 1 < len(means[j]):
                raised = (*vector[:j], at + 1, *vector[j + 1 :])
                heapq.heappush(heap, (cost + means[j][at + 1] - means[j][at], raised, j))
    return found


def _climb(means: list[np.ndarray], random: np.random.Generator) -> list[tuple[int, ...]]:
    """From the bottom to the top, one random column after the other, cheap steps rather early."""
    levels = [0] * len(means)
    path = []
    steps = [(j, at) for j, mean in enumerate(means) for at in range(1, len(mean))]
    prices = np.array([means[j][at] for j, at in steps]) + 1e-9
    for i in np.argsort(prices * random.exponential(size=len(steps)) ** 2, kind="stable"):
        levels[steps[i][0]] += 1
        path.append(tuple(levels))
    return path
