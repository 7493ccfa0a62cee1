"""Answers: the chance of the truth is exact, and draws follow it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from support.small_tables import chances
from tokumei.tables.data.guess import ABSTAIN, Guess

KNOWN = 6


@st.composite
def guesses(draw: st.DrawFn) -> tuple[Guess, list[list[float]]]:
    """A guess and the table of chances it was made from."""
    sets = draw(st.lists(st.sets(st.integers(0, KNOWN - 1), min_size=1), min_size=1, max_size=4))
    group = draw(st.lists(st.integers(ABSTAIN, len(sets) - 1), max_size=6))
    start = np.cumsum([0, *(len(s) for s in sets)])
    rows = np.array([row for s in sets for row in sorted(s)])
    shares = [[1 / len(s)] * len(s) for s in sets]
    weights = None
    if draw(st.booleans()):
        shares = [[draw(st.integers(1, 4)) / (4 * len(s)) for _ in s] for s in sets]
        weights = np.array([share for part in shares for share in part])
    table = [[0.0] * KNOWN for _ in group]
    for i, g in enumerate(group):
        if g != ABSTAIN:
            for row, share in zip(sorted(sets[g]), shares[g], strict=True):
                table[i][row] = share
    return Guess(np.array(group, dtype=np.int64), start, rows, weights), table


@given(guesses())
def test_chances_are_those_of_the_sets(made: tuple[Guess, list[list[float]]]) -> None:
    guess, table = made
    assert chances(guess, len(table), KNOWN) == table
    assert guess.chance_of(np.full(len(table), KNOWN + 5)).tolist() == [0.0] * len(table)


@given(made=guesses(), seed=st.integers(0, 99))
def test_draws_come_from_the_sets(made: tuple[Guess, list[list[float]]], seed: int) -> None:
    guess, table = made
    for answer, row in zip(guess.draw(np.random.default_rng(seed)), table, strict=True):
        assert answer == ABSTAIN or row[answer] > 0
        if abs(sum(row) - 1) < 1e-9:
            assert answer != ABSTAIN


@pytest.mark.parametrize(
    "weights",
    [
        None,
        [0.5, 0.2, 0.2, 0.1],
        [0.1, 0.0, 0.6, 0.3],
        [0.3, 0.1, 0.1, 0.1],  # what lacks to 1 is no answer
    ],
)
def test_draws_are_as_frequent_as_their_chance(weights: list[float] | None) -> None:
    n = 20_000
    # The set in question stands between two others.
    rows = np.array([9, 8, 4, 2, 7, 5, 3])
    start = np.array([0, 2, 6, 7])
    given_weights = None if weights is None else np.array([0.4, 0.6, *weights, 1.0])
    guess = Guess(np.ones(n, dtype=np.int64), start, rows, given_weights)
    answers = guess.draw(np.random.default_rng(5))
    values = [4, 2, 7, 5, ABSTAIN]
    chance = [float(guess.chance_of(np.full(n, v))[0]) for v in values[:-1]]
    chance.append(max(0.0, 1 - sum(chance)))
    seen = [int((answers == v).sum()) for v in values]
    assert sum(seen) == n
    possible = [i for i, c in enumerate(chance) if c > 1e-9]
    assert sum(seen[i] for i in possible) == n
    expected = np.array([chance[i] for i in possible])
    result = stats.chisquare([seen[i] for i in possible], n * expected / expected.sum())
    assert result.pvalue > 1e-3


def test_single_answers_and_abstentions() -> None:
    guess = Guess.single(np.array([2, ABSTAIN, 0]))
    assert guess.answered.tolist() == [True, False, True]
    assert guess.draw(np.random.default_rng(1)).tolist() == [2, ABSTAIN, 0]
    assert chances(guess, 3, 3) == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]


def test_nobody_asked_and_nobody_answered() -> None:
    nobody = Guess.single(np.full(3, ABSTAIN))
    assert nobody.draw(np.random.default_rng(1)).tolist() == [ABSTAIN] * 3
    assert nobody.chance_of(np.arange(3)).tolist() == [0, 0, 0]
    empty = Guess.single(np.array([], dtype=np.int64))
    assert len(empty.draw(np.random.default_rng(1))) == 0
