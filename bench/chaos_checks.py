"""What must hold in the tables whatever was killed.

faults(database, acknowledged)       # sentences; none is expected
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select

from tokumei.apps.contest.store.database import Database, utc_now
from tokumei.apps.contest.store.tables import ContestEntry, EntryScore, EntryStateChange, JudgingJob

OPEN = ("received", "queued", "running")


def faults(database: Database, acknowledged: Collection[str]) -> list[str]:
    """What was lost, judged twice or contradicts itself."""
    with database.read() as session:
        states = {
            row.id: row.state
            for row in session.execute(select(ContestEntry.id, ContestEntry.state))
        }
        jobs = Counter(session.scalars(select(JudgingJob.entry_id)))
        done = Counter(
            session.scalars(select(JudgingJob.entry_id).where(JudgingJob.state == "done"))
        )
        scores = Counter(session.scalars(select(EntryScore.entry_id)))
        current = Counter(session.scalars(select(EntryScore.entry_id).where(EntryScore.current)))
        ended = Counter(
            session.scalars(
                select(EntryStateChange.entry_id).where(EntryStateChange.state.not_in(OPEN))
            )
        )
    scored = {entry for entry, state in states.items() if state == "scored"}
    found = {
        "acknowledged but lost": set(acknowledged) - states.keys(),
        "without a job": states.keys() - jobs.keys(),
        "with two jobs": {entry for entry, count in jobs.items() if count > 1},
        "judged twice": {entry for entry, count in (scores + ended).items() if count > 2},
        "with two current scores": {entry for entry, count in current.items() if count > 1},
        "ended twice": {entry for entry, count in ended.items() if count > 1},
        "scored without a score": scored - current.keys(),
        "scored without a finished job": scored - done.keys(),
        "with a score but not scored": current.keys() - scored,
        "failed": {entry for entry, state in states.items() if state in ("failed", "rejected")},
    }
    return [f"{len(which)} {what}: {min(which)}" for what, which in found.items() if which]


def abandoned(database: Database) -> int:
    """How many jobs somebody holds whose lease is over."""
    with database.read() as session:
        over = select(func.count()).where(
            JudgingJob.state == "running", JudgingJob.lease_until < utc_now()
        )
        return session.scalar(over) or 0


def waiting(database: Database) -> int:
    """How many entries are not settled."""
    with database.read() as session:
        asked = select(func.count()).select_from(ContestEntry).where(ContestEntry.state.in_(OPEN))
        return session.scalar(asked) or 0


def figures(database: Database) -> set[tuple[float | None, float | None]]:
    """All different scores."""
    with database.read() as session:
        asked = session.execute(select(EntryScore.utility, EntryScore.safety))
        return {(utility, safety) for utility, safety in asked}


@dataclass(frozen=True)
class Held:
    """A claim that a worker held when it was killed."""

    job_id: int
    token: int


def held_by(database: Database, owner: str) -> list[Held]:
    """What a worker holds."""
    with database.read() as session:
        asked = select(JudgingJob.id, JudgingJob.token).where(
            JudgingJob.owner == owner, JudgingJob.state == "running"
        )
        return [Held(*row) for row in session.execute(asked)]


def taken_up(database: Database, held: Collection[Held]) -> set[Held]:
    """Which of these claims another has taken up since, or were finished."""
    with database.read() as session:
        asked = select(JudgingJob.id, JudgingJob.token, JudgingJob.state).where(
            JudgingJob.id.in_(one.job_id for one in held)
        )
        now = {row.id: row for row in session.execute(asked)}
    return {
        one
        for one in held
        if now[one.job_id].token > one.token or now[one.job_id].state in ("done", "failed")
    }
