"""Tests of tokumei.pseudonyms.attackers.habits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

from tokumei.pseudonyms.attackers.assignment import MonthlyAnswers, MonthlyEvidence
from tokumei.pseudonyms.attackers.habits import HABIT_SHARES, Habits


def test_habits_equal_the_formula():
    items = csr_array(np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1], [0, 1, 1, 0]]))
    chosen = np.array([[0, 1], [2, 3]])
    rows = np.array([[2, 0, 1, 0], [0, 2, 0, 2]])
    weights = np.arange(1, len(HABIT_SHARES) + 1) / np.arange(1, len(HABIT_SHARES) + 1).sum()
    habits = Habits(items, MonthlyAnswers(chosen, np.full((2, 2), 9.0)), rows > 0, weights)
    # In the second month the first customer has the items of pseudonym 0; all have 7 items.
    usual = np.array([2, 2, 2, 1]) / 7

    def gain(own, bought):
        ratios = [
            np.prod([1 - share + share * own[i] / usual[i] for i in bought])
            for share in HABIT_SHARES
        ]
        return np.log(weights @ ratios)

    expected = [gain([0.5, 0.5, 0, 0], bought) for bought in ([0, 2], [1, 2])]
    assert habits.pairs(1, np.array([0, 0]), np.array([1, 3])) == pytest.approx(expected)
    assert habits.gain_table(1, np.array([0]), np.array([1, 3]))[0] == pytest.approx(expected)
    # In the first month the same pseudonym is in question and says nothing for itself.
    expected = gain([0.5, 0, 0.5, 0], [0, 1])
    assert habits.pairs(0, np.array([0]), np.array([0])) == pytest.approx([expected])


def test_habits_are_learned_where_people_have_some_and_only_there():
    rng = np.random.default_rng(1)
    people, months = 20, 3
    chosen = np.arange(people * months).reshape(months, people).T
    rows = np.zeros((months, people * months), dtype=np.int64)
    for month in range(months):
        rows[month, chosen[:, month]] = 5
    evidence = MonthlyEvidence(
        [], rows, np.ones((months, people), dtype=bool), np.zeros((months, people))
    )
    answer = MonthlyAnswers(chosen, np.full(chosen.shape, 9.0))
    own = np.zeros((people * months, 200))
    chance = np.zeros((people * months, 200))
    for who in range(people):
        favourites = rng.permutation(200)[:12]
        for name in chosen[who]:
            own[name, rng.permutation(favourites)[:8]] = 1
            chance[name, rng.permutation(200)[:8]] = 1
    typical = [
        Habits.learned(csr_array(t), answer, evidence).weights @ HABIT_SHARES for t in (own, chance)
    ]
    assert typical[0] > 0.3
    assert typical[1] < 0.1
