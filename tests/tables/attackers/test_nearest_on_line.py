"""One dimension: every nearest value of the set, whatever the gaps between values."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.small_tables import chances, uniform
from tokumei.tables.attackers.neighbour_search import nearest_on_line
from tokumei.tables.data.guess import ABSTAIN, Guess


@given(seed=st.integers(0, 2**32), top=st.sampled_from([3, 60, 10**6]))
def test_nearest_on_line_equals_a_loop(seed: int, top: int) -> None:
    chance = random.Random(seed)
    known = [chance.randint(0, top) for _ in range(chance.randint(1, 9))]
    sets = [chance.sample(range(len(known)), chance.randint(1, len(known))) for _ in range(3)]
    released = [chance.randint(-2, 2 * top + 2) / 2 for _ in range(8)]
    group = [chance.randint(ABSTAIN, 2) for _ in released]
    found = Guess(
        np.array(group), np.cumsum([0, *map(len, sets)]), np.array([i for s in sets for i in s])
    )
    reference = []
    for value, g in zip(released, group, strict=True):
        among = sets[g] if g != ABSTAIN else []
        best = min((abs(known[i] - value) for i in among), default=0)
        nearest = [i for i in among if abs(known[i] - value) == best]
        reference.append(uniform(nearest, len(known)) if nearest else [0.0] * len(known))
    guess = nearest_on_line(found, np.array(known, dtype=float), np.array(released))
    assert np.allclose(chances(guess, 8, len(known)), reference)


@pytest.mark.parametrize(
    ("released", "chance"),
    [
        (0.0, [0.5, 0.5, 0, 0]),  # two equal rows
        (4.9, [0.5, 0.5, 0, 0]),
        (5.0, [1 / 3, 1 / 3, 1 / 3, 0]),  # half way: both sides
        (5.1, [0, 0, 1, 0]),
        (1e9, [0, 0, 0, 1]),
        (-1e9, [0.5, 0.5, 0, 0]),
    ],
)
def test_ties(released: float, chance: list[float]) -> None:
    everyone = Guess(np.array([0]), np.array([0, 4]), np.arange(4))
    guess = nearest_on_line(everyone, np.array([0.0, 0.0, 10.0, 30.0]), np.array([released]))
    assert chances(guess, 1, 4)[0] == pytest.approx(chance)
