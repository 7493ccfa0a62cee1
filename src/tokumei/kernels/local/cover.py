"""What covers what, by bit sets: the slots around a tuple, the tuples under a box; random draws.

cover_slots(state, t)      # the answer is in state.slot_bits
cover_tuples(state, nodes) # the answer is in state.tuple_bits
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.local.compiled import inner
from tokumei.kernels.local.state import NODES, NONE, State

NOTHING = 1e300
_DE_BRUIJN = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, dtype=np.int64)
for _bit in range(64):
    _PLACE[((_DE_BRUIJN << _bit) & (2**64 - 1)) >> 58] = _bit
_FACTOR = np.uint64(_DE_BRUIJN)


@inner
def lowest_bit(word: np.uint64) -> int:
    """The place of the lowest bit that is set (de Bruijn multiplication)."""
    lowest = word & (~word + np.uint64(1))
    return int(_PLACE[(lowest * _FACTOR) >> np.uint64(58)])


@inner
def draw(s: State) -> np.uint64:
    """64 random bits (SplitMix64), the same on every machine."""
    s.random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = s.random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.uint64(z ^ (z >> np.uint64(31)))


@inner
def uniform(s: State) -> float:
    """A random number in [0, 1)."""
    return (draw(s) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@inner
def below(s: State, n: int) -> int:
    """A random whole number in [0, n)."""
    return int(np.int64(((draw(s) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)))


@inner
def cover_slots(s: State, t: int) -> None:
    """The open slots whose box covers tuple t."""
    for w in range(s.slot_bits.size):
        s.slot_bits[w] = s.open_slots[w]
    for j in range(s.height.size):
        leaf = s.ancestors[t, j, 0]
        for w in range(s.slot_bits.size):
            s.slot_bits[w] &= s.leaf_slots[leaf, w]


@inner
def cheapest_slot(s: State, t: int, avoid: int) -> int:
    """The cheapest slot that covers tuple t, other than `avoid`; -1 if there is none."""
    cover_slots(s, t)
    best, least = NONE, NOTHING
    for w in range(s.slot_bits.size):
        bits = s.slot_bits[w]
        while bits:
            c = w * 64 + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if c != avoid and s.cost[c] < least:
                best, least = c, s.cost[c]
    return best


@inner
def any_slot(s: State, t: int, avoid: int) -> int:
    """A random slot that covers tuple t, other than `avoid`; -1 if there is none."""
    cover_slots(s, t)
    chosen, seen = NONE, 0
    for w in range(s.slot_bits.size):
        bits = s.slot_bits[w]
        while bits:
            c = w * 64 + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if c != avoid:
                seen += 1
                if below(s, seen) == 0:
                    chosen = c
    return chosen


@inner
def cover_tuples(s: State, nodes: np.ndarray) -> None:
    """The tuples under a box."""
    for w in range(s.tuple_bits.size):
        s.tuple_bits[w] = s.node_tuples[nodes[0], w]
    for j in range(1, nodes.size):
        node = nodes[j]
        for w in range(s.tuple_bits.size):
            s.tuple_bits[w] &= s.node_tuples[node, w]


@inner
def any_other(s: State, t: int) -> int:
    """A random tuple of the last answer other than t; -1 if there is none."""
    chosen, seen = NONE, 0
    for w in range(s.tuple_bits.size):
        bits = s.tuple_bits[w]
        while bits:
            u = w * 64 + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if u != t:
                seen += 1
                if below(s, seen) == 0:
                    chosen = u
    return chosen


@inner
def enough_rows(s: State, k: int) -> bool:
    """Whether the tuples of the last answer have at least k rows."""
    rows = 0
    for w in range(s.tuple_bits.size):
        bits = s.tuple_bits[w]
        while bits:
            rows += s.counts[w * 64 + lowest_bit(bits)]
            bits &= bits - np.uint64(1)
        if rows >= k:
            return True
    return False


@inner
def candidates(s: State, c: int) -> int:
    """Tuples the box of slot c covers but does not hold, with their gain per row; how many."""
    cover_tuples(s, s.node[c])
    n = 0
    for w in range(s.tuple_bits.size):
        bits = s.tuple_bits[w]
        while bits:
            t = w * 64 + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if s.slot[t] != c:
                s.found[n] = t
                s.gain[n] = s.cost[s.slot[t]] - s.cost[c]
                n += 1
    return n


@inner
def grow_box(s: State, t: int, k: int, limit: float, levels: np.ndarray) -> bool:
    """Raise random columns of tuple t until ≥ k rows are covered; False if it costs too much."""
    nodes = s.room[NODES]
    steps, cost = 0, 0.0
    for j in range(levels.size):
        levels[j] = 0
        nodes[j] = s.ancestors[t, j, 0]
        steps += s.height[j]
    while cost <= limit:
        cover_tuples(s, nodes)
        if enough_rows(s, k) and uniform(s) < 0.8:
            return True
        j = _column_to_raise(s, t, levels)
        if j >= 0:
            levels[j] += 1
            new = s.ancestors[t, j, levels[j]]
            cost += s.node_cost[new] - s.node_cost[nodes[j]]
            nodes[j] = new
            steps -= 1
        elif steps == 0:
            return True
    return False


@inner
def _column_to_raise(s: State, t: int, levels: np.ndarray) -> int:
    """The cheaper of two random columns, or just one random column; -1 if neither can rise."""
    best, least = NONE, NOTHING
    for _ in range(2):
        j = below(s, levels.size)
        if levels[j] < s.height[j]:
            low, high = s.ancestors[t, j, levels[j]], s.ancestors[t, j, levels[j] + 1]
            step = s.node_cost[high] - s.node_cost[low]
            if step < least:
                best, least = j, step
        if best >= 0 and uniform(s) < 0.3:
            break
    return best
