"""Tests of tokumei.tables.measures.moments."""

from __future__ import annotations

from tokumei.core.measure import Level, Score
from tokumei.tables.measures.moments import MeanError


def test_figures_no_better_than_a_blind_guess_are_poor() -> None:
    assert MeanError.level(Score(1.0), 1000.0) is Level.GOOD
    assert MeanError.level(Score(1.0, baseline=0.5), 1000.0) is Level.BAD
