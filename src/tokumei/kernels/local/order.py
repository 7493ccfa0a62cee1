"""Cheapest first: visit level vectors by their mean NCP; groups of ≥ k open rows become classes.

    vectors, complete = level_vectors(problem, at_most=20_000, seed=0)
    class_of = cheapest_first(problem, vectors, k)   # -1: fewer than k rows were left

A lattice too large to visit whole is sampled: its cheapest vectors, and random climbs to the top.
"""

from __future__ import annotations

import heapq
from math import prod
from typing import NamedTuple

import numpy as np

from tokumei.kernels.local.compiled import inner
from tokumei.kernels.stored_code import stored
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


def cheapest_first(problem: RecodingProblem, vectors: np.ndarray, k: int) -> np.ndarray:
    """The class of every tuple when groups of ≥ k open rows are closed in the vectors' order.

    Groups are found by a 64-bit hash of their nodes. Two groups that collide would only share a
    class, whose box is computed from its tuples: the result is valid whatever the hash does.
    """
    random = np.random.default_rng(0)
    starts = np.zeros((problem.columns, int(problem.heights.max()) + 1), dtype=np.int64)
    parts: list[np.ndarray] = []
    for j, up in enumerate(problem.up):
        for level, nodes in enumerate(up):
            starts[j, level] = sum(len(part) for part in parts)
            parts.append(random.integers(2**63, size=nodes.max() + 1, dtype=np.uint64)[nodes])
    tuples, size = len(problem.counts), 64
    while size < 2 * tuples:
        size *= 2
    class_of = np.full(tuples, -1)
    search = _Search(
        problem.codes,
        problem.counts,
        np.concatenate(parts),
        starts,
        waiting=np.arange(tuples),
        place=np.zeros(tuples, dtype=np.int64),
        at=np.zeros(problem.columns, dtype=np.int64),
        keys=np.zeros(size, dtype=np.uint64),
        visit=np.full(size, -1),
        rows=np.zeros(size, dtype=np.int64),
        name=np.zeros(size, dtype=np.int64),
    )
    _close_groups(search, vectors, k, class_of)
    return class_of


class _Search(NamedTuple):
    """Tuples in leaf codes, the hash of every node, and room: tuples not yet in a class, groups."""

    codes: np.ndarray
    counts: np.ndarray
    hashes: np.ndarray  # of the node of leaf c of column j on level l: at `starts[j, l] + c`
    starts: np.ndarray
    waiting: np.ndarray  # the tuples in no class yet come first
    place: np.ndarray  # [i] → the group of waiting tuple i
    at: np.ndarray  # [j] → start of the level at hand
    keys: np.ndarray  # groups, in a hash table: hash,
    visit: np.ndarray  # the vector it was last used for,
    rows: np.ndarray
    name: np.ndarray  # and its class, once it is one


@stored
def _close_groups(s: _Search, vectors: np.ndarray, k: int, class_of: np.ndarray) -> None:
    left, classes, size = class_of.size, 0, s.keys.size
    for v in range(vectors.shape[0]):
        while size > 64 and size > 4 * left:
            size //= 2
        for j in range(s.at.size):
            s.at[j] = s.starts[j, vectors[v, j]]
        if _group(s, v, left, size) < k:
            continue
        kept = 0
        for i in range(left):
            t, q = s.waiting[i], s.place[i]
            if s.rows[q] < k:
                s.waiting[kept] = t
                kept += 1
                continue
            if s.name[q] < 0:
                s.name[q] = classes
                classes += 1
            class_of[t] = s.name[q]
        left = kept


@inner
def _group(s: _Search, v: int, left: int, size: int) -> int:
    """Group the waiting tuples by their nodes on vector v; the rows of the largest group."""
    largest = 0
    for i in range(left):
        t = s.waiting[i]
        key = np.uint64(0)
        for j in range(s.at.size):
            key += s.hashes[s.at[j] + s.codes[t, j]]
        q = np.int64((key ^ (key >> np.uint64(29))) & np.uint64(size - 1))
        while s.visit[q] == v and s.keys[q] != key:
            q = (q + 1) & (size - 1)
        if s.visit[q] != v:
            s.visit[q], s.keys[q], s.rows[q], s.name[q] = v, key, 0, -1
        s.rows[q] += s.counts[t]
        s.place[i] = q
        largest = max(largest, s.rows[q])
    return largest
