"""The organiser's console: the judge's queue and the audit log."""

from __future__ import annotations

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import AuditPage, AuditView, JobView, QueueView
from tokumei.contest.desk.lookups import require_number
from tokumei.contest.desk.moment import Moment, looking
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.store.tables import Account, Audit, Entry, Job, Team

MOST_ROWS = 1000
FAILED_SHOWN = 50


def queue(place: Place, viewer: Viewer, slug: str) -> QueueView:
    """What is judged, what waits, and what failed lately."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        open_jobs = _jobs(session, moment, ("running", "queued"))
        failed = _jobs(session, moment, ("failed",))[-FAILED_SHOWN:]
    ordered = sorted(open_jobs, key=lambda row: _order(row[0]))
    waiting = [job.id for job, _, _ in ordered if job.state == "queued"]
    places = {job_id: number for number, job_id in enumerate(waiting, start=1)}
    return QueueView(
        waiting=len(waiting),
        running=len(open_jobs) - len(waiting),
        jobs=tuple(_job_view(*row, places.get(row[0].id)) for row in ordered[:MOST_ROWS]),
        failed=tuple(_job_view(*row, None) for row in reversed(failed)),
    )


def audit(
    place: Place, viewer: Viewer, slug: str, *, before: int | None = None, rows: int = 200
) -> AuditPage:
    """The log of this contest and of the server, the newest first."""
    viewer.require_organiser()
    most = max(1, min(rows, MOST_ROWS))
    with looking(place, slug) as (session, moment):
        query = (
            select(Audit, Account.name)
            .outerjoin(Account, Account.id == Audit.account_id)
            .where(or_(Audit.contest_id == moment.id, Audit.contest_id.is_(None)))
            .order_by(Audit.id.desc())
            .limit(most + 1)
        )
        if before is not None:
            query = query.where(Audit.id < require_number(before))
        found = session.execute(query).all()
    views = tuple(AuditView.of(row, by=name) for row, name in found[:most])
    return AuditPage(rows=views, before=views[-1].id if len(found) > most else None)


def _jobs(session: Session, moment: Moment, states: tuple[str, ...]) -> list[tuple[Job, str, str]]:
    query = (
        select(Job, Entry.state, Team.name)
        .join(Entry, Entry.id == Job.entry_id)
        .join(Team, Team.id == Entry.team_id)
        .where(Entry.contest_id == moment.id, Job.state.in_(states))
        .order_by(Job.id)
    )
    return [(job, state, team) for job, state, team in session.execute(query)]


def _order(job: Job) -> tuple[bool, bool, int]:
    """What runs, then what waits; re-judgements wait longest."""
    return job.state == "queued", job.run != "", job.id


def _job_view(job: Job, entry_state: str, team: str, position: int | None) -> JobView:
    return JobView.of(
        job, entry=job.entry_id, team=team, entry_state=entry_state, position=position
    )
