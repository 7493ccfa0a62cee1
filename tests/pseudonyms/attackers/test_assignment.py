"""Assignments, their leads, blocks and scores against all possibilities."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers import assignment as assignment
from tokumei.pseudonyms.attackers.answer_assignment import (
    ScoreFactors,
    choose_pseudonyms,
    month_blocks,
    score_block,
)
from tokumei.pseudonyms.attackers.assignment import NOBODY, answer_log_odds, assign_pseudonyms


@st.composite
def problems(draw: st.DrawFn) -> tuple[csr_array, np.ndarray]:
    """At most four customers and pseudonyms; some cells have no entry."""
    people, pseudonyms = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    there = np.argwhere(rng.random((people, pseudonyms)) < 0.7)
    data = rng.normal(3, 4, len(there))
    gains = csr_array((data, (there[:, 0], there[:, 1])), shape=(people, pseudonyms))
    return gains, rng.normal(0, 2, people)


def total(gains, none, chosen):
    """The sum of an answer; −∞ if it has a cell without an entry or a pseudonym twice."""
    named = [name for name in chosen if name != NOBODY]
    if len(set(named)) < len(named):
        return -np.inf
    entries = {(r, c): v for r, c, v in zip(*gains.tocoo().coords, gains.data, strict=True)}
    return sum(
        none[i] if name == NOBODY else entries.get((i, name), -np.inf)
        for i, name in enumerate(chosen)
    )


@pytest.mark.parametrize("dense", [assignment.DENSE_CELLS, 0])
@given(problem=problems())
def test_no_other_answer_has_a_higher_sum(dense, problem):
    gains, none = problem
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "DENSE_CELLS", dense)
        chosen, lead = assign_pseudonyms(gains, none, rng=Randomness(1))
    everything = product(range(NOBODY, gains.shape[1]), repeat=gains.shape[0])
    best = max(total(gains, none, other) for other in everything)
    assert total(gains, none, chosen) == pytest.approx(best, abs=1e-6)
    assert np.array_equal(np.isneginf(lead), chosen == NOBODY)


@given(problem=problems())
def test_leads_equal_the_loop_over_exchanges(problem):
    gains, none = problem
    chosen, _ = assign_pseudonyms(gains, none, rng=Randomness(1))
    value = {(r, c): v for r, c, v in zip(*gains.tocoo().coords, gains.data, strict=True)}
    own = [none[i] if p == NOBODY else value[i, p] for i, p in enumerate(chosen)]
    against = np.exp(none - own)
    for (who, name), gain in value.items():
        if chosen[who] == name:
            continue
        holder = [i for i, p in enumerate(chosen) if p == name]
        if not holder:
            against[who] += np.exp(gain - own[who])
            continue
        other = holder[0]
        turn = max(value.get((other, chosen[who]), -np.inf), none[other])
        odds = np.exp(gain + turn - own[who] - own[other])
        against[who] += odds
        against[other] += odds
    found = answer_log_odds(gains, none, chosen)
    expected = np.where(chosen == NOBODY, -np.inf, -np.log(against))
    assert found == pytest.approx(expected)


def test_equal_gains_are_decided_by_lot():
    gains = csr_array(np.ones((4, 4)))
    drawn = {
        tuple(assign_pseudonyms(gains, np.full(4, -9.0), rng=Randomness(s))[0]) for s in range(30)
    }
    assert len(drawn) > 10
    assert drawn <= set(permutations(range(4)))


def test_blocks_are_joined_by_pseudonyms_unless_there_are_too_many():
    alive = np.array([[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)
    assert [block.tolist() for block in month_blocks(alive, 5)] == [[0, 1], [2]]
    assert [block.tolist() for block in month_blocks(alive, 1)] == [[0], [1], [2]]


def scores_of(table):
    """A table of scores as a product with the identity."""
    return ScoreFactors([csr_array(table)], [csr_array(np.eye(table.shape[1]))])


def test_choosing_with_and_without_assignment():
    scores = np.array([[5.0, 4.0], [3.0, 0.0]])
    alive = np.ones((1, 2), dtype=bool)
    one_to_one, _ = choose_pseudonyms(scores_of(scores), alive, assign=True, rng=Randomness(1))
    assert one_to_one.ravel().tolist() == [1, 0]
    best, _ = choose_pseudonyms(scores_of(scores), alive, assign=False, rng=Randomness(1))
    assert best.ravel().tolist() == [0, NOBODY]


def test_a_pseudonym_is_named_in_the_months_it_lives_and_not_without_a_score():
    alive = np.array([[True, True], [True, False]])
    scores = scores_of(np.array([[2.0, 0.0], [0.0, 0.0]]))
    chosen, _ = choose_pseudonyms(scores, alive, assign=True, rng=Randomness(1))
    assert chosen.tolist() == [[0, 0], [NOBODY, NOBODY]]


@given(
    table=st.integers(1, 5).flatmap(
        lambda n: st.lists(
            st.lists(st.floats(0, 9), min_size=n, max_size=n), min_size=1, max_size=6
        )
    ),
    piece=st.sampled_from([1, 7, 1000]),
    small=st.sampled_from([0, 1000]),
)
def test_looking_in_pieces_sees_what_a_look_at_once_sees(table, piece, small):
    cells = np.array(table)
    names = np.arange(cells.shape[1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tokumei.pseudonyms.attackers.answer_assignment.PIECE_CELLS", piece)
        patch.setattr("tokumei.pseudonyms.attackers.answer_assignment.SMALL_BLOCK_CELLS", small)
        found = score_block(scores_of(cells), names, rng=Randomness(1))
    assert found.entries.toarray() == pytest.approx(cells)
    ranked = np.sort(np.vstack([cells, np.zeros(cells.shape[1])]), axis=0)
    assert found.best == pytest.approx(ranked[-1])
    named = found.best > 0
    assert (cells[found.leader[named], names[named]] == found.best[named]).all()
    spread = cells.std(axis=0)
    clear = spread > 1e-6
    expected = (ranked[-1] - ranked[-2])[clear] / spread[clear]
    assert found.eccentricity[clear] == pytest.approx(expected, rel=1e-4, abs=1e-6)
