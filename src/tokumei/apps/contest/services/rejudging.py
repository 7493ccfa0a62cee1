"""Judges all entries again with a new judge, or checks the rules only.

    run = rejudge(place, organiser, "cup").run
    diff = get_run_diff(place, organiser, "cup", run)        # until diff.ready
    apply_run(place, organiser, "cup", run)

The contest's folder counts as it is now: an organiser may have corrected its files. Nothing changes
before `apply_run`; the old scores are kept then too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.failure_reasons import parse_reason
from tokumei.apps.contest.jobs.judging_job import set_current_score
from tokumei.apps.contest.jobs.queue import enqueue
from tokumei.apps.contest.ranking import AttackScore, ReleaseScore, rank_teams
from tokumei.apps.contest.services.admin_views import (
    RankChange,
    RejudgingDiffView,
    RejudgingRunView,
    ScoreDiffRow,
)
from tokumei.apps.contest.services.administration import requeue_failed
from tokumei.apps.contest.services.contest_settings import JUDGED_QUOTA, changed_settings
from tokumei.apps.contest.services.contest_state import (
    ContestState,
    load_contest_state,
    read_contest,
    update_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_views import ScoreView
from tokumei.apps.contest.services.published_releases import list_published_releases, team_names
from tokumei.apps.contest.services.score_visibility import load_scored_attacks
from tokumei.apps.contest.services.validation import generate_id, is_id
from tokumei.apps.contest.spec.folder import (
    CONTEST_FILE,
    compute_judge_version,
    read_contest_folder,
)
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.database import lock_subject, to_aware_utc
from tokumei.apps.contest.store.judge_snapshots import create_snapshot
from tokumei.apps.contest.store.tables import (
    AuditRecord,
    Contest,
    ContestEntry,
    EntryScore,
    JudgingJob,
)
from tokumei.apps.http.errors import Conflict, NotFound

SCORE_FIGURES = ("utility", "safety", "total", "unsafe")


def load_run_jobs(
    session: Session, contest_state: ContestState, run: str
) -> list[tuple[JudgingJob, ContestEntry]]:
    """The jobs of a run with their entries; NotFound if there are none."""
    query = (
        select(JudgingJob, ContestEntry)
        .join(ContestEntry, ContestEntry.id == JudgingJob.entry_id)
        .where(
            ContestEntry.contest_id == contest_state.id, JudgingJob.run == run, JudgingJob.run != ""
        )
        .order_by(JudgingJob.id)
    )
    pairs = [(job, entry) for job, entry in session.execute(query)] if is_id(run) else []
    if not pairs:
        raise NotFound("there is no such run", "その再採点はありません")
    return pairs


def _run_summary(
    session: Session, contest_state: ContestState, run: str, jobs: Sequence[JudgingJob]
) -> dict[str, Any]:
    """What a run is and how far: what the list and the page of one share."""
    applied = select(AuditRecord.id).where(
        AuditRecord.action == "rejudge.apply",
        AuditRecord.subject == run,
        AuditRecord.contest_id == contest_state.id,
    )
    return {
        "run": run,
        "kind": jobs[0].kind,
        "begun_at": to_aware_utc(min(job.queued_at for job in jobs)),
        "total": len(jobs),
        "done": sum(job.state == "done" for job in jobs),
        "failed": sum(job.state == "failed" for job in jobs),
        "applied": session.scalars(applied).first() is not None,
    }


def read_folder_spec(context: AppContext, contest_state: ContestState) -> ContestSpec:
    """The contest as its folder tells it now: an organiser may have corrected it."""
    spec = read_contest_folder(context.home.contests / contest_state.row.folder, where=CONTEST_FILE)
    if spec.slug != contest_state.spec.slug:
        raise Conflict(
            "contest.yaml has another slug now; put the old one back",
            "contest.yaml の slug が変わっています。元に戻してください",
        )
    return spec


def build_diff_view(
    context: AppContext, session: Session, contest_state: ContestState, run: str
) -> RejudgingDiffView:
    """What a run found, against what is in force."""
    pairs = load_run_jobs(session, contest_state, run)
    jobs = [job for job, _ in pairs]
    state = _run_summary(session, contest_state, run, jobs)
    scored = state["kind"] == "rejudge"
    results = [job.result for job in jobs if job.result is not None]
    return RejudgingDiffView(
        **state,
        judge_version=results[0]["judge_version"] if results else contest_state.row.judge_version,
        ready=state["done"] + state["failed"] == len(jobs),
        rows=_diff_rows(session, contest_state, pairs, scored=scored),
        ranks=_rank_changes(context, session, contest_state, jobs) if scored else (),
    )


def _diff_rows(
    session: Session,
    contest_state: ContestState,
    pairs: Sequence[tuple[JudgingJob, ContestEntry]],
    *,
    scored: bool,
) -> tuple[ScoreDiffRow, ...]:
    names = team_names(session, contest_state.id)
    query = select(EntryScore).join(ContestEntry, ContestEntry.id == EntryScore.entry_id)
    query = query.where(ContestEntry.contest_id == contest_state.id, EntryScore.current)
    current = {row.entry_id: row for row in session.scalars(query)}
    rows = []
    for job, entry in pairs:
        old = ScoreView.of(current[entry.id]) if entry.id in current else None
        new = _new_score(job, old) if scored else None
        rows.append(
            ScoreDiffRow(
                entry=entry.id,
                kind=entry.kind,
                team=names[entry.team_id],
                label=entry.label,
                old=old,
                new=new,
                changed=new is not None and _score_figures(old) != _score_figures(new),
                now_rejected=job.result is not None and not job.result["accepted"],
                error=parse_reason(job.error) if job.state == "failed" else None,
            )
        )
    return tuple(rows)


def _new_score(job: JudgingJob, old: ScoreView | None) -> ScoreView | None:
    result = job.result
    if result is None or not result["accepted"]:
        return None
    return ScoreView(
        **{name: result[name] for name in ("judge_version", *SCORE_FIGURES, "figures")},
        created_at=to_aware_utc(job.finished_at or job.queued_at),
        current=old is not None and old.judge_version == result["judge_version"],
    )


def _score_figures(score: ScoreView | None) -> list[Any] | None:
    return None if score is None else [getattr(score, name) for name in SCORE_FIGURES]


def _rank_changes(
    context: AppContext, session: Session, contest_state: ContestState, jobs: Sequence[JudgingJob]
) -> tuple[RankChange, ...]:
    """Ranks by what is in force, and with the figures of the run in their place."""
    new_results = {
        job.entry_id: job.result for job in jobs if job.result and job.result["accepted"]
    }
    releases = list_published_releases(
        session, contest_state, preview=not contest_state.releases_over
    )
    attacks = load_scored_attacks(session, contest_state.id)
    new_releases = [
        _with_new_release_score(release, new_results.get(release.entry)) for release in releases
    ]
    new_attacks = [
        _with_new_attack_score(attack, new_results.get(attack.entry)) for attack in attacks
    ]
    before = rank_teams(releases, attacks, contest_state.spec.scoring)
    after = rank_teams(new_releases, new_attacks, read_folder_spec(context, contest_state).scoring)
    old, new = (
        {standing.team: standing.rank for standing in standings_list}
        for standings_list in (before, after)
    )
    return tuple(
        RankChange(team=team, old=old[team], new=new[team])
        for team in sorted(old)
        if old[team] != new[team]
    )


def _with_new_release_score(release: ReleaseScore, result: dict[str, Any] | None) -> ReleaseScore:
    if result is None:
        return release
    figures = {"utility": result["utility"], "suite": result["safety"]}
    return replace(release, unsafe=result["unsafe"], **figures)


def _with_new_attack_score(attack: AttackScore, result: dict[str, Any] | None) -> AttackScore:
    if result is None:
        return attack
    return replace(attack, value=result["safety"], unsafe=result["unsafe"])


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
            RejudgingRunView(**_run_summary(session, contest_state, *run_and_jobs))
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
            raise Conflict(
                "only a finished run that has not been applied yet can be applied",
                "反映できるのは、完了していてまだ反映していない再採点だけです",
            )
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
        settings["quotas"] = settings["quotas"].model_copy(
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
            "the contest's files or Tokumei have changed since this run began: judge again",
            "この再採点の開始後に、コンテストのファイルか Tokumei が変わりました。もう一度再採点"
            "してください",
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
            raise Conflict("there are no scored entries yet", "採点済みの提出がまだありません")
        for entry_id in entries:
            enqueue(session, kind=kind, entry_id=entry_id, run=run, dry=True)
        log(f"{kind}.begin", run, judge_version=version, entries=len(entries))
        session.flush()
        return build_diff_view(context, session, contest_state, run)
