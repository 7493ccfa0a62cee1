"""Tests of tokumei.core.attack_rates."""

from __future__ import annotations

import numpy as np

from tables.attack_suite_helpers import rate
from tokumei.core.attack_rates import wilson
from tokumei.tables.evaluation_suite import find_strongest_attack


def test_the_widened_interval_covers_the_true_maximum() -> None:
    """Ten attacks, all with the same true rate: the luckiest one alone would be too sure."""
    draws = np.random.default_rng(1).binomial(300, 0.1, size=(600, 10))
    single, joint = 0, 0
    for hits in draws:
        best = find_strongest_attack({str(i): rate(int(h), 300) for i, h in enumerate(hits)})
        low, high = wilson(int(hits.max()), 300)
        single += low <= 0.1 <= high
        joint += best.low <= 0.1 <= best.high
    assert joint / 600 >= 0.94 > single / 600
