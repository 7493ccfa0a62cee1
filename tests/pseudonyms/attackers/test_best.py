"""Tests of tokumei.pseudonyms.attackers.best."""

from __future__ import annotations

import numpy as np
import pytest

from support.small_contests import coarse, contest, rate, release, run
from tokumei.core.attack_rates import wilson
from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.anonymizers.pseudonyms import Pseudonyms
from tokumei.pseudonyms.attackers.best import (
    BestPseudonymAttack,
    pick_surest_months,
    replace_doubtful_answers,
)
from tokumei.pseudonyms.attackers.sample_keys import ExactKeyAttack
from tokumei.pseudonyms.data.pseudonym_table import PseudonymTable
from tokumei.pseudonyms.formats.pws2017 import read_period_history, read_rows
from tokumei.pseudonyms.measures.reidentification import GuessClaims, reid_scores


@pytest.mark.parametrize("share", [0.3, 1.0])
@pytest.mark.parametrize("lifetime", [1, 2, 4])
def test_best_beats_the_samples(share, lifetime):
    rows = contest()
    released = release(rows, lifetime=lifetime)
    known = coarse(rows, share)
    samples = max(rate(kind(), rows, released, known) for kind in ExactKeyAttack.__subclasses__())
    assert rate(BestPseudonymAttack(), rows, released, known) > max(0.75, samples + 0.3)


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


NOISE = {"day": 15, "price_noise": 0.1, "quantity_noise": 2}


TARGETS = {
    # release: {alpha: reid_all at least}; within .015 of those heard of at T50 and T75
    "plain": ({}, {25: 0.865, 100: 1.0}),
    "R1 no time": ({**NOISE, "time": "constant"}, {25: 0.79, 100: 0.97}),
    "R1": (NOISE, {25: 0.85, 50: 0.939}),
    "R2 no time": ({**NOISE, "time": "constant", "delete": 0.3}, {25: 0.67, 100: 0.97}),
    "R2": ({**NOISE, "delete": 0.3}, {25: 0.86, 75: 0.975}),
}


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize("name", TARGETS)
def test_best_finds_the_contest_customers(real_data, name):
    folder = real_data / "pwscup2017"
    history = read_period_history(folder / "T.csv", folder / "M.csv")
    params, targets = TARGETS[name]
    made = Pseudonyms(lifetime=1, **params).anonymize(history, rng=Randomness(1))
    for alpha, least in targets.items():
        guess = BestPseudonymAttack().attack(
            made.public,
            read_rows(folder / f"T{alpha}.csv"),
            customers=history.master.customers,
            months=history.months,
            rng=Randomness(1),
        )
        scores = reid_scores(GuessClaims.of_table(guess.table, made.table))
        assert scores["reid_all"].value >= least, alpha
