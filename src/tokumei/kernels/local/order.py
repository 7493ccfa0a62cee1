"""Cheapest first: visit level vectors in order; groups of ≥ k open rows become classes."""

from __future__ import annotations

import cython
from cython import longlong as whole
from cython import ulonglong as mask

from tokumei.kernels.local import Search


def close_groups(
    s: Search, vectors: whole[:, ::1], first: whole, end: whole, k: whole, class_of: whole[::1]
) -> None:
    """Number the class of every tuple that finds one on these vectors."""
    with cython.nogil:
        _close_groups(s, vectors, first, end, k, class_of)


@cython.cfunc
def _close_groups(
    s: Search, vectors: whole[:, ::1], first: whole, end: whole, k: whole, class_of: whole[::1]
) -> cython.void:
    left, classes, size = s.sizes[0], s.sizes[1], s.keys.shape[0]
    for v in range(first, end):
        while size > 64 and size > 4 * left:
            size //= 2
        for j in range(s.at.shape[0]):
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
    s.sizes[0], s.sizes[1] = left, classes


@cython.cfunc
def _group(s: Search, v: whole, left: whole, size: whole) -> whole:
    """Group the waiting tuples by their nodes on vector v; the rows of the largest group."""
    largest = 0
    for i in range(left):
        t = s.waiting[i]
        key: mask = 0
        for j in range(s.at.shape[0]):
            key += s.hashes[s.at[j] + s.codes[t, j]]
        q = cython.cast(whole, (key ^ (key >> 29)) & (size - 1))
        while s.visit[q] == v and s.keys[q] != key:
            q = (q + 1) & (size - 1)
        if s.visit[q] != v:
            s.visit[q], s.keys[q], s.rows[q], s.name[q] = v, key, 0, -1
        s.rows[q] += s.counts[t]
        s.place[i] = q
        largest = max(largest, s.rows[q])
    return largest
