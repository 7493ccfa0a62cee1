"""Hierarchical Mondrian: move one attribute of a group down one level at a time.

A split is allowed only if every group that it makes has k rows and fulfils the checks; it goes on,
group by group, until none is left. Each choice scores a split, the larger the better: prec by what
Prec gains, 1/height; ncp by what the mean NCP of the column's cells loses; range by how far the
group's leaves lie apart, as a share of the column; tfidf by how well it tells apart whom rules are
for.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole

from tokumei.kernels.equivalence_classes.conditions import class_holds
from tokumei.kernels.equivalence_classes.rule_targeting import (
    Splitting,
    count_children,
    mark_group_rules,
    tfidf,
)
from tokumei.kernels.sorting import sort

CLOSE = cython.declare(real, 1e-12)
"""Scores that differ by no more than this are equal: then the tie rule decides."""
cython.declare(TFIDF=whole, PREC=whole, NCP=whole, RANGE=whole)
TFIDF, PREC, NCP, RANGE = range(4)


def split_down(s: Splitting, steps: whole) -> None:
    """Split the groups that wait, the last first, until none is left or so many were looked at."""
    with cython.nogil:
        while s.waiting > 0 and steps > 0:
            s.waiting -= 1
            s.begin, s.end = s.begins[s.waiting], s.ends[s.waiting]
            steps -= s.end - s.begin
            _split_group(s)


@cython.cfunc
def _split_group(s: Splitting) -> cython.void:
    """Split the group at hand, or close it as a class."""
    column = _best_split(s)
    if column < 0:
        for i in range(s.begin, s.end):
            s.classes[s.order[i]] = s.number
        s.number += 1
        return
    level = s.levels[s.order[s.begin], column] - 1
    for i in range(s.begin, s.end):
        s.levels[s.order[i], column] = level
    _list_children(s, column, level)
    if s.how == TFIDF and s.whole_table:
        count_children(s, column)
    _sort_by_child(s)
    # The first child is the next to be split: the last of those that wait.
    for child in range(s.distinct - 1, -1, -1):
        s.begins[s.waiting] = s.begin + s.stretch[child]
        s.ends[s.waiting] = s.begin + s.stretch[child + 1]
        s.waiting += 1
    for i in range(s.end - s.begin):
        s.order[s.begin + i] = s.room[i]


@cython.cfunc
def _best_split(s: Splitting) -> whole:
    """The column to move down, or −1 if every split would leave a group that must not be."""
    one = s.order[s.begin]
    for j in range(s.heights.shape[0]):
        s.at[j] = s.up[s.starts[j, s.levels[one, j]] + s.codes[one, j]]
    if s.how == TFIDF and s.whole_table:
        mark_group_rules(s)
    best: whole = -1
    highest: real = 0.0
    for j in range(s.heights.shape[0]):
        if s.levels[one, j] == 0:
            continue
        _list_children(s, j, s.levels[one, j] - 1)
        if _smallest_child_rows(s) < s.k:
            continue
        found = _score_split(s, j)
        if _beats_best(s, found, highest, j, best) and _children_hold(s):
            best, highest = j, found
    return best


@cython.cfunc
def _list_children(s: Splitting, column: whole, level: whole) -> cython.void:
    """The node of every tuple of the group, the distinct ones, ascending, the rows of each.

    `place[node]` is then where a node stands among them; `sizes` is all 0 before and after.
    """
    number: whole = 0
    start = s.starts[column, level]
    for i in range(s.begin, s.end):
        t = s.order[i]
        node = s.up[start + s.codes[t, column]]
        s.nodes[i - s.begin] = node
        if s.sizes[node] == 0:
            s.children[number] = node
            number += 1
        s.sizes[node] += 1
    sort(s.children, 0, number)
    s.distinct = number
    s.stretch[0] = 0
    for child in range(number):
        node = s.children[child]
        s.place[node] = child
        s.stretch[child + 1] = s.stretch[child] + s.sizes[node]
        s.sizes[node] = 0
        s.rows[child] = 0
    for i in range(s.begin, s.end):
        s.rows[s.place[s.nodes[i - s.begin]]] += s.counts[s.order[i]]


@cython.cfunc
def _smallest_child_rows(s: Splitting) -> whole:
    fewest: whole = s.rows[0]
    for child in range(s.distinct):
        fewest = min(fewest, s.rows[child])
    return fewest


@cython.cfunc
def _sort_by_child(s: Splitting) -> cython.void:
    """The tuples of the group child by child, in their order, into `room`."""
    for i in range(s.end - s.begin):
        child = s.place[s.nodes[i]]
        s.room[s.stretch[child]] = s.order[s.begin + i]
        s.stretch[child] += 1
    for child in range(s.distinct, 0, -1):
        s.stretch[child] = s.stretch[child - 1]
    s.stretch[0] = 0


@cython.cfunc
def _children_hold(s: Splitting) -> cython.bint:
    """Whether the tuples of every child fulfil the checks."""
    if s.checks.kinds.shape[0] == 0:
        return True
    _sort_by_child(s)
    for child in range(s.distinct):
        if not class_holds(s.checks, s.room, s.stretch[child], s.stretch[child + 1]):
            return False
    return True


@cython.cfunc
def _score_split(s: Splitting, j: whole) -> real:
    if s.how == PREC:
        return 1.0 / s.heights[j]
    if s.how == RANGE:
        return _leaf_span(s, j)
    if s.how == TFIDF:
        return tfidf(s, j)
    left: real = 0.0
    rows: whole = 0
    for child in range(s.distinct):
        left += s.cost[s.children[child]] * s.rows[child]
        rows += s.rows[child]
    return s.cost[s.at[j]] - left / rows


@cython.cfunc
def _beats_best(s: Splitting, new: real, old: real, j: whole, best: whole) -> cython.bint:
    """Whether a column beats the best so far; equal: the first column, or the larger Prec gain."""
    if best < 0 or new > old + CLOSE:
        return True
    return s.ties == 1 and new > old - CLOSE and s.heights[j] < s.heights[best]


@cython.cfunc
def _leaf_span(s: Splitting, j: whole) -> real:
    """How far the leaves of the group lie apart in the hierarchy's order, from 0 to 1."""
    low: whole = s.leaves[j]
    high: whole = -1
    for i in range(s.begin, s.end):
        low = min(low, s.codes[s.order[i], j])
        high = max(high, s.codes[s.order[i], j])
    return float(high - low) / max(s.leaves[j] - 1, 1)
