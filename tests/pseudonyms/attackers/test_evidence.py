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
