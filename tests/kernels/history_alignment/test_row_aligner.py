"""The compiled optimizer: its random numbers are NumPy's; a closed door."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.small_purchases import random_purchases
from tokumei.kernels.history_alignment.row_aligner import TWISTER_WORDS, RowAligner
from tokumei.kernels.loading import load, load_uncompiled

seeds = st.integers(0, 10**6)


@given(seeds, st.integers(1, 10**6))
@settings(max_examples=20)
def test_random_numbers_are_those_of_numpy(seed, n):
    legacy = np.random.RandomState(seed)
    expected = [(legacy.randint(n), legacy.random_sample()) for _ in range(350)]
    for kernel in (load("history_alignment"), load_uncompiled("history_alignment")):
        assert kernel.draws(np.empty(TWISTER_WORDS, np.uint32), seed, n, 350) == expected


def clusters():
    purchases = random_purchases(1, 6, 5)
    aligner, members = RowAligner(purchases), np.arange(6).reshape(2, 3)
    slot = np.full(purchases.rows, -1, np.int32)
    slots = np.array([aligner.align_cluster(line, slot, 1, 20)[0] for line in members])
    return aligner, members, slot, slots


WRONG = {
    "members": lambda a, m, s, n: a.realign(m[0] + 9, s, 1, 1, 20),
    "slot": lambda a, m, s, n: a.realign(m[0], s[:-1].copy(), 1, 1, 20),
    "slots": lambda a, m, s, n: a.realign(m[0], s, 99, 1, 20),
    "twice": lambda a, m, s, n: a.realign(m[0], np.zeros_like(s), int(n[0]), 1, 20),
    "built": lambda a, m, s, n: a.align_cluster(m[0], s, 1, 20),
    "type": lambda a, m, s, n: a.align_cluster(m[0].astype(np.int32), s, 1, 20),
    "exchange": lambda a, m, s, n: a.exchange_costs(m, np.array([[0, 9, 0, 1]]), s, n, 20),
    "cluster": lambda a, m, s, n: a.exchange_costs(m, np.array([[0, 3, 0, 7]]), s, n, 20),
    "elsewhere": lambda a, m, s, n: a.exchange_costs(m, np.array([[3, 0, 0, 1]]), s, n, 20),
    "newcomer": lambda a, m, s, n: a.replace(m[0], 0, 3, s, int(n[0]), 20),
    "nobody": lambda a, m, s, n: a.replace(m[0], 5, 3, s, int(n[0]), 20),
    "pairs": lambda a, m, s, n: a.exact_pair_costs(np.array([[0, 6]]), 20),
    "order": lambda a, m, s, n: a.estimate_pair_costs(
        np.array([0, 6]), 0, np.zeros((6, 6), np.float32)
    ),
    "cost": lambda a, m, s, n: a.estimate_pair_costs(
        np.array([0, 5]), 0, np.zeros((5, 5), np.float32)
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_raises(what):
    with pytest.raises(ValueError):  # noqa: PT011
        WRONG[what](*clusters())
