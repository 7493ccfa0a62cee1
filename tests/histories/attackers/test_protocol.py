"""Tests of tokumei.histories.attackers.protocol."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.randomness import Randomness
from tokumei.histories.attackers.protocol import (
    assign_one_to_one,
    best_answer_count,
    chances_to_reach,
    lower_shared_confidence,
    match_probabilities,
    pick_most_votes,
)
from tokumei.histories.data.guess import thresholds_up_to


@st.composite
def matrices(draw, *, scale=50.0):
    rows, columns = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    cells = st.floats(-scale, scale, allow_nan=False)
    listed = draw(st.lists(cells, min_size=rows * columns, max_size=rows * columns))
    return np.array(listed).reshape(rows, columns)


@given(matrices())
def test_no_pseudonym_and_no_customer_is_given_away_twice(scores):
    chances = match_probabilities(scores)
    assert (chances >= 0).all()
    assert (chances.sum(axis=1) <= 1 + 1e-9).all()
    assert (chances.sum(axis=0) <= 1.1).all()


@pytest.mark.parametrize("apart", [0.0, 1.0, 40.0, 3000.0])
@pytest.mark.parametrize("k", [2, 3, 6])
def test_k_equal_histories_share_whatever_the_scores_say_inside(k, apart):
    """One customer explains the rows far better than the others; still each is one of k."""
    scores = np.full((3 * k, 3 * k), -9000.0)
    for first in range(0, 3 * k, k):
        scores[first : first + k, first : first + k] = 20.0 + apart * np.arange(k)
    chances = match_probabilities(scores)
    inside = np.kron(np.eye(3), np.ones((k, k)))
    assert chances == pytest.approx(inside / k, abs=0.02)


def test_strangers_leave_their_pseudonyms_without_a_sure_answer():
    scores = np.array([[30.0, -30.0], [-30.0, -30.0], [-30.0, 30.0]])
    chances = match_probabilities(scores)
    assert chances[0, 0] > 0.99
    assert chances[2, 1] > 0.99
    assert chances[1].sum() < 0.01


def test_nothing_to_compare_is_no_chance():
    assert match_probabilities(np.zeros((0, 4))).shape == (0, 4)
    assert match_probabilities(np.zeros((4, 0))).shape == (4, 0)


@given(matrices(scale=1.0), st.integers(0, 5))
def test_the_assignment_expects_the_most_hits(chances, seed):
    answers = assign_one_to_one(chances, rng=Randomness(seed))
    rows, columns = chances.shape
    given_away = answers[answers >= 0]
    assert len(set(given_away.tolist())) == len(given_away) == min(rows, columns)
    total = sum(chances[row, column] for row, column in enumerate(answers) if column >= 0)
    assert total == pytest.approx(slow_best(chances), abs=1e-7)


def slow_best(chances):
    table = chances if chances.shape[0] <= chances.shape[1] else chances.T
    orders = permutations(range(table.shape[1]), table.shape[0])
    return max(sum(table[row, column] for row, column in enumerate(order)) for order in orders)


def test_equal_chances_are_decided_by_lot():
    answers = np.array(
        [assign_one_to_one(np.ones((3, 3)), rng=Randomness(seed)) for seed in range(900)]
    )
    for person in range(3):
        assert np.bincount(answers[:, person], minlength=3) == pytest.approx(300, abs=60)


def test_votes_with_ties_are_decided_by_lot_and_none_without_votes():
    votes = np.array([[0, 2, 2], [0, 0, 0], [5, 4, 0]])
    drawn = [pick_most_votes(votes, rng=Randomness(seed)) for seed in range(400)]
    places = np.array([answer for answer, _ in drawn])
    assert np.bincount(places[:, 0], minlength=3) == pytest.approx([0, 200, 200], abs=50)
    assert (places[:, 1:] == [-1, 0]).all()
    assert drawn[0][1].tolist() == [2, 3, 1]


def test_answers_that_name_one_customer_share_it():
    sure = lower_shared_confidence(np.array([4, 4, 7, 4]), np.array([1.0, 0.2, 0.9, 1.0]))
    assert sure.tolist() == pytest.approx([1 / 3, 0.2, 0.9, 1 / 3])


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
