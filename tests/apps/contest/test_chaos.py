"""A few of the kills of `make chaos`, against a real server."""

from __future__ import annotations

import pytest
from bench.chaos import chaos
from bench.chaos_checks import faults

from support.queued_contest import NOW, QueuedContest
from support.waiting import HUNG_SECONDS
from tokumei.apps.contest.jobs.judging_job import change_entry_state
from tokumei.apps.contest.store.tables import JudgingJob


@pytest.mark.long
def test_nothing_is_lost_doubled_or_stuck(tmp_path, monkeypatch):
    for name in ("STUCK_SECONDS", "DRAIN_SECONDS"):
        monkeypatch.setattr(f"bench.chaos.{name}", HUNG_SECONDS)
    found = chaos(tmp_path, None, kills=3, pause=(0.2, 1.5), teams=2, rows=40)
    assert found.faults == []
    assert sum(found.kills.values()) == 3
    assert found.judged == found.acknowledged > 0


def test_the_checks_notice_what_they_look_for(sqlite_home):
    database = sqlite_home.database()
    contest = QueuedContest.make(sqlite_home, database)
    entry = contest.submit("score 1")
    assert faults(database, [entry]) == []
    assert faults(database, [entry, "absent"]) == ["1 acknowledged but lost: absent"]
    with database.write() as session:
        change_entry_state(session, entry, "scored")
        session.add(JudgingJob(kind="judge", entry_id=entry, run="2", state="done", queued_at=NOW))
    told = " ".join(faults(database, [entry]))
    assert "scored without a score" in told
    assert "with two jobs" in told
    database.close()
