"""Cheapest first: visit level vectors in order; groups of ≥ k open rows become classes."""

from __future__ import annotations

import cython
from cython import longlong as whole
from cython import ulonglong as mask

from tokumei.kernels.local import Search

cython.declare(STAMP=whole, CLASSES=whole)
STAMP, CLASSES = range(2)


def close_groups(
    s: Search,
    vectors: whole[:, ::1],
    list_of: whole[::1],
    list_at: whole[::1],
    lists: whole[::1],
    left: whole,
    k: whole,
    class_of: whole[::1],
) -> int:
    """Number the class of every tuple that finds one; how many still wait.

    A vector that has a list looks at its tuples only; the others at all `left` that wait.
    """
    with cython.nogil:
        left = _close_groups(s, vectors, list_of, list_at, lists, left, k, class_of)
    return left


def hopeful(s: Search, vector: whole[::1], tuples: whole[::1], k: whole, found: whole[::1]) -> int:
    """Put those of the tuples into `found` that are in a group of ≥ k rows; how many they are."""
    count: whole = 0
    with cython.nogil:
        _group(s, vector, tuples, tuples.shape[0])
        for i in range(tuples.shape[0]):
            if s.rows[s.place[i]] >= k:
                found[count] = tuples[i]
                count += 1
    return count


@cython.cfunc
def _close_groups(
    s: Search,
    vectors: whole[:, ::1],
    list_of: whole[::1],
    list_at: whole[::1],
    lists: whole[::1],
    left: whole,
    k: whole,
    class_of: whole[::1],
) -> whole:
    for v in range(vectors.shape[0]):
        if list_of[v] < 0:
            if _group(s, vectors[v], s.waiting, left) >= k:
                _close(s, s.waiting, left, k, class_of)
                left = _still_waiting(s.waiting, 0, left, class_of, s.waiting)
            continue
        begin, end = list_at[list_of[v]], list_at[list_of[v] + 1]
        some = _still_waiting(lists, begin, end, class_of, s.some)
        if some > 0 and _group(s, vectors[v], s.some, some) >= k:
            _close(s, s.some, some, k, class_of)
            left = _still_waiting(s.waiting, 0, left, class_of, s.waiting)
    return left


@cython.cfunc
def _still_waiting(
    tuples: whole[::1], begin: whole, end: whole, class_of: whole[::1], found: whole[::1]
) -> whole:
    """Put the tuples without a class into `found`; how many they are."""
    count: whole = 0
    for i in range(begin, end):
        if class_of[tuples[i]] < 0:
            found[count] = tuples[i]
            count += 1
    return count


@cython.cfunc
def _close(s: Search, tuples: whole[::1], n: whole, k: whole, class_of: whole[::1]) -> cython.void:
    """Make classes of the groups of ≥ k rows."""
    for i in range(n):
        q = s.place[i]
        if s.rows[q] >= k:
            if s.name[q] < 0:
                s.name[q] = s.tally[CLASSES]
                s.tally[CLASSES] += 1
            class_of[tuples[i]] = s.name[q]


@cython.cfunc
def _group(s: Search, vector: whole[::1], tuples: whole[::1], n: whole) -> whole:
    """Group n tuples by their nodes on a vector; the rows of the largest group."""
    largest: whole = 0
    size: whole = s.keys.shape[0]
    while size > 64 and size > 4 * n:
        size //= 2
    for j in range(s.at.shape[0]):
        s.at[j] = s.starts[j, vector[j]]
    s.tally[STAMP] += 1
    stamp: whole = s.tally[STAMP]
    for i in range(n):
        t = tuples[i]
        key: mask = 0
        for j in range(s.at.shape[0]):
            key += s.hashes[s.at[j] + s.codes[t, j]]
        q = cython.cast(whole, (key ^ (key >> 29)) & (size - 1))
        while s.visit[q] == stamp and s.keys[q] != key:
            q = (q + 1) & (size - 1)
        if s.visit[q] != stamp:
            s.visit[q], s.keys[q], s.rows[q], s.name[q] = stamp, key, 0, -1
        s.rows[q] += s.counts[t]
        s.place[i] = q
        largest = max(largest, s.rows[q])
    return largest
