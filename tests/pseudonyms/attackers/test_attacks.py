"""The attacks as a whole: on generated contests, on the contest's data, and where nothing is."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from support.small_contests import coarse, contest, rate, release, run
from tokumei.core.attack_rates import wilson
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.attackers.best import (
    BestPseudonymAttack,
    pick_surest_months,
    replace_doubtful_answers,
)
from tokumei.pseudonyms.attackers.likelihood import Likelihood, estimate_rates
from tokumei.pseudonyms.attackers.profile import Profile
from tokumei.pseudonyms.attackers.sample_keys import ExactKeyAttack
from tokumei.pseudonyms.attackers.scoreboard import ScoreboardAttack
from tokumei.pseudonyms.data.period_rows import Months, PeriodRows
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores

WORKING = (ScoreboardAttack(), Likelihood(), Profile(), BestPseudonymAttack())


@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("lifetime", [1, 2, 4])
def test_best_beats_the_samples(share, lifetime):
    rows = contest()
    released = release(rows, lifetime=lifetime)
    known = coarse(rows, share)
    samples = max(rate(kind(), rows, released, known) for kind in ExactKeyAttack.__subclasses__())
    assert rate(BestPseudonymAttack(), rows, released, known) > max(0.75, samples + 0.3)


def test_deleted_rows_and_single_attacks():
    rows = contest(seed=3)
    released = release(rows, delete=0.3)
    known = coarse(rows, 0.6)
    assert rate(Likelihood(), rows, released, known) > 0.7
    assert rate(ScoreboardAttack(), rows, released, known) > 0.6


def test_exchanged_pseudonyms_do_not_mislead_the_likelihood():
    rows = contest(seed=4, people=30)
    released = release(rows)
    months = Months.spanning(rows.days)
    names = released.cells["customer"].to_list()
    period = months.of(rows.days)
    again = {}
    for place, name in enumerate(names):
        key = period[place], name
        again.setdefault(key, f"x{sum(month == key[0] for month, _ in again):03d}")
    reused = [again[period[place], name] for place, name in enumerate(names)]
    exchanged = PeriodRows(released.cells.with_columns(pl.Series("customer", reused)))
    assert rate(Likelihood(), rows, exchanged, coarse(rows, 1.0)) > 0.85


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


def test_few_people_known_are_found_without_naming_the_others():
    rows = contest(seed=7, people=40)
    some = np.isin(rows.person, [3, 7, 11])
    guess, truth = run(BestPseudonymAttack(), rows, release(rows), coarse(rows, 1.0).take(some))
    right = GuessClaims.of_table(guess.table, truth).right
    assert right.sum() >= 0.8 * (truth.codes[[3, 7, 11]] >= 0).sum()
    assert right.mean() > 0.8


def test_where_people_were_exchanged_best_is_as_good_as_chance():
    """The rows of each month under another customer's name: the attack finds names, not truth."""
    rows = contest(seed=8, people=60, months=6)
    released, known = release(rows), coarse(rows, 0.5)
    guess, truth = run(BestPseudonymAttack(), rows, released, known)
    assert guess.confidence.sum() > 60
    draw = np.random.default_rng(1)
    codes = np.column_stack([draw.permutation(column) for column in truth.codes.T])
    exchanged = PseudonymTable(truth.customers, truth.pseudonyms, codes)
    score = reid_scores(GuessClaims.of_table(guess.table, exchanged))["reid_active"]
    active = int((codes >= 0).sum())
    low, high = wilson(active / 60, active, 0.95)
    assert low <= score.value <= high


def test_rates_are_those_of_the_files_where_they_have_all_lines():
    rows = contest()
    known = coarse(rows, 0.5)
    rates = estimate_rates(release(rows, delete=0.2).public(), known)
    assert rates.known == known.kept.mean()
    assert 0.1 < rates.deleted < 0.3
    assert estimate_rates(release(rows).public(), known.take(known.kept)).deleted == 0.1


def test_the_scoreboard_abstains_where_nobody_stands_out():
    rows = contest(seed=9)
    released, known = release(rows), coarse(rows, 0.3)
    bold, _ = run(ScoreboardAttack(), rows, released, known)
    shy, truth = run(ScoreboardAttack(eccentricity=2.0), rows, released, known)
    assert 0 < (shy.table.codes >= 0).sum() < (bold.table.codes >= 0).sum()
    share = [GuessClaims.of_table(guess.table, truth).right.mean() for guess in (shy, bold)]
    assert share[0] > share[1]


def test_months_without_known_rows_are_answered_by_profile():
    rows = contest(seed=10, people=20, items=200)
    early = Months.spanning(rows.days).of(rows.days) < 2
    released = release(rows, lifetime=2)
    late = released.with_deleted(early)
    guess, truth = run(BestPseudonymAttack(), rows, late, rows.with_deleted(~early))
    profile, _ = run(Profile(), rows, late, rows.with_deleted(~early))
    assert np.array_equal(guess.table.codes, profile.table.codes)
    assert GuessClaims.of_table(guess.table, truth).right.mean() > 0.6


def test_the_surest_attack_answers_a_month_and_doubt_gives_way():
    chosen = np.array([[[0, 3], [1, 4]], [[1, 4], [0, 3]]])
    confidence = np.array([[[0.9, 0.1], [0.4, 0.2]], [[0.3, 0.7], [0.8, 0.6]]])
    codes, sure = pick_surest_months(chosen, confidence)
    assert codes.tolist() == [[0, 4], [1, 3]]
    assert sure.tolist() == [[0.9, 0.7], [0.4, 0.6]]
    other = np.array([[0, 4], [2, 3]])
    replace_doubtful_answers(codes, sure, other, np.array([[0.9, 0.9], [0.5, 0.9]]))
    assert codes.tolist() == [[0, 4], [2, 3]]
    replace_doubtful_answers(codes, sure, np.array([[0, 4], [0, 3]]), np.full((2, 2), 0.95))
    assert codes.tolist() == [[0, 4], [2, 3]]
