"""The number of answers with the best chance to reach R(n), against all outcomes."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.histories.attackers.protocol import best_answer_count, chances_to_reach
from tokumei.histories.data.guess import thresholds_up_to


def slow_chance(confidence, needed):
    total = 0.0
    for outcome in product([0, 1], repeat=len(confidence)):
        parts = [p if right else 1 - p for p, right in zip(confidence, outcome, strict=True)]
        total += float(np.prod(parts)) * (sum(outcome) >= needed)
    return total


@given(st.lists(st.floats(0, 1), max_size=7), st.sampled_from([0.1, 0.5]))
def test_the_chances_are_those_of_all_outcomes(confidence, level):
    needed = thresholds_up_to(len(confidence), level=level, attackers=1)
    slow = [slow_chance(confidence[:n], needed[n]) for n in range(len(confidence) + 1)]
    assert chances_to_reach(np.array(confidence), needed) == pytest.approx(slow, abs=1e-12)


def test_sure_answers_are_given_and_doubtful_ones_are_not():
    sure, doubtful = np.full(40, 0.999), np.full(400, 0.05)
    confidence = np.random.default_rng(1).permutation(np.append(sure, doubtful))
    assert 30 <= best_answer_count(confidence, thresholds_up_to(440)) <= 70


def test_of_equally_good_numbers_the_largest():
    assert best_answer_count(np.ones(100), thresholds_up_to(100)) == 100
    assert best_answer_count(np.zeros(0), thresholds_up_to(0)) == 0
