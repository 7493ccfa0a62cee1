"""Tests of tokumei.apps.contest.jobs.judging_job."""

from __future__ import annotations

from bench.chaos_checks import faults

from support.queued_contest import NOW, QueuedContest
from tokumei.apps.contest.jobs.judging_job import change_entry_state
from tokumei.apps.contest.store.tables import JudgingJob


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
