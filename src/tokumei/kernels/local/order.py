"""Cheapest first: visit level vectors in order; groups of ≥ k open rows become classes.

class_of = cheapest_first(codes, counts, ups, vectors, k)   # -1: fewer than k rows were left
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.kernels.local.compiled import inner
from tokumei.kernels.stored_code import stored


def cheapest_first(
    codes: np.ndarray, counts: np.ndarray, ups: Sequence[np.ndarray], vectors: np.ndarray, k: int
) -> np.ndarray:
    """The class of every tuple when groups of ≥ k open rows are closed in the vectors' order.

    Groups are found by a 64-bit hash of their nodes. Two groups that collide would only share a
    class, whose box is computed from its tuples: the result is valid whatever the hash does.
    """
    random = np.random.default_rng(0)
    starts = np.zeros((len(ups), max(map(len, ups))), dtype=np.int64)
    parts: list[np.ndarray] = []
    for j, up in enumerate(ups):
        for level, nodes in enumerate(up):
            starts[j, level] = sum(len(part) for part in parts)
            parts.append(random.integers(2**63, size=nodes.max() + 1, dtype=np.uint64)[nodes])
    tuples, size = len(counts), 64
    while size < 2 * tuples:
        size *= 2
    class_of = np.full(tuples, -1)
    search = _Search(
        codes,
        counts,
        np.concatenate(parts),
        starts,
        waiting=np.arange(tuples),
        place=np.zeros(tuples, dtype=np.int64),
        at=np.zeros(len(ups), dtype=np.int64),
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
