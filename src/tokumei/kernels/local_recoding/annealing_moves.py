"""The steps of annealing a local recoding, and the loop that accepts or rejects them.

    anneal(state, k, moves, hot, cold, mean)

A step starts at a tuple, costly ones more often: it goes to another slot that covers it, joins a
neighbour's slot, is exchanged for another, or opens a new box with whoever gains from it; or its
slot gives up what keeps a column wide, widens a column for whoever gains, or is dissolved. The
slots left behind are then put right, and the whole is accepted or undone.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython.cimports.libc.math import log

from tokumei.kernels.local_recoding.coverage import (
    NOTHING,
    cheapest_slot,
    grow_box,
    random_below,
    random_other_covered,
    random_slot,
    random_uniform,
)
from tokumei.kernels.local_recoding.slot_repair import (
    REALLY,
    absorb_gaining_tuples,
    dissolve_slot,
    refill_slot,
    repair_touched,
    shrink_box,
)
from tokumei.kernels.local_recoding.state import (
    FREE,
    LEVELS,
    NONE,
    State,
    begin_step,
    change_box,
    move_tuple,
    new_slot,
    undo,
)
from tokumei.kernels.local_recoding.tuple_exchange import exchange_tuples

cython.declare(RELOCATE=real, JOIN=real, EXCHANGE=real, OPEN_BOX=real, WIDEN=real, SHRINK=real)
RELOCATE, JOIN, EXCHANGE, OPEN_BOX, WIDEN, SHRINK = 0.15, 0.43, 0.57, 0.72, 0.94, 0.98
"""Shares of the steps, summed up; the rest is dissolving."""
cython.declare(COSTLY=real, FRIEND_MARGIN=real, BOX_MARGIN=real)
COSTLY, FRIEND_MARGIN, BOX_MARGIN = 7.0, 4.5, 2.5
"""In mean NCP of a row."""
FRIENDS = cython.declare(whole, 2)
COLUMNS_TRIED = cython.declare(whole, 8)


def anneal(
    s: State, k: whole, first: whole, end: whole, moves: whole, hot: real, cold: real, mean: real
) -> None:
    """Try the steps from `first`, a multiple of 256, on; their loss is added to `change`.

    `mean` is about the mean NCP of a row: it gives the scale for what is costly and what is near.
    """
    with cython.nogil:
        total: real = s.change[0]
        heat = hot
        for n in range(first, end):
            if n % 256 == 0:
                heat = hot * (cold / hot) ** (float(n) / moves)
            begin_step(s)
            t = _draw_costly_tuple(s, COSTLY * mean)
            done = _try_step(s, t, k, heat, mean) and repair_touched(s, k)
            if done and s.change[0] <= -heat * log(1.0 - random_uniform(s)):
                total += s.change[0]
            else:
                undo(s)
        s.change[0] = total


@cython.cfunc
def _draw_costly_tuple(s: State, costly: real) -> whole:
    t = random_below(s, s.slot.shape[0])
    for _ in range(20):
        if s.cost[s.slot[t]] > random_uniform(s) * costly:
            break
        t = random_below(s, s.slot.shape[0])
    return t


@cython.cfunc
def _try_step(s: State, t: whole, k: whole, heat: real, mean: real) -> cython.bint:
    kind = random_uniform(s)
    if kind < RELOCATE:
        return _relocate(s, t)
    if kind < EXCHANGE:
        c = _find_nearby_slot(s, t, FRIEND_MARGIN * mean)
        if c < 0:
            return False
        return _join_slot(s, t, c) if kind < JOIN else exchange_tuples(s, t, c, k, heat)
    if kind < OPEN_BOX:
        return _open_box(s, t, k, BOX_MARGIN * mean)
    if kind < WIDEN:
        return _widen_column(s, t, k)
    if kind < SHRINK:
        return _shrink_column(s, t)
    return s.rows[s.slot[t]] < 4 * k and dissolve_slot(s, s.slot[t])


@cython.cfunc
def _relocate(s: State, t: whole) -> cython.bint:
    """To another slot that covers the tuple: the cheapest, or any."""
    old = s.slot[t]
    c = cheapest_slot(s, t, old) if random_uniform(s) < 0.5 else random_slot(s, t, old)
    if c >= 0:
        move_tuple(s, t, c)
    return c >= 0


@cython.cfunc
def _find_nearby_slot(s: State, t: whole, margin: real) -> whole:
    """The slot of a tuple that shares a not too costly box with tuple t; -1 if none is met."""
    if not grow_box(s, t, FRIENDS, s.cost[s.slot[t]] + margin, LEVELS):
        return NONE
    friend = random_other_covered(s, t)
    if friend < 0 or s.slot[friend] == s.slot[t]:
        return NONE
    return s.slot[friend]


@cython.cfunc
def _join_slot(s: State, t: whole, c: whole) -> cython.bint:
    """To a slot whose box is widened for the tuple."""
    head = s.first[c]
    for j in range(s.height.shape[0]):
        at: whole = s.level[c, j]
        while s.ancestors[t, j, at] != s.ancestors[head, j, at]:
            at += 1
        s.room[LEVELS, j] = at
    change_box(s, c, LEVELS, head)
    move_tuple(s, t, c)
    return True


@cython.cfunc
def _open_box(s: State, t: whole, k: whole, margin: real) -> cython.bint:
    """A new box around the tuple takes in who gains from it, and then who is spared cheapest."""
    if s.sizes[FREE] == 0 or not grow_box(s, t, k, s.cost[s.slot[t]] + margin, LEVELS):
        return False
    c = new_slot(s, LEVELS, t)
    move_tuple(s, t, c)
    n = absorb_gaining_tuples(s, c, k)
    if s.rows[c] < k and refill_slot(s, c, k, n, REALLY) >= NOTHING:
        return False
    shrink_box(s, c)
    return True


@cython.cfunc
def _widen_column(s: State, t: whole, k: whole) -> cython.bint:
    """One column of the tuple's slot rises a level, for all who gain by coming in."""
    c, rows = s.slot[t], s.rows[s.slot[t]]
    j = random_below(s, s.height.shape[0])
    for _ in range(COLUMNS_TRIED):
        if s.level[c, j] < s.height[j]:
            break
        j = random_below(s, s.height.shape[0])
    if s.level[c, j] == s.height[j]:
        return False
    _copy_levels(s, c)
    s.room[LEVELS, j] += 1
    change_box(s, c, LEVELS, t)
    absorb_gaining_tuples(s, c, k)
    if s.rows[c] == rows:
        return False
    shrink_box(s, c)
    return True


@cython.cfunc
def _shrink_column(s: State, t: whole) -> cython.bint:
    """One column of the tuple's slot falls a level; members outside, the fewer, leave the slot."""
    c = s.slot[t]
    j = random_below(s, s.height.shape[0])
    for _ in range(COLUMNS_TRIED):
        if s.level[c, j] > 0:
            break
        j = random_below(s, s.height.shape[0])
    if s.level[c, j] == 0 or 2 * _rows_inside(s, t, j) < s.rows[c]:
        return False
    _copy_levels(s, c)
    at = s.level[c, j] - 1
    s.room[LEVELS, j] = at
    u = s.first[c]
    while u >= 0:
        following = s.after[u]
        if s.ancestors[u, j, at] != s.ancestors[t, j, at]:
            other = cheapest_slot(s, u, c)
            if other < 0:
                return False
            move_tuple(s, u, other)
        u = following
    change_box(s, c, LEVELS, t)
    return True


@cython.cfunc
def _rows_inside(s: State, t: whole, j: whole) -> whole:
    """Rows of the tuple's slot under its node in column j, one level below the slot's."""
    c, rows = s.slot[t], 0
    at = s.level[c, j] - 1
    u = s.first[c]
    while u >= 0:
        if s.ancestors[u, j, at] == s.ancestors[t, j, at]:
            rows += s.counts[u]
        u = s.after[u]
    return rows


@cython.cfunc
def _copy_levels(s: State, c: whole) -> cython.void:
    """Copy a slot's levels into the room."""
    for j in range(s.height.shape[0]):
        s.room[LEVELS, j] = s.level[c, j]
