"""Exchanging two tuples between slots, and what a tuple's leaving would gain: boxes without one."""

from __future__ import annotations

import numpy as np

from tokumei.kernels.local.compiled import inner
from tokumei.kernels.local.cover import NOTHING, uniform
from tokumei.kernels.local.state import (
    HERE,
    LEVELS,
    NONE,
    THERE,
    State,
    move,
    rebox,
)
from tokumei.kernels.stored_code import stored

EXCHANGED_MEMBERS = 40


@inner
def exchange(s: State, t: int, c: int, k: int, heat: float) -> bool:
    """Tuple t for the member of slot c whose exchange costs least."""
    old = s.slot[t]
    if not (1 < _members(s, old) <= EXCHANGED_MEMBERS and _members(s, c) <= EXCHANGED_MEMBERS):
        return False
    here, there = s.room[HERE], s.room[THERE]
    best, least = NONE, NOTHING
    u = s.first[c]
    while u >= 0:
        surplus = s.counts[u] - s.counts[t]
        rows_here, rows_there = s.rows[old] + surplus, s.rows[c] - surplus
        if rows_here >= k and rows_there >= k:
            value = rows_here * _box_with(s, old, t, u, here)
            if value < least:
                value += rows_there * _box_with(s, c, u, t, there) + heat * uniform(s)
                if value < least:
                    best, least = u, value
        u = s.after[u]
    if best < 0:
        return False
    _box_with(s, old, t, best, here)
    _box_with(s, c, best, t, there)
    rebox(s, old, here, best)
    rebox(s, c, there, t)
    move(s, t, c)
    move(s, best, old)
    return True


@inner
def _members(s: State, c: int) -> int:
    """How many tuples, counted no further than is asked for."""
    n, t = 0, s.first[c]
    while t >= 0 and n <= EXCHANGED_MEMBERS:
        n += 1
        t = s.after[t]
    return n


@inner
def _box_with(s: State, c: int, leaving: int, joining: int, levels: np.ndarray) -> float:
    """The box of slot c after an exchange: its levels, and its cost per row."""
    for j in range(levels.size):
        levels[j] = 0
    t = s.first[c]
    while t >= 0:
        if t != leaving:
            for j in range(levels.size):
                while s.ancestors[t, j, levels[j]] != s.ancestors[joining, j, levels[j]]:
                    levels[j] += 1
        t = s.after[t]
    cost = 0.0
    for j in range(levels.size):
        cost += s.node_cost[s.ancestors[joining, j, levels[j]]]
    return cost


@stored
def gain_of_leaving(s: State, k: int, gains: np.ndarray) -> None:
    """Write down what each tuple's leaving for good would gain per row of it.

    It itself then costs all. `gains` is -inf before, and where a tuple cannot leave.
    """
    levels = s.room[LEVELS]
    for t in range(s.slot.size):
        c, rows = s.slot[t], s.counts[t]
        if s.cost[c] > 0.0 and s.rows[c] - rows >= k and _members(s, c) <= EXCHANGED_MEMBERS:
            other = s.first[c] if s.first[c] != t else s.after[t]
            left = (s.rows[c] - rows) * _box_with(s, c, t, other, levels)
            gains[t] = (s.rows[c] * s.cost[c] - left) / rows - 1.0
