"""A short dress rehearsal; `make rehearsal` plays all presets with 24 teams."""

from __future__ import annotations

import pytest
from bench.rehearsal import Rehearsal


@pytest.mark.long
def test_a_rehearsal_finds_nothing_wrong(postgres, tmp_path):
    told: list[str] = []
    url = postgres.new_database()
    rehearsal = Rehearsal("table", tmp_path, url, 10, 40, short=True, say=told.append)
    assert rehearsal.run() == []
    assert told[-1].endswith("every check holds")
    assert rehearsal.played.killed == ["worker", "web"]
    assert rehearsal.played.refused[429] > 0
    assert rehearsal.played.replayed == sum(
        entry["state"] == "scored" for entry in rehearsal.played.entries
    )
