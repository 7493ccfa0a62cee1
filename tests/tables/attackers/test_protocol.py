"""Tests of tokumei.tables.attackers.protocol."""

from __future__ import annotations

import numpy as np

from tokumei.core.attack_rates import wilson
from tokumei.tables.attackers.protocol import attack_rate
from tokumei.tables.data.guess import ABSTAIN, Guess


def test_rate_over_released_and_over_original_rows() -> None:
    # the paper's H: 6 of 90 released rows found, from 100 original ones
    answers = np.where(np.arange(90) < 6, np.arange(90), 99)
    found = attack_rate(Guess.single(answers), np.arange(90), 100, generator=None)
    assert (found.rate, found.rate_original) == (6 / 90, 6 / 100)
    assert (found.hits, found.released, found.original, found.answered) == (6, 90, 100, 90)
    assert found.baseline == 1 / 100
    assert (found.low, found.high) == wilson(6, 90)
    assert found.as_json()["rate_original"] == 0.06


def test_no_answer_is_no_hit_even_where_the_truth_is_row_zero() -> None:
    guess = Guess.single(np.array([ABSTAIN, 1, ABSTAIN]))
    truth = np.array([0, 1, 2])
    for generator in (None, np.random.default_rng(1)):
        found = attack_rate(guess, truth, 3, generator=generator)
        assert (found.hits, found.answered) == (1, 1)


def test_one_draw_scatters_around_the_expected_rate() -> None:
    guess = Guess(np.zeros(400, dtype=int), np.array([0, 4]), np.arange(4))
    truth = np.zeros(400, dtype=int)
    expected = attack_rate(guess, truth, 4, generator=None)
    drawn = attack_rate(guess, truth, 4, generator=np.random.default_rng(3))
    assert expected.rate == 0.25
    assert drawn.low < 0.25 < drawn.high
    assert drawn.hits == int(drawn.hits) != expected.hits
