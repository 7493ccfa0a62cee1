"""Durable job queue: a job is leased for a time and finished once.

    enqueue(session, kind="judge", entry_id=entry.id)           # in the upload's transaction
    lease = lease_next_job(session, owner="host-1", seconds=30)       # None: nothing to do
    extend(session, lease, seconds=30, progress=0.4)              # False: it is no longer ours
    finish(session, lease, state="done")                        # False: write nothing, roll back

A lease runs out by the database's clock; each has a new token, and whoever finishes must know the
last one, so a worker that wakes up late changes nothing. `attempts` counts judgements that failed;
leases that were never finished are counted by the token.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import ColumnElement, CursorResult, Update, and_, case, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from tokumei.apps.contest.store.database import JsonColumn, utc_now
from tokumei.apps.contest.store.tables import JudgingJob

MOST_ATTEMPTS = 3
MOST_LEASES = 20
"""Leases of one try: workers that die while they hold a job do not take it for ever."""
LEASES_A_TRY = 1000
"""Tried again by an organiser, a job's token goes on at the next multiple of this."""

_IS_FREE = or_(
    JudgingJob.state == "queued",
    and_(JudgingJob.state == "running", JudgingJob.lease_until < utc_now()),
)
_REJUDGING_LAST = case((JudgingJob.run == "", 0), else_=1)
"""Re-judgements wait until no new upload does."""


@dataclass(frozen=True)
class Lease:
    """A job that is ours until its time is over."""

    job_id: int
    token: int
    kind: str
    entry_id: str
    run: str
    attempts: int


def enqueue(
    session: Session, *, kind: str, entry_id: str, run: str = "", dry: bool = False
) -> None:
    """Put a job into the queue, once: asked again, nothing changes."""
    dialect = session.connection().dialect.name
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    job: dict[str, object] = {
        "kind": kind,
        "entry_id": entry_id,
        "run": run,
        "dry": dry,
        "state": "queued",
        "queued_at": utc_now(),
        "token": 0,
        "attempts": 0,
        "progress": 0.0,
    }
    session.execute(insert(JudgingJob).values(job).on_conflict_do_nothing())


def lease_next_job(session: Session, *, owner: str, seconds: float) -> Lease | None:
    """Take the next free job."""
    free_job = (
        select(JudgingJob.id)
        .where(_IS_FREE)
        .order_by(_REJUDGING_LAST, JudgingJob.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    leased_row = session.execute(
        update(JudgingJob)
        .where(JudgingJob.id == free_job)
        .values(
            state="running",
            owner=owner,
            lease_until=utc_now(seconds),
            token=JudgingJob.token + 1,
            progress=0.0,
            started_at=utc_now(),
        )
        .returning(
            JudgingJob.id,
            JudgingJob.token,
            JudgingJob.kind,
            JudgingJob.entry_id,
            JudgingJob.run,
            JudgingJob.attempts,
        )
        .execution_options(synchronize_session=False)
    ).one_or_none()
    return None if leased_row is None else Lease(*leased_row)


def extend_lease(session: Session, lease: Lease, *, seconds: float, progress: float) -> bool:
    """Hold a job longer; False if another has it now."""
    return _update_leased_job(session, lease, lease_until=utc_now(seconds), progress=progress)


def finish_job(
    session: Session,
    lease: Lease,
    *,
    state: str,
    error: str | None = None,
    result: JsonColumn | None = None,
) -> bool:
    """End a job (done | failed); False if it is not ours, then nothing may be written."""
    return _update_leased_job(
        session,
        lease,
        state=state,
        error=error,
        result=result,
        owner=None,
        lease_until=None,
        finished_at=utc_now(),
        progress=1.0,
        attempts=JudgingJob.attempts + int(state == "failed"),
    )


def requeue_job(session: Session, lease: Lease, *, failed: bool, error: str | None = None) -> bool:
    """Put a job back into the queue; `failed`: a judgement of it did."""
    return _update_leased_job(
        session,
        lease,
        state="queued",
        error=error,
        owner=None,
        lease_until=None,
        progress=0.0,
        attempts=JudgingJob.attempts + int(failed),
    )


def _update_leased_job(session: Session, lease: Lease, **values: object) -> bool:
    is_leased_job = (
        JudgingJob.id == lease.job_id,
        JudgingJob.token == lease.token,
        JudgingJob.state == "running",
    )
    return (
        _count_updated_rows(session, update(JudgingJob).where(*is_leased_job).values(**values)) == 1
    )


def requeue_own_jobs(session: Session, owner: str) -> list[str]:
    """Put back what a worker of this name held when it died; the entries."""
    return _requeue_running_jobs(session, JudgingJob.owner == owner)


def requeue_expired_jobs(session: Session) -> list[str]:
    """Put back all jobs whose lease is over; the entries."""
    return _requeue_running_jobs(session, JudgingJob.lease_until < utc_now())


def _requeue_running_jobs(session: Session, condition: ColumnElement[bool]) -> list[str]:
    requeued = session.execute(
        update(JudgingJob)
        .where(JudgingJob.state == "running", condition)
        .values(state="queued", owner=None, lease_until=None, progress=0.0)
        .returning(JudgingJob.entry_id, JudgingJob.run)
        .execution_options(synchronize_session=False)
    ).all()
    return [entry_id for entry_id, run in requeued if not run]


def retry_failed_job(session: Session, job_id: int) -> bool:
    """Put a failed job back into the queue as if it were new; False if it did not fail."""
    token = JudgingJob.token - JudgingJob.token % LEASES_A_TRY + LEASES_A_TRY
    failed = update(JudgingJob).where(JudgingJob.id == job_id, JudgingJob.state == "failed")
    values = {"state": "queued", "attempts": 0, "progress": 0.0, "error": None}
    return _count_updated_rows(session, failed.values(**values, token=token, finished_at=None)) == 1


def cancel_job(session: Session, entry_id: str) -> bool:
    """Take an entry's first judgement out of the queue; False if it is not waiting there."""
    waiting = (JudgingJob.entry_id == entry_id, JudgingJob.run == "", JudgingJob.state == "queued")
    return (
        _count_updated_rows(session, update(JudgingJob).where(*waiting).values(state="cancelled"))
        > 0
    )


def queue_position(session: Session, entry_id: str) -> int | None:
    """How many judgements are before an entry's, itself included; None if it does not wait."""
    mine = select(JudgingJob.id).where(
        JudgingJob.entry_id == entry_id, JudgingJob.run == "", JudgingJob.state == "queued"
    )
    number = session.scalar(mine)
    if number is None:
        return None
    before = select(func.count()).where(
        JudgingJob.state == "queued", JudgingJob.run == "", JudgingJob.id <= number
    )
    return session.scalar(before)


def _count_updated_rows(session: Session, statement: Update) -> int:
    result = session.execute(statement.execution_options(synchronize_session=False))
    assert isinstance(result, CursorResult), "an update without RETURNING has a cursor"
    return result.rowcount
