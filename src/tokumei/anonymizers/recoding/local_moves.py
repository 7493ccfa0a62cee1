"""The steps of annealing a local recoding, and the loop that accepts or rejects them.

    anneal(state, k, moves, hot, cold)

A step starts at a tuple, costly ones more often: it goes to another slot that covers it, joins a
neighbour's slot, opens a new box with whoever gains from it, is exchanged for another, or its slot
is dissolved. The slots it leaves are then put right, and the whole is accepted or undone.
"""

from __future__ import annotations

import math

import numpy as np

from tokumei.anonymizers.compiled import compiled
from tokumei.anonymizers.recoding.local_compiled import inner
from tokumei.anonymizers.recoding.local_cover import (
    any_other,
    any_slot,
    below,
    candidates,
    cheapest_slot,
    grow_box,
    uniform,
)
from tokumei.anonymizers.recoding.local_repair import dissolve, refill, settle
from tokumei.anonymizers.recoding.local_state import FREE, State, begin, move, new_slot, rebox, undo

EXCHANGED_MEMBERS = 40
RELOCATE, OPEN_BOX, DISSOLVE, JOIN = 0.15, 0.45, 0.47, 0.77  # shares, summed up; then exchange
COSTLY, FRIEND_MARGIN, BOX_MARGIN = 7.0, 4.5, 2.5  # in mean NCP of a row


@compiled
def anneal(s: State, k: int, moves: int, hot: float, cold: float, mean: float) -> float:
    """Try so many steps while the temperature falls from hot to cold; the change of the loss.

    `mean` is about the mean NCP of a row: it gives the scale for what is costly and what is near.
    """
    total = 0.0
    heat = hot
    for n in range(moves):
        if n % 256 == 0:
            heat = hot * (cold / hot) ** (n / moves)
        begin(s)
        t = _costly_tuple(s, COSTLY * mean)
        done = _step(s, t, k, heat, mean) and settle(s, k)
        if done and s.change[0] <= -heat * math.log(1.0 - uniform(s)):
            total += s.change[0]
        else:
            undo(s)
    return total


@inner
def _costly_tuple(s: State, costly: float) -> int:
    t = below(s, s.slot.size)
    for _ in range(20):
        if s.cost[s.slot[t]] > uniform(s) * costly:
            break
        t = below(s, s.slot.size)
    return t


@inner
def _step(s: State, t: int, k: int, heat: float, mean: float) -> bool:
    kind = uniform(s)
    if kind < RELOCATE:
        return _relocate(s, t)
    if kind < OPEN_BOX:
        return _open_box(s, t, k, BOX_MARGIN * mean)
    if kind < DISSOLVE:
        return s.rows[s.slot[t]] < 4 * k and dissolve(s, s.slot[t])
    levels = np.zeros(s.height.size, np.int64)
    if not grow_box(s, t, 2, s.cost[s.slot[t]] + FRIEND_MARGIN * mean, levels):
        return False
    friend = any_other(s, t)
    if friend < 0 or s.slot[friend] == s.slot[t]:
        return False
    if kind < JOIN:
        return _join(s, t, s.slot[friend], levels)
    return _exchange(s, t, s.slot[friend], k, heat)


@inner
def _relocate(s: State, t: int) -> bool:
    """To another slot that covers the tuple: the cheapest, or any."""
    old = s.slot[t]
    c = cheapest_slot(s, t, old) if uniform(s) < 0.5 else any_slot(s, t, old)
    if c >= 0:
        move(s, t, c)
    return c >= 0


@inner
def _join(s: State, t: int, c: int, levels: np.ndarray) -> bool:
    """To a slot whose box is widened for the tuple."""
    head = s.first[c]
    for j in range(levels.size):
        levels[j] = s.level[c, j]
        while s.ancestors[t, j, levels[j]] != s.ancestors[head, j, levels[j]]:
            levels[j] += 1
    rebox(s, c, levels, head)
    move(s, t, c)
    return True


@inner
def _open_box(s: State, t: int, k: int, margin: float) -> bool:
    """A new box around the tuple takes in who gains from it, and then who is spared cheapest."""
    levels = np.zeros(s.height.size, np.int64)
    if s.sizes[FREE] == 0 or not grow_box(s, t, k, s.cost[s.slot[t]] + margin, levels):
        return False
    greed = uniform(s) * 1.6 - 0.4
    c = new_slot(s, levels, t)
    move(s, t, c)
    n = candidates(s, c)
    for i in range(n):
        u = s.found[i]
        old = s.slot[u]
        left = s.rows[old] - s.counts[u]
        spared = left == 0 or left >= k or s.rows[old] < k
        if s.gain[i] > 1e-12 and (spared or uniform(s) < greed):
            move(s, u, c)
            s.found[i] = -1 - u
    return s.rows[c] >= k or refill(s, c, k, n, True) < 1e299


@inner
def _exchange(s: State, t: int, c: int, k: int, heat: float) -> bool:
    """Tuple t for the member of slot c whose exchange costs least."""
    old = s.slot[t]
    if not (1 < _members(s, old) <= EXCHANGED_MEMBERS and _members(s, c) <= EXCHANGED_MEMBERS):
        return False
    here = np.zeros(s.height.size, np.int64)
    there = np.zeros(s.height.size, np.int64)
    best, least = -1, 1e300
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


@compiled
def gain_of_leaving(s: State, k: int) -> np.ndarray:
    """What each tuple's leaving for good would gain per row of it, itself then costing all."""
    gains = np.full(s.slot.size, -np.inf)
    levels = np.zeros(s.height.size, np.int64)
    for t in range(s.slot.size):
        c, rows = s.slot[t], s.counts[t]
        if s.cost[c] > 0.0 and s.rows[c] - rows >= k and _members(s, c) <= EXCHANGED_MEMBERS:
            other = s.first[c] if s.first[c] != t else s.after[t]
            left = (s.rows[c] - rows) * _box_with(s, c, t, other, levels)
            gains[t] = (s.rows[c] * s.cost[c] - left) / rows - 1.0
    return gains
