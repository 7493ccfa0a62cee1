"""Judging again: with a new judge, or the rules only.

    run = rejudge(place, organiser, "cup").run
    diff = run_of(place, organiser, "cup", run)        # until diff.ready
    apply_run(place, organiser, "cup", run)

The contest's folder counts as it is now: an organiser may have corrected its files. Nothing changes
before `apply_run`; the old scores are kept then too.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import func, select

from tokumei.contest.desk.audit_log import changing
from tokumei.contest.desk.console_views import DiffView, RunView
from tokumei.contest.desk.moment import looking, moment_of
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.runs import diff_view, folder_spec, is_applied, jobs_of, run_kind
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.jobs.queue import enqueue
from tokumei.contest.jobs.results import supersede
from tokumei.contest.judge.version import judge_version
from tokumei.contest.store.clock import aware
from tokumei.contest.store.database import lock
from tokumei.contest.store.ids import new_id
from tokumei.contest.store.tables import Contest, Entry, Job
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict


def rejudge(place: Place, viewer: Viewer, slug: str) -> DiffView:
    """Judge all scored entries again, without any effect yet."""
    return _begin(place, viewer, slug, "rejudge")


def recheck(place: Place, viewer: Viewer, slug: str) -> DiffView:
    """Check the rules again on all scored entries; those with faults can be withdrawn."""
    return _begin(place, viewer, slug, "recheck")


def runs(place: Place, viewer: Viewer, slug: str) -> tuple[RunView, ...]:
    """All runs, the newest first."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        first = func.min(Job.id)
        query = (
            select(Job.run)
            .join(Entry, Entry.id == Job.entry_id)
            .where(Entry.contest_id == moment.id, Job.run != "")
            .group_by(Job.run)
            .order_by(first.desc())
        )
        found = []
        for run in session.scalars(query):
            jobs = [job for job, _ in jobs_of(session, moment, run)]
            found.append(
                RunView(
                    run=run,
                    kind=run_kind(jobs),
                    begun_at=aware(min(job.queued_at for job in jobs)),
                    total=len(jobs),
                    done=sum(job.state == "done" for job in jobs),
                    failed=sum(job.state == "failed" for job in jobs),
                    applied=is_applied(session, moment, run),
                )
            )
        return tuple(found)


def run_of(place: Place, viewer: Viewer, slug: str, run: str) -> DiffView:
    """Old and new figures, and what they would do to the ranks."""
    viewer.require_organiser()
    with place.read() as session:
        return diff_view(place, session, moment_of(place, session, slug), run)


def apply_run(place: Place, viewer: Viewer, slug: str, run: str) -> DiffView:
    """Make a re-judgement's figures current; the old ones are kept."""
    viewer.require_organiser()
    with changing(place, viewer, slug) as (session, moment, log):
        lock(session, f"apply:{moment.id}")
        diff = diff_view(place, session, moment, run)
        if diff.kind != "rejudge" or diff.applied or not diff.ready:
            raise Conflict(
                Text(
                    "only a finished run that has not been applied yet can be applied",
                    "反映できるのは、完了していてまだ反映していない再採点だけです",
                )
            )
        for job, entry in jobs_of(session, moment, run):
            if entry.state == "scored" and job.result is not None and job.result["accepted"]:
                supersede(session, entry.id, job.result)
        spec, row = folder_spec(place, moment), session.get_one(Contest, moment.id)
        held = spec.model_copy(update={"phases": moment.spec.phases})
        row.spec = held.model_dump(mode="json", by_alias=True)
        row.judge_version = judge_version(spec, place.home.contests / row.folder)
        log("rejudge.apply", run)
        session.flush()
        return diff_view(place, session, moment_of(place, session, slug), run)


def _begin(
    place: Place, viewer: Viewer, slug: str, kind: Literal["rejudge", "recheck"]
) -> DiffView:
    viewer.require_organiser()
    run = new_id()
    with changing(place, viewer, slug) as (session, moment, log):
        version = judge_version(folder_spec(place, moment), place.home.contests / moment.row.folder)
        query = select(Entry.id).where(Entry.contest_id == moment.id, Entry.state == "scored")
        entries = session.scalars(query.order_by(Entry.received_at)).all()
        if not entries:
            raise Conflict(
                Text("there are no scored entries yet", "採点済みの提出がまだありません")
            )
        for entry_id in entries:
            enqueue(session, kind=kind, entry_id=entry_id, run=run, dry=True)
        log(f"{kind}.begin", run, judge_version=version, entries=len(entries))
        session.flush()
        return diff_view(place, session, moment, run)
