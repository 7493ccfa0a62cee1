"""What organisers watch: the judge's queue, the audit log, and the judge in force.

A changed file of the contest's folder is announced, never used silently.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console import requeue_failed
from tokumei.contest.desk.console_views import AuditPage, AuditView, JobView, JudgeState, QueueView
from tokumei.contest.desk.moment import Moment, changing, looking
from tokumei.contest.desk.names import look_alike_key, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import team_names
from tokumei.contest.desk.rejudging import folder_spec, use_folder
from tokumei.contest.jobs.causes import told
from tokumei.contest.spec.folder import FILE, judge_version, read_contest_folder
from tokumei.contest.store.database import lock
from tokumei.contest.store.pinned import changed_files, put_back
from tokumei.contest.store.tables import Account, Audit, Entry, Job, Team
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict

MOST_ROWS = 1000
FAILED_SHOWN = 50
ACCOUNT = re.compile(r"account [0-9]{1,9}")


def queue(place: Place, viewer: Viewer, slug: str) -> QueueView:
    """What is judged, what waits, and what failed lately."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        open_jobs = _jobs(session, moment, ("running", "queued"))
        failed = _jobs(session, moment, ("failed",))[-FAILED_SHOWN:]
    ordered = sorted(open_jobs, key=_order)
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
        seen = Audit.contest_id == moment.id
        if viewer.only is None:  # organisers of the whole server see its rows, too
            seen = or_(seen, Audit.contest_id.is_(None))
        query = (
            select(Audit, Account.name)
            .outerjoin(Account, Account.id == Audit.account_id)
            .where(seen)
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


def _jobs(session: Session, moment: Moment, states: tuple[str, ...]) -> list[tuple[Job, str, str]]:
    query = (
        select(Job, Entry.state, Team.name)
        .join(Entry, Entry.id == Job.entry_id)
        .join(Team, Team.id == Entry.team_id)
        .where(Entry.contest_id == moment.id, Job.state.in_(states))
        .order_by(Job.id)
    )
    return [(job, state, team) for job, state, team in session.execute(query)]


def _order(row: tuple[Job, str, str]) -> tuple[bool, bool, int]:
    """What runs, then what waits; re-judgements wait longest."""
    return row[0].state == "queued", row[0].run != "", row[0].id


def _job_view(job: Job, entry_state: str, team: str, position: int | None) -> JobView:
    return JobView.of(
        job,
        entry=job.entry_id,
        team=team,
        entry_state=entry_state,
        position=position,
        error=told(job.error),
    )


def judge_state(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Which judge is in force, and whether the folder is still that (organisers)."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        return _state(place, session, moment)


def put_files_back(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Make the folder again what the judge in force is made of."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        row, state = moment.row, _state(place, session, moment)
        log("judge.put-back", slug, files=list(state.changed))
        put_back(place.home.contests, row.folder, row.judge_version)
        return _state(place, session, moment)


def use_files(place: Place, viewer: Viewer, slug: str) -> JudgeState:
    """Make the folder the judge in force, while no upload has been judged by another."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, f"apply:{moment.id}")
        if _used(session, moment):
            raise Conflict(
                "uploads have been judged already: judge again, look, and apply",
                "すでに採点された提出があります。再採点し、確認してから反映してください",
            )
        place.checker.describe(moment.row.folder)
        use_folder(place, session, moment)
        log("judge.use", slug, retried=requeue_failed(session, moment.id))
    return judge_state(place, viewer, slug)


def _used(session: Session, moment: Moment) -> bool:
    scored = select(Entry.id).where(Entry.contest_id == moment.id, Entry.state == "scored")
    return session.scalars(scored.limit(1)).first() is not None


@cache
def _version_of(copy: Path) -> str:
    """The judge that this library makes of a copy, which nobody edits."""
    return judge_version(read_contest_folder(copy, where=FILE), copy)


def _state(place: Place, session: Session, moment: Moment) -> JudgeState:
    row, problem = moment.row, None
    changed = changed_files(place.home.contests, row.folder, row.judge_version)
    copy = place.home.contests / place.judge_folder(row)
    try:
        folder_spec(place, moment)
        same = not changed and _version_of(copy) == row.judge_version
    except TokumeiError as error:
        faults = [fault.message for fault in getattr(error, "faults", ())][:5]
        told = [error.message, *faults]
        same = False
        problem = Text(*(" · ".join(one[lang] for one in told) for lang in (0, 1)))
    return JudgeState(
        in_force=row.judge_version,
        differs=not same,
        changed=changed,
        problem=problem,
        used=_used(session, moment),
    )
