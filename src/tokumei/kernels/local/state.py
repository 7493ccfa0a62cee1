"""The state of annealing a local recoding: tuples in slots, every slot a box of nodes.

A *slot* is a class under construction: its box is one node per column, its rows the tuples linked
to it. Every change goes through `move`, `rebox` and `new_slot`, which keep the running change of
the loss in `change[0]` and a log, so that `undo` can take a rejected step back.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.local.compiled import constant, inner
from tokumei.kernels.stored_code import stored

FREE, TOUCHED, LOGGED = 0, 1, 2
HERE, THERE, LEVELS, NODES, TIGHT, MERGED, TRIED = range(7)
"""Who uses which row of `room`."""
MOVED, REBOXED, CLOSED, OPENED = constant(0), constant(1), constant(2), constant(3)
NONE = constant(-1)


class State(NamedTuple):
    """Arrays over tuples (t), slots (s), columns (j), nodes (g, numbered through all columns)."""

    ancestors: np.ndarray  # [t, j, level] → node; levels above the top repeat the top
    counts: np.ndarray  # [t] → rows
    node_cost: np.ndarray  # [g] → its share of the NCP of a row
    node_tuples: np.ndarray  # [g, words]: the tuples under a node, as bits
    leaf_slots: np.ndarray  # [g, words]: the slots whose box covers a leaf in its column
    under_at: np.ndarray  # [g] → start of its leaves in `under`
    under: np.ndarray
    height: np.ndarray  # [j] → highest level
    slot: np.ndarray  # [t] → slot
    after: np.ndarray  # [t] → next tuple of the slot, or -1
    before: np.ndarray
    first: np.ndarray  # [s] → first tuple, or -1
    rows: np.ndarray  # [s]
    cost: np.ndarray  # [s] → NCP of one row in the box
    level: np.ndarray  # [s, j]
    node: np.ndarray  # [s, j]
    open_slots: np.ndarray  # words
    free: np.ndarray  # stack of unused slots
    sizes: np.ndarray  # free slots, touched slots, log entries
    touched: np.ndarray  # slots that lost a tuple in this step
    log: np.ndarray  # [n] → kind of change, what was changed, where from
    log_level: np.ndarray
    change: np.ndarray  # [1] → change of the loss in this step
    random: np.ndarray  # [1]
    tuple_bits: np.ndarray  # answer of the last query for tuples
    slot_bits: np.ndarray  # answer of the last query for slots
    found: np.ndarray  # tuples a slot could take in, or -1 where already taken
    gain: np.ndarray  # what each would gain per row
    room: np.ndarray  # [7, j]: levels or nodes that a step works on


@inner
def begin(s: State) -> None:
    """Start a new step: nothing touched, nothing to undo."""
    s.sizes[TOUCHED] = 0
    s.sizes[LOGGED] = 0
    s.change[0] = 0.0


@inner
def _link(s: State, t: int, c: int) -> None:
    head = s.first[c]
    s.after[t] = head
    s.before[t] = -1
    if head >= 0:
        s.before[head] = t
    s.first[c] = t
    s.slot[t] = c
    s.rows[c] += s.counts[t]


@inner
def _unlink(s: State, t: int) -> None:
    c, left, right = s.slot[t], s.before[t], s.after[t]
    if left >= 0:
        s.after[left] = right
    else:
        s.first[c] = right
    if right >= 0:
        s.before[right] = left
    s.rows[c] -= s.counts[t]


@inner
def _open_or_close(s: State, c: int) -> None:
    s.open_slots[c >> 6] ^= np.uint64(1) << np.uint64(c & 63)


@inner
def _set_box(s: State, c: int, levels: np.ndarray, t: int) -> None:
    """The box of slot c becomes tuple t generalized to the levels."""
    bit = np.uint64(1) << np.uint64(c & 63)
    word = c >> 6
    cost = 0.0
    for j in range(levels.size):
        new, old = s.ancestors[t, j, levels[j]], s.node[c, j]
        if new != old:
            if old >= 0:
                for i in range(s.under_at[old], s.under_at[old + 1]):
                    s.leaf_slots[s.under[i], word] &= ~bit
            for i in range(s.under_at[new], s.under_at[new + 1]):
                s.leaf_slots[s.under[i], word] |= bit
            s.node[c, j] = new
        s.level[c, j] = levels[j]
        cost += s.node_cost[new]
    s.change[0] += s.rows[c] * (cost - s.cost[c])
    s.cost[c] = cost


@inner
def _note(s: State, kind: int, what: int, origin: int) -> None:
    n = s.sizes[LOGGED]
    s.log[n, 0], s.log[n, 1], s.log[n, 2] = kind, what, origin
    s.sizes[LOGGED] = n + 1


@inner
def _touch(s: State, c: int) -> None:
    n = s.sizes[TOUCHED]
    for i in range(n):
        if s.touched[i] == c:
            return
    s.touched[n] = c
    s.sizes[TOUCHED] = n + 1


@inner
def move(s: State, t: int, c: int) -> None:
    """Tuple t goes to slot c; a slot it leaves empty is closed."""
    old = s.slot[t]
    _note(s, MOVED, t, old)
    _unlink(s, t)
    _link(s, t, c)
    s.change[0] += s.counts[t] * (s.cost[c] - s.cost[old])
    if s.rows[old] == 0:
        _note(s, CLOSED, old, old)
        _open_or_close(s, old)
        s.free[s.sizes[FREE]] = old
        s.sizes[FREE] += 1
    else:
        _touch(s, old)


@inner
def rebox(s: State, c: int, levels: np.ndarray, t: int) -> None:
    """Change the box of a slot with members to tuple t at these levels."""
    for j in range(levels.size):
        s.log_level[s.sizes[LOGGED], j] = s.level[c, j]
    _note(s, REBOXED, c, s.first[c])
    _set_box(s, c, levels, t)


@inner
def new_slot(s: State, levels: np.ndarray, t: int) -> int:
    """Open an empty slot whose box is tuple t at these levels; the caller fills it."""
    s.sizes[FREE] -= 1
    c = s.free[s.sizes[FREE]]
    _note(s, OPENED, c, c)
    _set_box(s, c, levels, t)
    _open_or_close(s, c)
    return int(c)


@inner
def undo(s: State) -> None:
    """Take the whole step back."""
    while s.sizes[LOGGED] > 0:
        n = s.sizes[LOGGED] - 1
        s.sizes[LOGGED] = n
        kind, what, origin = s.log[n, 0], s.log[n, 1], s.log[n, 2]
        if kind == MOVED:
            _unlink(s, what)
            _link(s, what, origin)
        elif kind == REBOXED:
            _set_box(s, what, s.log_level[n], origin)
        elif kind == CLOSED:
            _open_or_close(s, what)
            s.sizes[FREE] -= 1
        else:
            _open_or_close(s, what)
            s.free[s.sizes[FREE]] = what
            s.sizes[FREE] += 1


@stored
def enter(s: State, class_of: np.ndarray, slot_of: np.ndarray) -> None:
    """Fill an empty state with given classes, each in the smallest box around its tuples.

    `slot_of` (-1 for every class) becomes the slots of the classes.
    """
    levels = s.room[LEVELS]
    for t in range(class_of.size):
        _note_tuple(s, t)
        c = slot_of[class_of[t]]
        if c < 0:
            for j in range(levels.size):
                levels[j] = 0
            c = new_slot(s, levels, t)
            slot_of[class_of[t]] = c
            s.sizes[LOGGED] = 0
        else:
            head = s.first[c]
            for j in range(levels.size):
                levels[j] = s.level[c, j]
                while s.ancestors[t, j, levels[j]] != s.ancestors[head, j, levels[j]]:
                    levels[j] += 1
            _set_box(s, c, levels, t)
        _link(s, t, c)


@inner
def _note_tuple(s: State, t: int) -> None:
    """Write tuple t down with every node above it."""
    bit = np.uint64(1) << np.uint64(t & 63)
    for j in range(s.height.size):
        for level in range(s.height[j] + 1):
            s.node_tuples[s.ancestors[t, j, level], t >> 6] |= bit
