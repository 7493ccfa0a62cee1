"""The state of annealing a local recoding: tuples in slots, every slot a box of nodes.

A *slot* is a class under construction: its box is one node per column, its rows the tuples linked
to it. Every change goes through `move`, `rebox` and `new_slot`, which keep the running change of
the loss in `change[0]` and a log, so that `undo` can take a rejected step back.
"""

from __future__ import annotations

import cython
import numpy as np
from cython import double as real
from cython import longlong as whole
from cython import ulonglong as mask

from tokumei.kernels.local_recoding import State

NONE = cython.declare(whole, -1)
cython.declare(FREE=whole, TOUCHED=whole, LOGGED=whole)
FREE, TOUCHED, LOGGED = range(3)
cython.declare(HERE=whole, THERE=whole, LEVELS=whole, NODES=whole)
cython.declare(TIGHT=whole, MERGED=whole, TRIED=whole, UNDONE=whole)
HERE, THERE, LEVELS, NODES, TIGHT, MERGED, TRIED, UNDONE = range(8)
"""Who uses which row of `room`."""
cython.declare(MOVED=whole, REBOXED=whole, CLOSED=whole, OPENED=whole)
MOVED, REBOXED, CLOSED, OPENED = range(4)


@cython.cfunc
def bit_of(place: whole) -> mask:
    """The bit of a place in its word."""
    if cython.compiled:
        return cython.cast(mask, 1) << (place & 63)
    return np.uint64(1 << (place & 63))


@cython.cfunc
def begin_step(s: State) -> cython.void:
    """Start a new step: nothing touched, nothing to undo."""
    s.sizes[TOUCHED] = 0
    s.sizes[LOGGED] = 0
    s.change[0] = 0.0


@cython.cfunc
def _link(s: State, t: whole, c: whole) -> cython.void:
    head = s.first[c]
    s.after[t] = head
    s.before[t] = -1
    if head >= 0:
        s.before[head] = t
    s.first[c] = t
    s.slot[t] = c
    s.rows[c] += s.counts[t]


@cython.cfunc
def _unlink(s: State, t: whole) -> cython.void:
    c, left, right = s.slot[t], s.before[t], s.after[t]
    if left >= 0:
        s.after[left] = right
    else:
        s.first[c] = right
    if right >= 0:
        s.before[right] = left
    s.rows[c] -= s.counts[t]


@cython.cfunc
def _toggle_open(s: State, c: whole) -> cython.void:
    s.open_slots[c >> 6] ^= bit_of(c)


@cython.cfunc
def _set_box(s: State, c: whole, levels: whole, t: whole) -> cython.void:
    """The box of slot c becomes tuple t generalized to the levels."""
    bit = bit_of(c)
    word = c >> 6
    cost: real = 0.0
    for j in range(s.height.shape[0]):
        new, old = s.ancestors[t, j, s.room[levels, j]], s.node[c, j]
        if new != old:
            if old >= 0:
                for i in range(s.under_at[old], s.under_at[old + 1]):
                    s.leaf_slots[s.under[i], word] &= ~bit
            for i in range(s.under_at[new], s.under_at[new + 1]):
                s.leaf_slots[s.under[i], word] |= bit
            s.node[c, j] = new
        s.level[c, j] = s.room[levels, j]
        cost += s.node_cost[new]
    s.change[0] += s.rows[c] * (cost - s.cost[c])
    s.cost[c] = cost


@cython.cfunc
def _log_change(s: State, kind: whole, what: whole, origin: whole) -> cython.void:
    n = s.sizes[LOGGED]
    s.log[n, 0], s.log[n, 1], s.log[n, 2] = kind, what, origin
    s.sizes[LOGGED] = n + 1


@cython.cfunc
def _mark_touched(s: State, c: whole) -> cython.void:
    n = s.sizes[TOUCHED]
    for i in range(n):
        if s.touched[i] == c:
            return
    s.touched[n] = c
    s.sizes[TOUCHED] = n + 1


@cython.cfunc
def move_tuple(s: State, t: whole, c: whole) -> cython.void:
    """Tuple t goes to slot c; a slot it leaves empty is closed."""
    old = s.slot[t]
    _log_change(s, MOVED, t, old)
    _unlink(s, t)
    _link(s, t, c)
    s.change[0] += s.counts[t] * (s.cost[c] - s.cost[old])
    if s.rows[old] == 0:
        _log_change(s, CLOSED, old, old)
        _toggle_open(s, old)
        s.free[s.sizes[FREE]] = old
        s.sizes[FREE] += 1
    else:
        _mark_touched(s, old)


@cython.cfunc
def change_box(s: State, c: whole, levels: whole, t: whole) -> cython.void:
    """Change the box of a slot with members to tuple t at these levels."""
    for j in range(s.height.shape[0]):
        s.log_level[s.sizes[LOGGED], j] = s.level[c, j]
    _log_change(s, REBOXED, c, s.first[c])
    _set_box(s, c, levels, t)


@cython.cfunc
def new_slot(s: State, levels: whole, t: whole) -> whole:
    """Open an empty slot whose box is tuple t at these levels; the caller fills it."""
    s.sizes[FREE] -= 1
    c = s.free[s.sizes[FREE]]
    _log_change(s, OPENED, c, c)
    _set_box(s, c, levels, t)
    _toggle_open(s, c)
    return c


@cython.cfunc
def undo(s: State) -> cython.void:
    """Take the whole step back."""
    while s.sizes[LOGGED] > 0:
        n = s.sizes[LOGGED] - 1
        s.sizes[LOGGED] = n
        kind, what, origin = s.log[n, 0], s.log[n, 1], s.log[n, 2]
        if kind == MOVED:
            _unlink(s, what)
            _link(s, what, origin)
        elif kind == REBOXED:
            for j in range(s.height.shape[0]):
                s.room[UNDONE, j] = s.log_level[n, j]
            _set_box(s, what, UNDONE, origin)
        elif kind == CLOSED:
            _toggle_open(s, what)
            s.sizes[FREE] -= 1
        else:
            _toggle_open(s, what)
            s.free[s.sizes[FREE]] = what
            s.sizes[FREE] += 1


def fill_from_classes(s: State, class_of: whole[::1], slot_of: whole[::1]) -> None:
    """Fill an empty state with given classes, each in the smallest box around its tuples.

    `slot_of` (-1 for every class) becomes the slots of the classes.
    """
    with cython.nogil:
        for t in range(class_of.shape[0]):
            _index_tuple(s, t)
            c = slot_of[class_of[t]]
            if c < 0:
                for j in range(s.height.shape[0]):
                    s.room[LEVELS, j] = 0
                c = new_slot(s, LEVELS, t)
                slot_of[class_of[t]] = c
                s.sizes[LOGGED] = 0
            else:
                head = s.first[c]
                for j in range(s.height.shape[0]):
                    at: whole = s.level[c, j]
                    while s.ancestors[t, j, at] != s.ancestors[head, j, at]:
                        at += 1
                    s.room[LEVELS, j] = at
                _set_box(s, c, LEVELS, t)
            _link(s, t, c)


@cython.cfunc
def _index_tuple(s: State, t: whole) -> cython.void:
    """Write tuple t down with every node above it."""
    bit, word = bit_of(t), t >> 6
    for j in range(s.height.shape[0]):
        for level in range(s.height[j] + 1):
            s.node_tuples[s.ancestors[t, j, level], word] |= bit
            s.node_words[s.ancestors[t, j, level], word >> 6] |= bit_of(word)
