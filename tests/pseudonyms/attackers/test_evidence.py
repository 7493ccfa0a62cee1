"""Other months and habits against loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.assignment import (
    NOBODY,
    MonthlyAnswers,
    MonthlyEvidence,
    answer_months,
    link_other_months,
)
from tokumei.pseudonyms.attackers.habits import HABIT_SHARES, Habits

PEOPLE, NAMES = 3, 3


@st.composite
def evidences(draw: st.DrawFn) -> MonthlyEvidence:
    """Three months; every customer heard of has a gain for every pseudonym of the month."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    alive = rng.random((3, NAMES)) < 0.7
    heard = rng.random((3, PEOPLE)) < 0.7
    gains = []
    for month in range(3):
        cells = np.argwhere(np.outer(heard[month], alive[month]))
        data = rng.normal(2, 3, len(cells))
        gains.append(csr_array((data, (cells[:, 0], cells[:, 1])), shape=(PEOPLE, NAMES)))
    return MonthlyEvidence(gains, alive.astype(np.int64), heard, np.full((3, PEOPLE), -5.0))


def entries(table):
    return {(r, c): v for r, c, v in zip(*table.tocoo().coords, table.tocoo().data, strict=True)}


def ratio(evidence, month, who, name):
    """Log likelihood against a pseudonym drawn at random; nothing without an entry."""
    row = {c: v for (r, c), v in entries(evidence.gains[month]).items() if r == who}
    if name not in row:
        return 0.0
    return row[name] - np.log(np.mean([np.exp(v) for v in row.values()]))


@given(evidence=evidences(), agree=st.booleans())
def test_other_months_add_what_they_say_of_the_pseudonym(evidence, agree):
    chosen = np.full((PEOPLE, 3), NOBODY)
    chosen[0] = 0
    if not agree:
        chosen[0, 1], chosen[1, 1] = NOBODY, 0
    answer = MonthlyAnswers(chosen, np.where(chosen == NOBODY, -np.inf, 9.0))
    stay = 3 / 4 if agree else 1 / 4
    linked = link_other_months(evidence, answer)
    several = evidence.alive.sum(axis=0) > 1
    for month in range(3):
        near, found = entries(evidence.gains[month]), entries(linked.values[month])
        for name in np.flatnonzero(evidence.alive[month]):
            others = [m for m in range(3) if m != month]
            said = [
                max(sum(ratio(evidence, m, who, name) for m in others), 0) for who in range(PEOPLE)
            ]
            # All customers weigh one, and those with entries that speak for them that in addition.
            weight = [np.exp(s) if s > 1e-9 else 0.0 for s in said]
            whole = sum(weight) + PEOPLE
            for who in range(PEOPLE):
                chance = (weight[who] or 1.0) / whole
                bonus = np.log(stay * chance * PEOPLE + 1 - stay) if several[name] else 0.0
                if (who, name) in near:
                    assert found[who, name] == pytest.approx(near[who, name] + bonus)
                elif not weight[who]:
                    assert (who, name) not in found
                    assert linked.others[month, name] == pytest.approx(bonus)


def test_months_are_answered_apart():
    gains = [csr_array(np.array([[5.0, 1.0], [4.0, 1.0]])) for _ in range(2)]
    rows = np.array([[3, 2], [0, 2]])
    evidence = MonthlyEvidence(gains, rows, np.ones((2, 2), dtype=bool), np.full((2, 2), -9.0))
    answer = answer_months(gains, evidence, rng=Randomness(1))
    assert answer.chosen[:, 0].tolist() == [0, 1]
    assert sorted(answer.chosen[:, 1].tolist()) == [NOBODY, 1]


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
    assert habits.table(1, np.array([0]), np.array([1, 3]))[0] == pytest.approx(expected)
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
