"""Cheapest first: visit level vectors in order; groups of ≥ k open rows become classes."""

from __future__ import annotations

import cython
from cython import longlong as whole
from cython import ulonglong as mask

from tokumei.kernels.local_recoding import Search

cython.declare(STAMP=whole, CLASSES=whole)
STAMP, CLASSES = range(2)
cython.declare(LEAST=whole, ENOUGH=whole)
LEAST, ENOUGH = 64, 2**30
"""The size of the smallest table; a number of rows that is crowded whatever k is."""


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
        for v in range(vectors.shape[0]):
            if list_of[v] < 0:
                crowded = _group_crowded(s, vectors[v], s.waiting, left, k)
            else:
                begin, end = list_at[list_of[v]], list_at[list_of[v] + 1]
                some = _list_unclassed_tuples(lists, begin, end, class_of, s.some)
                crowded = _group_crowded(s, vectors[v], s.some, some, k)
            if _close_full_groups(s, crowded, k, class_of):
                left = _list_unclassed_tuples(s.waiting, 0, left, class_of, s.waiting)
    return left


def list_tuples_in_full_groups(
    s: Search, vector: whole[::1], tuples: whole[::1], k: whole, found: whole[::1]
) -> int:
    """Put those of the tuples into `found` that are in a group of ≥ k rows; how many they are."""
    count: whole = 0
    with cython.nogil:
        crowded = _group_crowded(s, vector, tuples, tuples.shape[0], k)
        for i in range(crowded):
            if s.rows[s.place[i]] >= k:
                found[count] = s.crowded[i]
                count += 1
    return count


@cython.cfunc
def _list_unclassed_tuples(
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
def _close_full_groups(s: Search, crowded: whole, k: whole, class_of: whole[::1]) -> cython.bint:
    """Make classes of the groups of ≥ k rows; whether there was one."""
    before: whole = s.tally[CLASSES]
    for i in range(crowded):
        q = s.place[i]
        if s.rows[q] >= k:
            if s.name[q] < 0:
                s.name[q] = s.tally[CLASSES]
                s.tally[CLASSES] += 1
            class_of[s.crowded[i]] = s.name[q]
    return s.tally[CLASSES] > before


@cython.cfunc
def _hash_place(key: mask, size: whole) -> whole:
    """Where a hash belongs in a table whose size is a power of two."""
    return cython.cast(whole, (key ^ (key >> 29)) & (size - 1))


@cython.cfunc
def _group_crowded(s: Search, vector: whole[::1], tuples: whole[::1], n: whole, k: whole) -> whole:
    """Group those of n tuples by their nodes on a vector that may be ≥ k rows; how many they are.

    On most vectors hardly any tuple is: rows are first counted by a few bits of the hash, in a
    table that is small, and only tuples in crowded places are told apart.
    """
    crowded = _list_crowded_tuples(s, vector, tuples, n, k)
    size: whole = s.keys.shape[0]
    while size > LEAST and size > 4 * crowded:
        size //= 2
    s.tally[STAMP] += 1
    stamp: whole = s.tally[STAMP]
    for i in range(crowded):
        key = s.key[i]
        q = _hash_place(key, size)
        while s.visit[q] == stamp and s.keys[q] != key:
            q = (q + 1) & (size - 1)
        if s.visit[q] != stamp:
            s.visit[q], s.keys[q], s.rows[q], s.name[q] = stamp, key, 0, -1
        s.rows[q] += s.counts[s.crowded[i]]
        s.place[i] = q
    return crowded


@cython.cfunc
def _list_crowded_tuples(
    s: Search, vector: whole[::1], tuples: whole[::1], n: whole, k: whole
) -> whole:
    """Put tuples into `crowded` whose hash shares a place with ≥ k rows; how many they are."""
    size: whole = s.crowd.shape[0]
    doubled: whole = 2 * n
    while size > LEAST and doubled <= s.crowded.shape[0]:
        size, doubled = size // 2, doubled * 2
    for q in range(size):
        s.crowd[q] = 0
    for j in range(s.at.shape[0]):
        s.at[j] = s.starts[j, vector[j]]
    enough: whole = min(k, ENOUGH)
    for i in range(n):
        t = tuples[i]
        key: mask = 0
        for j in range(s.at.shape[0]):
            key += s.hashes[s.at[j] + s.codes[t, j]]
        s.key[i] = key
        q = _hash_place(key, size)
        if s.crowd[q] < enough:
            s.crowd[q] += cython.cast(cython.int, min(s.counts[t], enough))
    count: whole = 0
    for i in range(n):
        key = s.key[i]
        if s.crowd[_hash_place(key, size)] >= enough:
            s.key[count], s.crowded[count] = key, tuples[i]
            count += 1
    return count
