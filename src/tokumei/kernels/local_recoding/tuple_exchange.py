"""Exchanging two tuples between slots, and what a tuple's leaving would gain: boxes without one."""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole

from tokumei.kernels.local_recoding.coverage import NOTHING, random_uniform
from tokumei.kernels.local_recoding.state import (
    HERE,
    LEVELS,
    NONE,
    THERE,
    State,
    change_box,
    move_tuple,
)

EXCHANGED_MEMBERS = cython.declare(whole, 40)


@cython.cfunc
def exchange_tuples(s: State, t: whole, c: whole, k: whole, heat: real) -> cython.bint:
    """Tuple t for the member of slot c whose exchange costs least."""
    old = s.slot[t]
    if not (
        1 < _count_members(s, old) <= EXCHANGED_MEMBERS
        and _count_members(s, c) <= EXCHANGED_MEMBERS
    ):
        return False
    best, least = NONE, NOTHING
    u = s.first[c]
    while u >= 0:
        surplus = s.counts[u] - s.counts[t]
        rows_here, rows_there = s.rows[old] + surplus, s.rows[c] - surplus
        if rows_here >= k and rows_there >= k:
            value = rows_here * _box_after_exchange(s, old, t, u, HERE)
            if value < least:
                value += rows_there * _box_after_exchange(
                    s, c, u, t, THERE
                ) + heat * random_uniform(s)
                if value < least:
                    best, least = u, value
        u = s.after[u]
    if best < 0:
        return False
    _box_after_exchange(s, old, t, best, HERE)
    _box_after_exchange(s, c, best, t, THERE)
    change_box(s, old, HERE, best)
    change_box(s, c, THERE, t)
    move_tuple(s, t, c)
    move_tuple(s, best, old)
    return True


@cython.cfunc
def _count_members(s: State, c: whole) -> whole:
    """How many tuples, counted no further than is asked for."""
    n, t = 0, s.first[c]
    while t >= 0 and n <= EXCHANGED_MEMBERS:
        n += 1
        t = s.after[t]
    return n


@cython.cfunc
def _box_after_exchange(s: State, c: whole, leaving: whole, joining: whole, levels: whole) -> real:
    """The box of slot c after an exchange: its levels, and its cost per row."""
    for j in range(s.height.shape[0]):
        s.room[levels, j] = 0
    t = s.first[c]
    while t >= 0:
        if t != leaving:
            for j in range(s.height.shape[0]):
                at: whole = s.room[levels, j]
                while s.ancestors[t, j, at] != s.ancestors[joining, j, at]:
                    at += 1
                s.room[levels, j] = at
        t = s.after[t]
    cost: real = 0.0
    for j in range(s.height.shape[0]):
        cost += s.node_cost[s.ancestors[joining, j, s.room[levels, j]]]
    return cost


def gain_of_leaving(s: State, k: whole, gains: real[::1]) -> None:
    """Write down what each tuple's leaving for good would gain per row of it.

    It itself then costs all. `gains` is -inf before, and where a tuple cannot leave.
    """
    with cython.nogil:
        _write_gains(s, k, gains)


@cython.cfunc
def _write_gains(s: State, k: whole, gains: real[::1]) -> cython.void:
    for t in range(s.slot.shape[0]):
        c, rows = s.slot[t], s.counts[t]
        if s.cost[c] > 0.0 and s.rows[c] - rows >= k and _count_members(s, c) <= EXCHANGED_MEMBERS:
            other = s.first[c] if s.first[c] != t else s.after[t]
            left = (s.rows[c] - rows) * _box_after_exchange(s, c, t, other, LEVELS)
            gains[t] = (s.rows[c] * s.cost[c] - left) / rows - 1.0
