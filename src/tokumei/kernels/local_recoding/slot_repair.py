"""Putting slots right after a step: smaller boxes where tuples left, help where rows are missing.

A slot short of rows takes in tuples that other slots can spare, or merges with another slot, or is
dissolved into the slots that cover its tuples: whichever costs least.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole

from tokumei.kernels.local_recoding.coverage import (
    NOTHING,
    cheapest_slot,
    list_candidates,
    random_below,
    random_uniform,
)
from tokumei.kernels.local_recoding.state import (
    LOGGED,
    MERGED,
    NONE,
    TIGHT,
    TOUCHED,
    TRIED,
    State,
    change_box,
    move_tuple,
)

MERGES_TRIED = cython.declare(whole, 16)
PRETEND = cython.declare(cython.bint, False)
REALLY = cython.declare(cython.bint, True)


@cython.cfunc
def repair_touched(s: State, k: whole) -> cython.bint:
    """Put every touched slot right; False if one cannot be helped."""
    i = 0
    while i < s.sizes[TOUCHED]:
        c = s.touched[i]
        i += 1
        if 0 < s.rows[c] < k and (
            s.sizes[LOGGED] > 4 * s.slot.shape[0] or not _repair_slot(s, c, k)
        ):
            return False
    for i in range(s.sizes[TOUCHED]):
        c = s.touched[i]
        if 0 < s.rows[c] < k:
            return False
        if s.rows[c] > 0:
            shrink_box(s, c)
    return True


@cython.cfunc
def shrink_box(s: State, c: whole) -> cython.void:
    """Shrink the box of a slot to the smallest one around its tuples."""
    head = s.first[c]
    loose: whole = 0
    for j in range(s.height.shape[0]):
        s.room[TIGHT, j] = 0
        loose += s.level[c, j] > 0
    t = s.after[head]
    while t >= 0 and loose > 0:
        for j in range(s.height.shape[0]):
            at: whole = s.room[TIGHT, j]
            if at < s.level[c, j] and s.ancestors[t, j, at] != s.ancestors[head, j, at]:
                while s.ancestors[t, j, at] != s.ancestors[head, j, at]:
                    at += 1
                s.room[TIGHT, j] = at
                if at == s.level[c, j]:
                    loose -= 1
        t = s.after[t]
    if loose > 0:
        change_box(s, c, TIGHT, head)


@cython.cfunc
def absorb_gaining_tuples(s: State, c: whole, k: whole) -> whole:
    """Slot c takes in tuples it covers that gain; how many candidates there were.

    Tuples that others can spare come, of the rest a random share. Those taken in are marked.
    """
    greed = random_uniform(s) * 1.6 - 0.4
    n = list_candidates(s, c)
    for i in range(n):
        t = s.found[i]
        old = s.slot[t]
        left = s.rows[old] - s.counts[t]
        spared: cython.bint = left == 0 or left >= k or s.rows[old] < k
        if s.gain[i] > 1e-12 and (spared or random_uniform(s) < greed):
            move_tuple(s, t, c)
            s.found[i] = -1 - t
    return n


@cython.cfunc
def refill_slot(s: State, c: whole, k: whole, n: whole, really: cython.bint) -> real:
    """Bring slot c to k rows with the cheapest of the n candidates others can spare: its cost."""
    total: real = 0.0
    need: whole = k - s.rows[c]
    while need > 0:
        i = _cheapest_spare_tuple(s, k, n, need)
        if i < 0:
            total = NOTHING
            break
        t = s.found[i]
        need -= s.counts[t]
        total -= s.gain[i] * s.counts[t]
        s.found[i] = -1 - t
        if really:
            move_tuple(s, t, c)
    if not really:
        for i in range(n):
            if s.found[i] < 0:
                s.found[i] = -1 - s.found[i]
    return total


@cython.cfunc
def _cheapest_spare_tuple(s: State, k: whole, n: whole, need: whole) -> whole:
    best, least = NONE, NOTHING
    for i in range(n):
        t = s.found[i]
        if t < 0:
            continue
        left = s.rows[s.slot[t]] - s.counts[t]
        if left == 0 or left >= k:
            value = -s.gain[i] * s.counts[t] / min(s.counts[t], need)
            if value < least:
                best, least = i, value
    return best


@cython.cfunc
def dissolve_slot(s: State, c: whole) -> cython.bint:
    """Every tuple of slot c goes to the cheapest other slot around it; False if one has none."""
    t = s.first[c]
    while t >= 0:
        following = s.after[t]
        other = cheapest_slot(s, t, c)
        if other < 0:
            return False
        move_tuple(s, t, other)
        t = following
    return True


@cython.cfunc
def _dissolve_cost(s: State, c: whole, limit: real) -> real:
    total: real = 0.0
    t = s.first[c]
    while t >= 0:
        other = cheapest_slot(s, t, c)
        if other < 0:
            return NOTHING
        total += s.counts[t] * (s.cost[other] - s.cost[c])
        if total > limit:
            return NOTHING
        t = s.after[t]
    return total


@cython.cfunc
def _merge_cost(s: State, c: whole, other: whole, levels: whole) -> real:
    """What one box around both slots would cost more; its levels are written to `levels`."""
    a, b = s.first[c], s.first[other]
    cost: real = 0.0
    for j in range(s.height.shape[0]):
        at: whole = max(s.level[c, j], s.level[other, j])
        while s.ancestors[a, j, at] != s.ancestors[b, j, at]:
            at += 1
        s.room[levels, j] = at
        cost += s.node_cost[s.ancestors[a, j, at]]
    return s.rows[c] * (cost - s.cost[c]) + s.rows[other] * (cost - s.cost[other])


@cython.cfunc
def _merge_slots(s: State, c: whole, other: whole) -> cython.void:
    _merge_cost(s, c, other, MERGED)
    change_box(s, other, MERGED, s.first[other])
    t = s.first[c]
    while t >= 0:
        following = s.after[t]
        move_tuple(s, t, other)
        t = following


@cython.cfunc
def _repair_slot(s: State, c: whole, k: whole) -> cython.bint:
    shrink_box(s, c)
    n = list_candidates(s, c)
    filled = refill_slot(s, c, k, n, PRETEND)
    dissolved = _dissolve_cost(s, c, filled)
    partner, merged = NONE, NOTHING
    for _ in range(MERGES_TRIED):
        other = s.slot[random_below(s, s.slot.shape[0])]
        if other != c:
            cost = _merge_cost(s, c, other, TRIED)
            if cost < merged:
                partner, merged = other, cost
    if partner >= 0 and merged < filled and merged < dissolved:
        _merge_slots(s, c, partner)
        return True
    if dissolved <= filled:
        return dissolved < NOTHING and dissolve_slot(s, c)
    refill_slot(s, c, k, n, REALLY)
    return True
