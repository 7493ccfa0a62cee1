"""What organisers watch: the judge's queue, the audit log."""

from __future__ import annotations

import re

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import AuditPage, AuditView, JobView, QueueView
from tokumei.contest.desk.moment import Moment, looking
from tokumei.contest.desk.names import look_alike_key, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import team_names
from tokumei.contest.jobs.causes import told
from tokumei.contest.store.tables import Account, Audit, Entry, Job, Team

MOST_ROWS = 1000
FAILED_SHOWN = 50
ACCOUNT = re.compile(r"account [0-9]{1,9}")


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
    place: Place,
    viewer: Viewer,
    slug: str,
    *,
    before: int | None = None,
    rows: int = 200,
    who: str = "",
    action: str = "",
) -> AuditPage:
    """The log of this contest and of the server, the newest first.

    `who` is an account's name, `action` the beginning of one (`entry.`).
    """
    viewer.require_organiser()
    most = max(1, min(rows, MOST_ROWS))
    with looking(place, slug) as (session, moment):
        query = (
            select(Audit, Account.name)
            .outerjoin(Account, Account.id == Audit.account_id)
            .where(_seen(viewer, moment))
            .order_by(Audit.id.desc())
            .limit(most + 1)
        )
        if before is not None:
            query = query.where(Audit.id < require_number(before))
        if who:
            asked = who[:200]
            query = query.where(Account.key.in_((look_alike_key(asked), asked)))
        if action:
            query = query.where(Audit.action.startswith(action, autoescape=True))
        found = session.execute(query).all()
        names = _names(session, moment, [row for row, _ in found])
    views = tuple(
        AuditView.of(row, by=name, about=_about(row, names)) for row, name in found[:most]
    )
    return AuditPage(rows=views, before=views[-1].id if len(found) > most else None)


def _names(session: Session, moment: Moment, rows: list[Audit]) -> dict[str, str]:
    """The teams, people and uploads of these rows, by how the log calls them."""
    teams = team_names(session, moment.id)
    told = {row.subject for row in rows} | {_person(row) for row in rows}
    numbers = {int(one.removeprefix("account ")) for one in told if ACCOUNT.fullmatch(one)}
    people = session.execute(select(Account.id, Account.name).where(Account.id.in_(numbers)))
    ours = Entry.contest_id == moment.id, Entry.id.in_(told)
    uploads = session.scalars(select(Entry).where(*ours))
    return {
        **{f"team {number}": name for number, name in teams.items()},
        **{f"account {number}": name for number, name in people},
        **{one.id: f"{teams[one.team_id]} · {one.label or one.file_name}" for one in uploads},
    }


def _person(row: Audit) -> str:
    return f"account {row.details.get('account')}"


def _about(row: Audit, names: dict[str, str]) -> str:
    """What a row is about, by the names of today instead of numbers."""
    told = names.get(row.subject, row.subject)
    person = names.get(_person(row))
    return f"{told} · {person}" if person else told


def _seen(viewer: Viewer, moment: Moment) -> ColumnElement[bool]:
    """Rows of the contest; those of the whole server for its organisers."""
    ours = Audit.contest_id == moment.id
    return ours if viewer.only is not None else or_(ours, Audit.contest_id.is_(None))


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
        job,
        entry=job.entry_id,
        team=team,
        entry_state=entry_state,
        position=position,
        error=told(job.error),
    )
