"""Tests of tokumei.pseudonyms.flow."""

from __future__ import annotations

import pytest

from apps.contest.judge.real_judge_fixtures import judge2017 as judge2017
from apps.contest.judge.real_judge_fixtures import monthly as monthly
from apps.contest.judge.real_judge_fixtures import verdict as verdict
from tokumei.pseudonyms.flow import attack_periods, score_guess
from tokumei.pseudonyms.measures.contest_measures import judge_safety

pytestmark = pytest.mark.data


def test_safety_of_2017_is_that_of_the_flow(judge2017, monthly, verdict):
    card = verdict.card
    names = list(card.figures["safety"])
    rates = {name: [] for name in names}
    for known in judge2017.format.known.values():
        guesses = attack_periods(
            judge2017.format.history, monthly, known=known, methods=names, seed=1
        )
        for name, guess in guesses.items():
            rates[name].append(score_guess(monthly, guess)["reid_all"].value)
    assert card.safety == judge_safety(rates)
    assert card.total == (card.utility + card.safety) / 2
