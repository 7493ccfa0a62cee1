"""Remedies of public tables: the first one helps, and promises hold when applied by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.remedies import first_helps, measure

pytestmark = [pytest.mark.long, pytest.mark.data]
CASES, ROWS = 40, 120
KEPT = 0.95


def test_promises_are_kept_on_public_tables(
    real_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKUMEI_DATA", str(real_data))
    cases, outcomes = measure(CASES, ROWS)
    assert len(outcomes) >= CASES
    assert all(first_helps(case) for case in cases)
    broken = [outcome for outcome in outcomes if outcome.broken]
    assert len(broken) <= (1 - KEPT) * len(outcomes), broken
