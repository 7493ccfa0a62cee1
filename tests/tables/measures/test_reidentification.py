"""Rates, Wilson intervals and the baseline."""

from __future__ import annotations

import numpy as np
import pytest

from tokumei.core.attack_rates import wilson


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
