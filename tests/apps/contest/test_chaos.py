"""A few of the kills of `make chaos`, against a real server."""

from __future__ import annotations

import pytest
from bench.chaos import chaos

from support.waiting import HUNG_SECONDS


@pytest.mark.long
def test_nothing_is_lost_doubled_or_stuck(tmp_path, monkeypatch):
    for name in ("STUCK_SECONDS", "DRAIN_SECONDS"):
        monkeypatch.setattr(f"bench.chaos.{name}", HUNG_SECONDS)
    found = chaos(tmp_path, None, kills=3, pause=(0.2, 1.5), teams=2, rows=40)
    assert found.faults == []
    assert sum(found.kills.values()) == 3
    assert found.judged == found.acknowledged > 0
