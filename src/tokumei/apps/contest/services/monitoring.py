"""Shows organisers the job queue, the audit log and the judge in force.

A changed file of the contest's folder is announced, never used silently.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.failure_reasons import parse_reason
from tokumei.apps.contest.services.admin_views import (
    AuditPage,
    AuditRecordView,
    JobView,
    JudgeStateView,
    QueueView,
)
from tokumei.apps.contest.services.administration import requeue_failed
from tokumei.apps.contest.services.contest_state import ContestState, read_contest, update_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.published_releases import team_names
from tokumei.apps.contest.services.rejudging import adopt_folder
from tokumei.apps.contest.services.rejudging_diff import read_folder_spec
from tokumei.apps.contest.services.validation import look_alike_key, require_row_id
from tokumei.apps.contest.spec.folder import (
    CONTEST_FILE,
    compute_judge_version,
    read_contest_folder,
)
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.judge_snapshots import changed_files, restore_from_snapshot
from tokumei.apps.contest.store.tables import (
    AuditRecord,
    ContestEntry,
    JudgingJob,
    Team,
    UserAccount,
)
from tokumei.apps.http.errors import Conflict
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message, join_messages

MOST_ROWS = 1000
FAILED_SHOWN = 50
ACCOUNT_SUBJECT = re.compile(r"account [0-9]{1,9}")


def read_queue(context: AppContext, viewer: Viewer, slug: str) -> QueueView:
    """What is judged, what waits, and what failed lately."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        open_jobs = _load_jobs(session, contest_state, ("running", "queued"))
        failed = _load_jobs(session, contest_state, ("failed",))[-FAILED_SHOWN:]
    ordered = sorted(open_jobs, key=_queue_order)
    waiting = [job.id for job, _, _ in ordered if job.state == "queued"]
    positions = {job_id: number for number, job_id in enumerate(waiting, start=1)}
    return QueueView(
        waiting=len(waiting),
        running=len(open_jobs) - len(waiting),
        jobs=tuple(_job_view(*row, positions.get(row[0].id)) for row in ordered[:MOST_ROWS]),
        failed=tuple(_job_view(*row, None) for row in reversed(failed)),
    )


def read_audit_log(
    context: AppContext,
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
    with read_contest(context, slug) as (session, contest_state):
        seen = AuditRecord.contest_id == contest_state.id
        if viewer.only is None:  # organisers of the whole server see its rows, too
            seen = or_(seen, AuditRecord.contest_id.is_(None))
        query = (
            select(AuditRecord, UserAccount.name)
            .outerjoin(UserAccount, UserAccount.id == AuditRecord.account_id)
            .where(seen)
            .order_by(AuditRecord.id.desc())
            .limit(most + 1)
        )
        if before is not None:
            query = query.where(AuditRecord.id < require_row_id(before))
        if who:
            account_name = who[:200]
            query = query.where(UserAccount.key.in_((look_alike_key(account_name), account_name)))
        if action:
            query = query.where(AuditRecord.action.startswith(action, autoescape=True))
        record_rows = session.execute(query).all()
        names = _subject_names(session, contest_state, [row for row, _ in record_rows])
    views = tuple(
        AuditRecordView.of(row, by=name, about=_describe_subject(row, names))
        for row, name in record_rows[:most]
    )
    return AuditPage(rows=views, before=views[-1].id if len(record_rows) > most else None)


def _subject_names(
    session: Session, contest_state: ContestState, rows: list[AuditRecord]
) -> dict[str, str]:
    """The teams, people and uploads of these rows, by how the log calls them."""
    teams = team_names(session, contest_state.id)
    subjects = {row.subject for row in rows} | {_account_subject(row) for row in rows}
    numbers = {
        int(item.removeprefix("account ")) for item in subjects if ACCOUNT_SUBJECT.fullmatch(item)
    }
    people = session.execute(
        select(UserAccount.id, UserAccount.name).where(UserAccount.id.in_(numbers))
    )
    of_contest = ContestEntry.contest_id == contest_state.id, ContestEntry.id.in_(subjects)
    uploads = session.scalars(select(ContestEntry).where(*of_contest))
    return {
        **{f"team {number}": name for number, name in teams.items()},
        **{f"account {number}": name for number, name in people},
        **{item.id: f"{teams[item.team_id]} · {item.label or item.file_name}" for item in uploads},
    }


def _account_subject(row: AuditRecord) -> str:
    return f"account {row.details.get('account')}"


def _describe_subject(row: AuditRecord, names: dict[str, str]) -> str:
    """What a row is about, by the names of today instead of numbers."""
    subject_name = names.get(row.subject, row.subject)
    person = names.get(_account_subject(row))
    return f"{subject_name} · {person}" if person else subject_name


def _load_jobs(
    session: Session, contest_state: ContestState, states: tuple[str, ...]
) -> list[tuple[JudgingJob, str, str]]:
    query = (
        select(JudgingJob, ContestEntry.state, Team.name)
        .join(ContestEntry, ContestEntry.id == JudgingJob.entry_id)
        .join(Team, Team.id == ContestEntry.team_id)
        .where(ContestEntry.contest_id == contest_state.id, JudgingJob.state.in_(states))
        .order_by(JudgingJob.id)
    )
    return [(job, state, team) for job, state, team in session.execute(query)]


def _queue_order(row: tuple[JudgingJob, str, str]) -> tuple[bool, bool, int]:
    """What runs, then what waits; re-judgements wait longest."""
    return row[0].state == "queued", row[0].run != "", row[0].id


def _job_view(job: JudgingJob, entry_state: str, team: str, position: int | None) -> JobView:
    return JobView.of(
        job,
        entry=job.entry_id,
        team=team,
        entry_state=entry_state,
        position=position,
        error=parse_reason(job.error),
    )


def read_judge_state(context: AppContext, viewer: Viewer, slug: str) -> JudgeStateView:
    """Which judge is in force, and whether the folder is still that (organisers)."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        return _build_judge_state(context, session, contest_state)


def restore_contest_files(context: AppContext, viewer: Viewer, slug: str) -> JudgeStateView:
    """Make the folder again what the judge in force is made of."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row, state = contest_state.row, _build_judge_state(context, session, contest_state)
        log("judge.put-back", slug, files=list(state.changed))
        restore_from_snapshot(context.home.contests, row.folder, row.judge_version)
        return _build_judge_state(context, session, contest_state)


def adopt_contest_files(context: AppContext, viewer: Viewer, slug: str) -> JudgeStateView:
    """Make the folder the judge in force, while no upload has been judged by another."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, f"apply:{contest_state.id}")
        if _has_scored_entries(session, contest_state):
            raise Conflict(
                "uploads have already been judged: judge them again, check the differences and "
                "apply"
            )
        context.checker.describe_judge(contest_state.row.folder)
        adopt_folder(context, session, contest_state)
        log("judge.use", slug, retried=requeue_failed(session, contest_state.id))
    return read_judge_state(context, viewer, slug)


def _has_scored_entries(session: Session, contest_state: ContestState) -> bool:
    scored = select(ContestEntry.id).where(
        ContestEntry.contest_id == contest_state.id, ContestEntry.state == "scored"
    )
    return session.scalars(scored.limit(1)).first() is not None


@cache
def _snapshot_version(copy: Path) -> str:
    """The judge that this library makes of a copy, which nobody edits."""
    return compute_judge_version(read_contest_folder(copy, where=CONTEST_FILE), copy)


def _build_judge_state(
    context: AppContext, session: Session, contest_state: ContestState
) -> JudgeStateView:
    row, problem = contest_state.row, None
    changed = changed_files(context.home.contests, row.folder, row.judge_version)
    copy = context.home.contests / context.judge_folder(row)
    try:
        read_folder_spec(context, contest_state)
        unchanged = not changed and _snapshot_version(copy) == row.judge_version
    except TokumeiError as error:
        faults = [fault.message for fault in getattr(error, "faults", ())][:5]
        messages = [error.message, *faults]
        unchanged = False
        problem = join_messages(messages, Message.verbatim(" · "))
    return JudgeStateView(
        in_force=row.judge_version,
        differs=not unchanged,
        changed=changed,
        problem=problem,
        used=_has_scored_entries(session, contest_state),
    )
