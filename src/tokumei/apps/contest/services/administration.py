"""Administration by organisers: teams, entries, phases, and retries of failed judging."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.judging_job import change_entry_state
from tokumei.apps.contest.jobs.queue import cancel_job, retry_failed_job
from tokumei.apps.contest.services.admin_view_builder import build_entry_views, build_team_views
from tokumei.apps.contest.services.admin_views import AdminEntryView, AdminTeamView
from tokumei.apps.contest.services.contest_state import ContestState, read_contest, update_contest
from tokumei.apps.contest.services.contests import get_contest_view
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_view_builder import query_entries
from tokumei.apps.contest.services.validation import clean_line, find_entry, require_row_id
from tokumei.apps.contest.services.view_models import ContestView
from tokumei.apps.contest.store.database import lock_subject, to_naive_utc
from tokumei.apps.contest.store.tables import (
    ContestEntry,
    EntryScore,
    EntryStateChange,
    JudgingJob,
    PhaseChange,
    Team,
)
from tokumei.apps.http.errors import Conflict, NotFound, UnprocessableContent
from tokumei.core.messages import Message

MOST_REASON = 500


def list_teams(context: AppContext, viewer: Viewer, slug: str) -> tuple[AdminTeamView, ...]:
    """All teams by name."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        return build_team_views(session, contest_state)


def list_entries(context: AppContext, viewer: Viewer, slug: str) -> tuple[AdminEntryView, ...]:
    """All entries, the newest first."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        return build_entry_views(session, contest_state, query_entries(session, contest_state))


def set_team_status(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    team_id: int,
    *,
    hidden: bool | None = None,
    banned: bool | None = None,
    reason: str,
) -> AdminTeamView:
    """Hide or ban a team, or take it back."""
    viewer.require_organiser()
    why = require_reason(reason)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        team = session.get(Team, require_row_id(team_id))
        if team is None or team.contest_id != contest_state.id:
            raise NotFound("there is no such team")
        team.hidden = team.hidden if hidden is None else hidden
        team.banned = team.banned if banned is None else banned
        team.reason = why if team.hidden or team.banned else ""
        log("team.set", f"team {team.id}", hidden=team.hidden, banned=team.banned, reason=why)
        session.flush()
        return next(view for view in build_team_views(session, contest_state) if view.id == team_id)


def withdraw_entry(
    context: AppContext, viewer: Viewer, slug: str, entry_id: str, reason: str
) -> AdminEntryView:
    """Take an entry out of the contest, until an organiser takes that back."""
    viewer.require_organiser()
    clean_reason = require_reason(reason)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        entry = find_entry(session, contest_state.id, entry_id)
        if entry.state in ("withdrawn", "cancelled"):
            raise Conflict("it has already been withdrawn")
        cancel_job(session, entry.id)
        stored_reason = Message.verbatim(clean_reason).texts()
        entry.state, entry.reason = "withdrawn", stored_reason
        session.add(
            EntryStateChange(
                entry_id=entry.id, state="withdrawn", at=context.now(), reason=stored_reason
            )
        )
        log("entry.withdraw", entry.id, reason=clean_reason)
        session.flush()
        return build_entry_views(session, contest_state, [entry])[0]


def change_phase(
    context: AppContext,
    viewer: Viewer,
    slug: str,
    number: int,
    *,
    starts: datetime,
    ends: datetime,
    reason: str,
) -> ContestView:
    """New times of phase `number` (0 the first)."""
    account = viewer.require_organiser()
    why = require_reason(reason)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, f"phases:{contest_state.id}")
        _require_valid_phase(contest_state, number, starts, ends)
        change = PhaseChange(
            contest_id=contest_state.id,
            place=number,
            starts=to_naive_utc(starts),
            ends=to_naive_utc(ends),
            reason=why,
            by_id=account,
            at=context.now(),
        )
        session.add(change)
        old = contest_state.phases[number]
        log(
            "phase.change",
            f"phase {number}",
            old=[old.starts.isoformat(), old.ends.isoformat()],
            new=[starts.isoformat(), ends.isoformat()],
            reason=why,
        )
    return get_contest_view(context, viewer, slug)


def require_reason(reason: str) -> str:
    """A reason that says something."""
    why = clean_line(reason, MOST_REASON)
    if not why:
        raise UnprocessableContent("a reason is needed")
    return why


def _require_valid_phase(
    contest_state: ContestState, number: int, starts: datetime, ends: datetime
) -> None:
    if not 0 <= number < len(contest_state.phases):
        raise NotFound("there is no such phase")
    years = range(2000, 2200)
    if starts.tzinfo is None or ends.tzinfo is None or {starts.year, ends.year} - set(years):
        raise UnprocessableContent("times need a time zone and a plausible year")
    if ends <= starts:
        raise UnprocessableContent("a phase must end after it starts")
    others = [phase for index, phase in enumerate(contest_state.phases) if index != number]
    if any(starts < phase.ends and phase.starts < ends for phase in others):
        raise Conflict("it would overlap another phase")


RETRY_REASON = Message("the organiser had it judged again")


def retry_job(context: AppContext, viewer: Viewer, slug: str, job_id: int) -> None:
    """Put a failed judgement back into the queue (organisers)."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        job = session.get(JudgingJob, require_row_id(job_id))
        entry = None if job is None else session.get_one(ContestEntry, job.entry_id)
        if job is None or entry is None or entry.contest_id != contest_state.id:
            raise NotFound("there is no such job")
        if not _retry_job_and_entry(session, job, entry):
            raise Conflict("only what failed and has not been withdrawn since can be tried again")
        log("entry.retry", entry.id, job=job.id)


def restore_entry(
    context: AppContext, viewer: Viewer, slug: str, entry_id: str, reason: str
) -> AdminEntryView:
    """Take a withdrawal back: the entry is what it was, one that waited waits again."""
    viewer.require_organiser()
    why = require_reason(reason)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        entry = find_entry(session, contest_state.id, entry_id)
        if entry.state != "withdrawn":
            raise Conflict("it was not withdrawn")
        scored = select(EntryScore.id).where(EntryScore.entry_id == entry.id, EntryScore.current)
        state = "scored" if session.scalars(scored).first() is not None else "queued"
        state = "rejected" if entry.fault_total else state
        if state == "queued":
            first = (JudgingJob.entry_id == entry.id, JudgingJob.run == "")
            again = update(JudgingJob).where(*first, JudgingJob.state.in_(("cancelled", "failed")))
            session.execute(again.values(state="queued", attempts=0, error=None))
        change_entry_state(
            session, entry.id, state, reason=Message.verbatim(why), only_from=("withdrawn",)
        )
        log("entry.restore", entry.id, reason=why)
        session.flush()
        return build_entry_views(session, contest_state, [entry])[0]


def requeue_failed(session: Session, contest_id: int) -> int:
    """Put every failed upload of a contest back into the queue; how many."""
    query = (
        select(JudgingJob, ContestEntry)
        .join(ContestEntry, ContestEntry.id == JudgingJob.entry_id)
        .where(
            ContestEntry.contest_id == contest_id,
            JudgingJob.run == "",
            JudgingJob.state == "failed",
        )
    )
    return sum(
        _retry_job_and_entry(session, job, entry) for job, entry in session.execute(query).all()
    )


def _retry_job_and_entry(session: Session, job: JudgingJob, entry: ContestEntry) -> bool:
    if not job.run and entry.state != "failed":
        return False
    if not retry_failed_job(session, job.id):
        return False
    if not job.run:
        change_entry_state(session, entry.id, "queued", reason=RETRY_REASON, only_from=("failed",))
    return True
