"""Rates, Wilson intervals and the baseline."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.attack_rates import wilson
from tokumei.tables.attackers.protocol import attack_rate
from tokumei.tables.data.guess import ABSTAIN, Guess


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [
        # R: prop.test(hits, n, correct = FALSE)$conf.int
        (10, 100, 0.0552, 0.1744),
        (0, 10, 0.0000, 0.2775),
        (10, 10, 0.7225, 1.0000),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, table I
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_known_values(hits: int, n: int, low: float, high: float) -> None:
    assert [round(end, 4) for end in wilson(hits, n)] == [low, high]


def test_wilson_without_rows_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.9])
def test_wilson_covers_the_truth_as_often_as_it_says(share: float) -> None:
    hits = np.random.default_rng(1).binomial(200, share, size=4000)
    ends = np.array([wilson(int(h), 200) for h in hits])
    covered = float(((ends[:, 0] <= share) & (share <= ends[:, 1])).mean())
    assert 0.93 <= covered <= 0.98


def test_more_confidence_is_a_wider_interval() -> None:
    assert wilson(10, 100, 0.99)[0] < wilson(10, 100, 0.95)[0]
    assert wilson(10, 100, 0.99)[1] > wilson(10, 100, 0.95)[1]


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
