"""What covers what, by bit sets: the slots around a tuple, the tuples under a box; random draws.

find_covering_slots(state, t)      # the answer is in state.slot_bits
find_covered_tuples(state, nodes) # the answer is in state.tuple_bits
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython import ulonglong as mask

from tokumei.kernels.local_recoding.state import NODES, NONE, State

NOTHING = cython.declare(real, 1e300)


@cython.cfunc
def lowest_bit(word: mask) -> whole:
    """The place of the lowest bit that is set (de Bruijn multiplication)."""
    factor: mask = 0x03F79D71B4CB0A89
    places: cython.p_char = (
        b"\x00\x01\x30\x02\x39\x31\x1c\x03\x3d\x3a\x32\x2a\x26\x1d\x11\x04"
        b"\x3e\x37\x3b\x24\x35\x33\x2b\x16\x2d\x27\x21\x1e\x18\x12\x0c\x05"
        b"\x3f\x2f\x38\x1b\x3c\x29\x25\x10\x36\x23\x34\x15\x2c\x20\x17\x0b"
        b"\x2e\x1a\x28\x0f\x22\x14\x1f\x0a\x19\x0e\x13\x09\x0d\x08\x07\x06"
    )
    lowest = word & (~word + 1)
    return places[(lowest * factor) >> 58]


@cython.cfunc
def random_bits(s: State) -> mask:
    """64 random bits (SplitMix64), the same on every machine."""
    step: mask = 0x9E3779B97F4A7C15
    first: mask = 0xBF58476D1CE4E5B9
    second: mask = 0x94D049BB133111EB
    s.random[0] += step
    z = s.random[0]
    z = (z ^ (z >> 30)) * first
    z = (z ^ (z >> 27)) * second
    return z ^ (z >> 31)


@cython.cfunc
def random_uniform(s: State) -> real:
    """A random number in [0, 1)."""
    return (random_bits(s) >> 11) * (1.0 / 9007199254740992.0)


@cython.cfunc
def random_below(s: State, n: whole) -> whole:
    """A random whole number in [0, n)."""
    drawn = random_bits(s) >> 32
    return cython.cast(whole, (drawn * n) >> 32)


@cython.cfunc
def find_covering_slots(s: State, t: whole) -> cython.void:
    """The open slots whose box covers tuple t."""
    for w in range(s.slot_bits.shape[0]):
        s.slot_bits[w] = s.open_slots[w]
    for j in range(s.height.shape[0]):
        leaf = s.ancestors[t, j, 0]
        for w in range(s.slot_bits.shape[0]):
            s.slot_bits[w] &= s.leaf_slots[leaf, w]


@cython.cfunc
def cheapest_slot(s: State, t: whole, avoid: whole) -> whole:
    """The cheapest slot that covers tuple t, other than `avoid`; -1 if there is none."""
    find_covering_slots(s, t)
    best, least = NONE, NOTHING
    for w in range(s.slot_bits.shape[0]):
        bits = s.slot_bits[w]
        while bits:
            c = w * 64 + lowest_bit(bits)
            bits &= bits - 1
            if c != avoid and s.cost[c] < least:
                best, least = c, s.cost[c]
    return best


@cython.cfunc
def random_slot(s: State, t: whole, avoid: whole) -> whole:
    """A random slot that covers tuple t, other than `avoid`; -1 if there is none."""
    find_covering_slots(s, t)
    chosen, seen = NONE, 0
    for w in range(s.slot_bits.shape[0]):
        bits = s.slot_bits[w]
        while bits:
            c = w * 64 + lowest_bit(bits)
            bits &= bits - 1
            if c != avoid:
                seen += 1
                if random_below(s, seen) == 0:
                    chosen = c
    return chosen


@cython.cfunc
def find_covered_tuples(s: State) -> cython.void:
    """The tuples under the box of nodes in `room`.

    Tuples are in the order of their codes, so that most words have none of a box: `node_words`
    tells which may have some, and only those are looked at.
    """
    for i in range(s.word_bits.shape[0]):
        words: mask = s.node_words[s.room[NODES, 0], i]
        for j in range(1, s.height.shape[0]):
            words &= s.node_words[s.room[NODES, j], i]
        filled: mask = words
        while words:
            w = i * 64 + lowest_bit(words)
            bits: mask = s.node_tuples[s.room[NODES, 0], w]
            for j in range(1, s.height.shape[0]):
                bits &= s.node_tuples[s.room[NODES, j], w]
                if bits == 0:
                    filled ^= words & (~words + 1)
                    break
            s.tuple_bits[w] = bits
            words &= words - 1
        s.word_bits[i] = filled


@cython.cfunc
def random_other_covered(s: State, t: whole) -> whole:
    """A random tuple of the last answer other than t; -1 if there is none."""
    chosen, seen = NONE, 0
    for i in range(list_covered_tuples(s)):
        if s.found[i] != t:
            seen += 1
            if random_below(s, seen) == 0:
                chosen = s.found[i]
    return chosen


@cython.cfunc
def list_covered_tuples(s: State) -> whole:
    """Put the tuples of the last answer into `found`, in their order; how many."""
    n: whole = 0
    for i in range(s.word_bits.shape[0]):
        words = s.word_bits[i]
        while words:
            w = i * 64 + lowest_bit(words)
            words &= words - 1
            bits = s.tuple_bits[w]
            while bits:
                s.found[n] = w * 64 + lowest_bit(bits)
                bits &= bits - 1
                n += 1
    return n


@cython.cfunc
def covered_rows_suffice(s: State, k: whole) -> cython.bint:
    """Whether the tuples of the last answer have at least k rows."""
    rows: whole = 0
    for i in range(s.word_bits.shape[0]):
        words = s.word_bits[i]
        while words:
            w = i * 64 + lowest_bit(words)
            words &= words - 1
            bits = s.tuple_bits[w]
            while bits:
                rows += s.counts[w * 64 + lowest_bit(bits)]
                bits &= bits - 1
            if rows >= k:
                return True
    return False


@cython.cfunc
def list_candidates(s: State, c: whole) -> whole:
    """Tuples the box of slot c covers but does not hold, with their gain per row; how many."""
    for j in range(s.height.shape[0]):
        s.room[NODES, j] = s.node[c, j]
    find_covered_tuples(s)
    n = 0
    for i in range(list_covered_tuples(s)):
        t = s.found[i]
        if s.slot[t] != c:
            s.found[n] = t
            s.gain[n] = s.cost[s.slot[t]] - s.cost[c]
            n += 1
    return n


@cython.cfunc
def grow_box(s: State, t: whole, k: whole, limit: real, levels: whole) -> cython.bint:
    """Raise random columns of tuple t until ≥ k rows are covered; False if it costs too much."""
    steps: whole = 0
    cost: real = 0.0
    for j in range(s.height.shape[0]):
        s.room[levels, j] = 0
        s.room[NODES, j] = s.ancestors[t, j, 0]
        steps += s.height[j]
    while cost <= limit:
        find_covered_tuples(s)
        if covered_rows_suffice(s, k) and random_uniform(s) < 0.8:
            return True
        j = _column_to_raise(s, t, levels)
        if j >= 0:
            s.room[levels, j] += 1
            new = s.ancestors[t, j, s.room[levels, j]]
            cost += s.node_cost[new] - s.node_cost[s.room[NODES, j]]
            s.room[NODES, j] = new
            steps -= 1
        elif steps == 0:
            return True
    return False


@cython.cfunc
def _column_to_raise(s: State, t: whole, levels: whole) -> whole:
    """The cheaper of two random columns, or just one random column; -1 if neither can rise."""
    best, least = NONE, NOTHING
    for _ in range(2):
        j = random_below(s, s.height.shape[0])
        if s.room[levels, j] < s.height[j]:
            at = s.room[levels, j]
            low, high = s.ancestors[t, j, at], s.ancestors[t, j, at + 1]
            step = s.node_cost[high] - s.node_cost[low]
            if step < least:
                best, least = j, step
        if best >= 0 and random_uniform(s) < 0.3:
            break
    return best
