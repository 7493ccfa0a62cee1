from __future__ import annotations

import threading

import pytest
from sqlalchemy import func, select, update

from tokumei.apps.contest.jobs import queue
from tokumei.apps.contest.store.database import utc_now
from tokumei.apps.contest.store.tables import JudgingJob


def lease(contest, owner="w", seconds=60.0):
    with contest.database.write() as session:
        return queue.lease_next_job(session, owner=owner, seconds=seconds)


def let_expire(contest):
    with contest.database.write() as session:
        session.execute(
            update(JudgingJob).where(JudgingJob.state == "running").values(lease_until=utc_now(-1))
        )


def test_jobs_come_in_order_and_once(contest):
    entries = [contest.submit("score 1") for _ in range(3)]
    assert [lease(contest).entry_id for _ in entries] == entries
    assert lease(contest) is None


def test_re_judgements_wait_for_new_uploads(contest):
    first = contest.submit("score 1")
    leased = lease(contest)
    with contest.database.write() as session:
        assert queue.finish_job(session, leased, state="done")
        queue.enqueue(session, kind="rejudge", entry_id=first, run="r1", dry=True)
    second = contest.submit("score 1")
    assert [lease(contest).kind for _ in range(2)] == ["judge", "rejudge"]
    assert contest.job(second).state == "running"


def test_enqueueing_twice_is_once(contest):
    entry = contest.submit("score 1")
    with contest.database.write() as session:
        queue.enqueue(session, kind="judge", entry_id=entry)
        queue.enqueue(session, kind="rejudge", entry_id=entry, run="r1")
        queue.enqueue(session, kind="rejudge", entry_id=entry, run="r1")
        assert session.scalar(select(func.count()).select_from(JudgingJob)) == 2


def test_a_late_worker_writes_nothing(contest):
    contest.submit("score 1")
    late = lease(contest, "late")
    let_expire(contest)
    other = lease(contest, "other")
    assert other.job_id == late.job_id
    assert other.token == late.token + 1
    with contest.database.write() as session:
        assert not queue.extend_lease(session, late, seconds=60, progress=0.5)
        assert not queue.finish_job(session, late, state="done")
        assert not queue.requeue_job(session, late, failed=True)
        assert queue.extend_lease(session, other, seconds=60, progress=0.5)
        assert queue.finish_job(session, other, state="done", result={"x": 1})
        assert not queue.finish_job(session, other, state="failed")
    job = contest.job(other.entry_id)
    assert (job.state, job.result, job.owner, job.attempts) == ("done", {"x": 1}, None, 0)


def test_a_lease_that_is_extended_is_not_over(contest):
    contest.submit("score 1")
    leased = lease(contest)
    let_expire(contest)
    with contest.database.write() as session:
        assert queue.extend_lease(session, leased, seconds=60, progress=0.25)
        assert queue.requeue_expired_jobs(session) == []
    assert lease(contest) is None
    assert contest.job(leased.entry_id).progress == 0.25


def test_what_nobody_holds_is_put_back(contest):
    entries = [contest.submit("score 1") for _ in range(3)]
    lease(contest, "mine")
    lease(contest, "others")
    with contest.database.write() as session:
        assert queue.requeue_expired_jobs(session) == []
        assert queue.requeue_own_jobs(session, "mine") == entries[:1]
    let_expire(contest)
    with contest.database.write() as session:
        assert queue.requeue_expired_jobs(session) == entries[1:2]
    assert [contest.job(entry).state for entry in entries] == ["queued"] * 3


def test_attempts_count_failures_only(contest):
    entry = contest.submit("score 1")
    for failed in (False, True, True):
        leased = lease(contest)
        with contest.database.write() as session:
            assert queue.requeue_job(session, leased, failed=failed, error="why")
    job = contest.job(entry)
    assert (job.attempts, job.token, job.error) == (2, 3, "why")


def test_position_and_cancelling(contest):
    entries = [contest.submit("score 1") for _ in range(3)]
    with contest.database.read() as session:
        assert [queue.queue_position(session, entry) for entry in entries] == [1, 2, 3]
    lease(contest)
    with contest.database.write() as session:
        assert not queue.cancel_job(session, entries[0])
        assert queue.cancel_job(session, entries[1])
        assert not queue.cancel_job(session, entries[1])
        assert [queue.queue_position(session, entry) for entry in entries] == [None, None, 1]
    assert lease(contest).entry_id == entries[2]
    assert lease(contest) is None


@pytest.mark.parametrize("workers", [4])
def test_many_workers_never_share_a_job(contest, workers):
    entries = [contest.submit("score 1") for _ in range(24)]
    taken: list[str] = []

    def work(name: str) -> None:
        while leased := lease(contest, name):
            taken.append(leased.entry_id)
            with contest.database.write() as session:
                assert queue.finish_job(session, leased, state="done")

    threads = [threading.Thread(target=work, args=(str(n),)) for n in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(entries)
