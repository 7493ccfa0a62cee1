"""Tests of tokumei.tables.advice.candidate_attacks."""

from __future__ import annotations

import pytest

import tokumei as tk
from tables.advice_helpers import PARTNER, people


def test_a_large_table_is_attacked_by_a_sample_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tk.advise(people(), PARTNER, steps=2, seconds=None).candidates[0].figures
    monkeypatch.setattr("tokumei.tables.advice.candidate_attacks.MAX_ATTACKED_ROWS", 100)
    monkeypatch.setattr("tokumei.tables.advice.candidate_attacks.SAMPLE_ROWS", 40)
    part = tk.advise(people(), PARTNER, steps=2, seconds=None).candidates[0].figures
    assert part.loss == whole.loss
    assert part.known
    assert whole.known
    assert part.known.sample == 40
    assert whole.known.sample is None
    assert part.known.low <= whole.known.people <= part.known.high
