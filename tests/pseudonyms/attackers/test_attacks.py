"""The attacks as a whole: on generated contests, on the contest's data, and where nothing is."""

from __future__ import annotations

import numpy as np
import pytest

from support.small_contests import coarse, contest, release, run
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.best import BestPseudonymAttack
from tokumei.pseudonyms.attackers.likelihood import Likelihood
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.attackers.scoreboard import ScoreboardAttack
from tokumei.pseudonyms.data.purchase_text_cells import Months

WORKING = (ScoreboardAttack(), Likelihood(), Profile(), BestPseudonymAttack())


@pytest.mark.parametrize("attack", WORKING, ids=lambda attack: attack.name)
def test_the_same_seed_gives_the_same_answer_in_any_order_of_the_files(attack):
    rows = contest(seed=5, people=12)
    released, known = release(rows), coarse(rows, 0.4)
    guess, _ = run(attack, rows, released, known)
    order = np.random.default_rng(1).permutation(rows.rows)
    again, _ = run(attack, rows.take(order), released.take(order), known.take(order))
    assert np.array_equal(guess.table.codes, again.table.codes)
    assert guess.confidence == pytest.approx(again.confidence, abs=1e-6)


@pytest.mark.parametrize("attack", WORKING, ids=lambda attack: attack.name)
def test_answers_are_pseudonyms_of_the_month_and_none_is_given_twice(attack):
    rows = contest(seed=6)
    released, known = release(rows, lifetime=2, delete=0.2), coarse(rows, 0.3)
    guess, truth = run(attack, rows, released, known)
    there = truth.codes_among(guess.table.pseudonyms)
    for mine, true in zip(guess.table.codes.T, there.T, strict=True):
        named = mine[mine >= 0]
        assert len(set(named)) == len(named)
        assert set(named) <= set(true)
    assert ((guess.confidence >= 0) & (guess.confidence <= 1)).all()
    assert not guess.confidence[guess.table.codes < 0].any()


@pytest.mark.parametrize("attack", WORKING, ids=lambda attack: attack.name)
def test_nothing_known_or_nothing_released_is_no_answer(attack):
    rows = contest(people=3)
    months = Months.spanning(rows.days)
    public, everything = release(rows).public(), np.ones(rows.rows, dtype=bool)
    nothing, empty = rows.with_deleted(everything), public.take(np.zeros(0, dtype=np.int64))
    for shown, told in ((public, nothing), (empty, rows), (empty, nothing)):
        guess = attack.attack(shown, told, customers=rows.people, months=months, rng=Randomness(1))
        assert (guess.table.codes == -1).all()
