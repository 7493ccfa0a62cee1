"""Judges all entries again with a new judge, or checks the rules only.

    run = rejudge(place, organiser, "cup").run
    diff = get_run_diff(place, organiser, "cup", run)        # until diff.ready
    apply_run(place, organiser, "cup", run)

The contest's folder counts as it is now: an organiser may have corrected its files. Nothing changes
before `apply_run`; the old scores are kept then too.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.judging_job import set_current_score
from tokumei.apps.contest.jobs.queue import enqueue
from tokumei.apps.contest.services.admin_views import RejudgingDiffView, RejudgingRunView
from tokumei.apps.contest.services.administration import requeue_failed
from tokumei.apps.contest.services.contest_settings import JUDGED_QUOTA, changed_settings
from tokumei.apps.contest.services.contest_state import (
    ContestState,
    load_contest_state,
    read_contest,
    update_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.rejudging_diff import (
    build_diff_view,
    load_run_jobs,
    read_folder_spec,
    summarize_run,
)
from tokumei.apps.contest.services.validation import generate_id
from tokumei.apps.contest.spec.folder import compute_judge_version
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.judge_snapshots import create_snapshot
from tokumei.apps.contest.store.tables import AuditRecord, Contest, ContestEntry, JudgingJob
from tokumei.apps.http.errors import Conflict


def start_rejudging(context: AppContext, viewer: Viewer, slug: str) -> RejudgingDiffView:
    """Judge all scored entries again, and those that failed, without any effect yet."""
    return _start_run(context, viewer, slug, "rejudge")


def start_rechecking(context: AppContext, viewer: Viewer, slug: str) -> RejudgingDiffView:
    """Check the rules again on all scored entries; those with faults can be withdrawn."""
    return _start_run(context, viewer, slug, "recheck")


def list_runs(context: AppContext, viewer: Viewer, slug: str) -> tuple[RejudgingRunView, ...]:
    """All runs, the newest first."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        first = func.min(JudgingJob.id)
        query = (
            select(JudgingJob.run)
            .join(ContestEntry, ContestEntry.id == JudgingJob.entry_id)
            .where(ContestEntry.contest_id == contest_state.id, JudgingJob.run != "")
            .group_by(JudgingJob.run)
            .order_by(first.desc())
        )
        jobs = {
            run: [j for j, _ in load_run_jobs(session, contest_state, run)]
            for run in session.scalars(query)
        }
        return tuple(
            RejudgingRunView(**summarize_run(session, contest_state, *run_and_jobs))
            for run_and_jobs in jobs.items()
        )


def get_run_diff(context: AppContext, viewer: Viewer, slug: str, run: str) -> RejudgingDiffView:
    """Old and new figures, and what they would do to the ranks."""
    viewer.require_organiser()
    with context.read() as session:
        return build_diff_view(context, session, load_contest_state(context, session, slug), run)


def apply_run(context: AppContext, viewer: Viewer, slug: str, run: str) -> RejudgingDiffView:
    """Make a re-judgement's figures current; the old ones are kept."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, f"apply:{contest_state.id}")
        diff = build_diff_view(context, session, contest_state, run)
        if diff.kind != "rejudge" or diff.applied or not diff.ready:
            raise Conflict("only a finished run that has not been applied yet can be applied")
        for job, entry in load_run_jobs(session, contest_state, run):
            if entry.state == "scored" and job.result is not None and job.result["accepted"]:
                set_current_score(session, entry.id, job.result)
        _require_same_files(context, session, contest_state, run)
        adopt_folder(context, session, contest_state)
        again = requeue_failed(session, contest_state.id)
        log("rejudge.apply", run, retried=again)
        session.flush()
        return build_diff_view(context, session, load_contest_state(context, session, slug), run)


def adopt_folder(context: AppContext, session: Session, contest_state: ContestState) -> None:
    """Make the folder as it is now the judge in force."""
    spec, row = read_folder_spec(context, contest_state), session.get_one(Contest, contest_state.id)
    settings = changed_settings(session, contest_state.id, contest_state.spec)
    if "quotas" in settings:
        settings["quotas"] = contest_state.spec.quotas.model_copy(
            update={JUDGED_QUOTA: spec.quotas.megabytes}
        )
    new_spec = spec.model_copy(update={"phases": contest_state.spec.phases, **settings})
    row.spec = new_spec.model_dump(mode="json", by_alias=True)
    row.judge_version = compute_judge_version(spec, context.home.contests / row.folder)
    create_snapshot(context.home.contests, row.folder, row.judge_version)


def _require_same_files(
    context: AppContext, session: Session, contest_state: ContestState, run: str
) -> None:
    """Fail if the folder is no longer what the run judged with."""
    query = select(AuditRecord.details).where(
        AuditRecord.action == "rejudge.begin",
        AuditRecord.subject == run,
        AuditRecord.contest_id == contest_state.id,
    )
    started_version = session.scalars(query).one()["judge_version"]
    folder = context.home.contests / contest_state.row.folder
    if compute_judge_version(read_folder_spec(context, contest_state), folder) != started_version:
        raise Conflict(
            "the contest's files or Tokumei have changed since this run began: judge again"
        )


def _start_run(
    context: AppContext, viewer: Viewer, slug: str, kind: Literal["rejudge", "recheck"]
) -> RejudgingDiffView:
    viewer.require_organiser()
    run = generate_id()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        version = compute_judge_version(
            read_folder_spec(context, contest_state),
            context.home.contests / contest_state.row.folder,
        )
        states = ("scored", "failed") if kind == "rejudge" else ("scored",)
        query = select(ContestEntry.id).where(
            ContestEntry.contest_id == contest_state.id, ContestEntry.state.in_(states)
        )
        entries = session.scalars(query.order_by(ContestEntry.received_at)).all()
        if not entries:
            raise Conflict("there are no scored entries yet")
        for entry_id in entries:
            enqueue(session, kind=kind, entry_id=entry_id, run=run, dry=True)
        log(f"{kind}.begin", run, judge_version=version, entries=len(entries))
        session.flush()
        return build_diff_view(context, session, contest_state, run)
