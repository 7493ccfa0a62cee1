"""What a re-judging run found, against the scores and ranks in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypedDict

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.failure_reasons import parse_reason
from tokumei.apps.contest.ranking import AttackScore, ReleaseScore, rank_teams
from tokumei.apps.contest.services.admin_views import RankChange, RejudgingDiffView, ScoreDiffRow
from tokumei.apps.contest.services.contest_state import ContestState
from tokumei.apps.contest.services.context import AppContext
from tokumei.apps.contest.services.entry_views import ScoreView
from tokumei.apps.contest.services.published_releases import list_published_releases, team_names
from tokumei.apps.contest.services.score_visibility import load_scored_attacks
from tokumei.apps.contest.services.validation import is_id
from tokumei.apps.contest.spec.folder import CONTEST_FILE, read_contest_folder
from tokumei.apps.contest.spec.model import ContestSpec
from tokumei.apps.contest.store.database import JsonColumn, to_aware_utc
from tokumei.apps.contest.store.tables import AuditRecord, ContestEntry, EntryScore, JudgingJob
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
        raise NotFound("there is no such run")
    return pairs


class RunSummary(TypedDict):
    """What a run is and how far."""

    run: str
    kind: Literal["rejudge", "recheck"]
    begun_at: datetime
    total: int
    done: int
    failed: int
    applied: bool


def summarize_run(
    session: Session, contest_state: ContestState, run: str, jobs: Sequence[JudgingJob]
) -> RunSummary:
    """What a run is and how far: what the list and the page of one share."""
    applied = select(AuditRecord.id).where(
        AuditRecord.action == "rejudge.apply",
        AuditRecord.subject == run,
        AuditRecord.contest_id == contest_state.id,
    )
    return {
        "run": run,
        "kind": "rejudge" if jobs[0].kind == "rejudge" else "recheck",
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
        raise Conflict("contest.yaml has another slug now; put the old one back")
    return spec


def build_diff_view(
    context: AppContext, session: Session, contest_state: ContestState, run: str
) -> RejudgingDiffView:
    """What a run found, against what is in force."""
    pairs = load_run_jobs(session, contest_state, run)
    jobs = [job for job, _ in pairs]
    state = summarize_run(session, contest_state, run, jobs)
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


def _score_figures(score: ScoreView | None) -> list[object] | None:
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


def _with_new_release_score(release: ReleaseScore, result: JsonColumn | None) -> ReleaseScore:
    if result is None:
        return release
    figures = {"utility": result["utility"], "suite": result["safety"]}
    return replace(release, unsafe=result["unsafe"], **figures)


def _with_new_attack_score(attack: AttackScore, result: JsonColumn | None) -> AttackScore:
    if result is None:
        return attack
    return replace(attack, value=result["safety"], unsafe=result["unsafe"])
