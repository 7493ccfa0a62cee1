"""Jobs that survive being killed: leased for a time, finished once.

    enqueue(session, kind="judge", entry_id=entry.id)           # in the upload's transaction
    lease = lease_next(session, owner="host-1", seconds=30)       # None: nothing to do
    extend(session, lease, seconds=30, progress=0.4)              # False: it is no longer ours
    finish(session, lease, state="done")                        # False: write nothing, roll back

A lease runs out by the database's clock; each has a new token, and whoever finishes must know the
last one, so a worker that wakes up late changes nothing. `attempts` counts judgements that failed;
leases that were never finished are counted by the token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import CursorResult, and_, case, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from tokumei.contest.store.database import utc_now
from tokumei.contest.store.tables import Job

MOST_ATTEMPTS = 3
MOST_LEASES = 20
"""Leases of one try: workers that die while they hold a job do not take it for ever."""
LEASES_A_TRY = 1000
"""Tried again by an organiser, a job's token goes on at the next multiple of this."""

_FREE = or_(Job.state == "queued", and_(Job.state == "running", Job.lease_until < utc_now()))
_LATER = case((Job.run == "", 0), else_=1)
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
    job: dict[str, Any] = {
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
    session.execute(insert(Job).values(job).on_conflict_do_nothing())


def lease_next(session: Session, *, owner: str, seconds: float) -> Lease | None:
    """Take the next free job."""
    free = (
        select(Job.id)
        .where(_FREE)
        .order_by(_LATER, Job.id)
        .limit(1)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    taken = session.execute(
        update(Job)
        .where(Job.id == free)
        .values(
            state="running",
            owner=owner,
            lease_until=utc_now(seconds),
            token=Job.token + 1,
            progress=0.0,
            started_at=utc_now(),
        )
        .returning(Job.id, Job.token, Job.kind, Job.entry_id, Job.run, Job.attempts)
        .execution_options(synchronize_session=False)
    ).one_or_none()
    return None if taken is None else Lease(*taken)


def extend(session: Session, lease: Lease, *, seconds: float, progress: float) -> bool:
    """Hold a job longer; False if another has it now."""
    return _change(session, lease, lease_until=utc_now(seconds), progress=progress)


def finish(
    session: Session,
    lease: Lease,
    *,
    state: str,
    error: str | None = None,
    result: dict[str, Any] | None = None,
) -> bool:
    """End a job (done | failed); False if it is not ours, then nothing may be written."""
    return _change(
        session,
        lease,
        state=state,
        error=error,
        result=result,
        owner=None,
        lease_until=None,
        finished_at=utc_now(),
        progress=1.0,
        attempts=Job.attempts + int(state == "failed"),
    )


def give_back(session: Session, lease: Lease, *, failed: bool, error: str | None = None) -> bool:
    """Put a job back into the queue; `failed`: a judgement of it did."""
    return _change(
        session,
        lease,
        state="queued",
        error=error,
        owner=None,
        lease_until=None,
        progress=0.0,
        attempts=Job.attempts + int(failed),
    )


def _change(session: Session, lease: Lease, **values: Any) -> bool:
    ours = (Job.id == lease.job_id, Job.token == lease.token, Job.state == "running")
    return _changed(session, update(Job).where(*ours).values(**values)) == 1


def take_back_own(session: Session, owner: str) -> list[str]:
    """Put back what a worker of this name held when it died; the entries."""
    return _put_back(session, Job.owner == owner)


def take_back_expired(session: Session) -> list[str]:
    """Put back all jobs whose lease is over; the entries."""
    return _put_back(session, Job.lease_until < utc_now())


def _put_back(session: Session, which: Any) -> list[str]:
    found = session.execute(
        update(Job)
        .where(Job.state == "running", which)
        .values(state="queued", owner=None, lease_until=None, progress=0.0)
        .returning(Job.entry_id, Job.run)
        .execution_options(synchronize_session=False)
    ).all()
    return [entry_id for entry_id, run in found if not run]


def retry(session: Session, job_id: int) -> bool:
    """Put a failed job back into the queue as if it were new; False if it did not fail."""
    token = Job.token - Job.token % LEASES_A_TRY + LEASES_A_TRY
    failed = update(Job).where(Job.id == job_id, Job.state == "failed")
    values = {"state": "queued", "attempts": 0, "progress": 0.0, "error": None}
    return _changed(session, failed.values(**values, token=token, finished_at=None)) == 1


def cancel(session: Session, entry_id: str) -> bool:
    """Take an entry's first judgement out of the queue; False if it is not waiting there."""
    waiting = (Job.entry_id == entry_id, Job.run == "", Job.state == "queued")
    return _changed(session, update(Job).where(*waiting).values(state="cancelled")) > 0


def position(session: Session, entry_id: str) -> int | None:
    """How many judgements are before an entry's, itself included; None if it does not wait."""
    mine = select(Job.id).where(Job.entry_id == entry_id, Job.run == "", Job.state == "queued")
    number = session.scalar(mine)
    if number is None:
        return None
    before = select(func.count()).where(Job.state == "queued", Job.run == "", Job.id <= number)
    return session.scalar(before)


def _changed(session: Session, statement: Any) -> int:
    result: CursorResult[Any] = session.execute(
        statement.execution_options(synchronize_session=False)
    )  # type: ignore[assignment]
    return result.rowcount
