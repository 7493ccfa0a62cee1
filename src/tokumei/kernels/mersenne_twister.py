"""Random numbers inside compiled code: the Mersenne Twister (Matsumoto and Nishimura 1998).

The numbers are those of `numpy.random.RandomState`. The state: 624 words, and which is next.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython import uint as word
from cython import ulonglong as mask

cython.declare(WORDS=whole, SHIFT=whole, UPPER=word, LOWER=word, TWIST=word)
WORDS, SHIFT = 624, 397
WHOLE_WORD = cython.declare(mask, 0xFFFFFFFF)
UPPER, LOWER, TWIST = 0x80000000, 0x7FFFFFFF, 0x9908B0DF


@cython.cfunc
def seed_state(state: word[::1], seed: mask) -> cython.void:
    """Begin with a seed, of which 32 bits count."""
    last: mask = seed & WHOLE_WORD
    state[0] = cython.cast(word, last)
    for n in range(1, WORDS):
        last = (1812433253 * (last ^ (last >> 30)) + n) & WHOLE_WORD
        state[n] = cython.cast(word, last)
    state[WORDS] = WORDS


@cython.cfunc
def next_word(state: word[::1]) -> word:
    """The next 32 bits."""
    if state[WORDS] >= WORDS:
        _refill_state(state)
    y: word = state[state[WORDS]]
    state[WORDS] += 1
    y ^= y >> 11
    y ^= (y << 7) & cython.cast(word, 0x9D2C5680)
    y ^= (y << 15) & cython.cast(word, 0xEFC60000)
    return y ^ (y >> 18)


@cython.cfunc
def _refill_state(state: word[::1]) -> cython.void:
    for n in range(WORDS):
        y: word = (state[n] & UPPER) | (state[(n + 1) % WORDS] & LOWER)
        state[n] = state[(n + SHIFT) % WORDS] ^ (y >> 1)
        if y & 1:
            state[n] ^= TWIST
    state[WORDS] = 0


@cython.cfunc
def draw_uniform(state: word[::1]) -> real:
    """A random number in [0, 1)."""
    high: real = next_word(state) >> 5
    low: real = next_word(state) >> 6
    return (high * 67108864.0 + low) / 9007199254740992.0


@cython.cfunc
def draw_below(state: word[::1], n: whole) -> whole:
    """A random whole number in [0, n); n is at most 2³²."""
    most: mask = n - 1
    if most == 0:
        return 0
    bits: mask = most
    for power in range(5):
        bits |= bits >> (1 << power)
    found: mask = bits & next_word(state)
    while found > most:
        found = bits & next_word(state)
    return cython.cast(whole, found)


def draws(state: word[::1], seed: mask, n: whole, times: whole) -> list[tuple[int, float]]:
    """Numbers below n and shares after a seed, for tests."""
    seed_state(state, seed)
    found = []
    for _ in range(times):
        number = draw_below(state, n)
        found.append((number, draw_uniform(state)))
    return found
