"""Judging again: with a new judge, or the rules only.

    run = rejudge(place, organiser, "cup").run
    diff = run_of(place, organiser, "cup", run)        # until diff.ready
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

from tokumei.contest.desk.console import requeue_failed
from tokumei.contest.desk.console_views import DiffRow, DiffView, RankChange, RunView
from tokumei.contest.desk.entry_views import ScoreView
from tokumei.contest.desk.feedback import scored_attacks
from tokumei.contest.desk.moment import Moment, changing, looking, moment_of
from tokumei.contest.desk.names import is_id, new_id
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import published, team_names
from tokumei.contest.desk.settings import JUDGED, kept_settings
from tokumei.contest.jobs.causes import told
from tokumei.contest.jobs.judgement import supersede
from tokumei.contest.jobs.queue import enqueue
from tokumei.contest.spec.folder import FILE, judge_version, read_contest_folder
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.standing import Attack, Release, standings
from tokumei.contest.store.database import aware, lock
from tokumei.contest.store.pinned import pin
from tokumei.contest.store.tables import Audit, Contest, Entry, Job, Score
from tokumei.http.refusals import Conflict, NotFound

FIGURES = ("utility", "safety", "total", "unsafe")


def jobs_of(session: Session, moment: Moment, run: str) -> list[tuple[Job, Entry]]:
    """The jobs of a run with their entries; NotFound if there are none."""
    query = (
        select(Job, Entry)
        .join(Entry, Entry.id == Job.entry_id)
        .where(Entry.contest_id == moment.id, Job.run == run, Job.run != "")
        .order_by(Job.id)
    )
    found = [(job, entry) for job, entry in session.execute(query)] if is_id(run) else []
    if not found:
        raise NotFound("there is no such run", "その再採点はありません")
    return found


def _state_of(session: Session, moment: Moment, run: str, jobs: Sequence[Job]) -> dict[str, Any]:
    """What a run is and how far: what the list and the page of one share."""
    applied = select(Audit.id).where(
        Audit.action == "rejudge.apply", Audit.subject == run, Audit.contest_id == moment.id
    )
    return {
        "run": run,
        "kind": jobs[0].kind,
        "begun_at": aware(min(job.queued_at for job in jobs)),
        "total": len(jobs),
        "done": sum(job.state == "done" for job in jobs),
        "failed": sum(job.state == "failed" for job in jobs),
        "applied": session.scalars(applied).first() is not None,
    }


def folder_spec(place: Place, moment: Moment) -> ContestSpec:
    """The contest as its folder tells it now: an organiser may have corrected it."""
    spec = read_contest_folder(place.home.contests / moment.row.folder, where=FILE)
    if spec.slug != moment.spec.slug:
        raise Conflict(
            "contest.yaml has another slug now; put the old one back",
            "contest.yaml の slug が変わっています。元に戻してください",
        )
    return spec


def diff_view(place: Place, session: Session, moment: Moment, run: str) -> DiffView:
    """What a run found, against what is in force."""
    pairs = jobs_of(session, moment, run)
    jobs = [job for job, _ in pairs]
    state = _state_of(session, moment, run, jobs)
    scored = state["kind"] == "rejudge"
    results = [job.result for job in jobs if job.result is not None]
    return DiffView(
        **state,
        judge_version=results[0]["judge_version"] if results else moment.row.judge_version,
        ready=state["done"] + state["failed"] == len(jobs),
        rows=_rows(session, moment, pairs, scored=scored),
        ranks=_ranks(place, session, moment, jobs) if scored else (),
    )


def _rows(
    session: Session, moment: Moment, pairs: Sequence[tuple[Job, Entry]], *, scored: bool
) -> tuple[DiffRow, ...]:
    names = team_names(session, moment.id)
    query = select(Score).join(Entry, Entry.id == Score.entry_id)
    query = query.where(Entry.contest_id == moment.id, Score.current)
    current = {row.entry_id: row for row in session.scalars(query)}
    rows = []
    for job, entry in pairs:
        old = ScoreView.of(current[entry.id]) if entry.id in current else None
        new = _new_score(job, old) if scored else None
        rows.append(
            DiffRow(
                entry=entry.id,
                kind=entry.kind,
                team=names[entry.team_id],
                label=entry.label,
                old=old,
                new=new,
                changed=new is not None and _figures(old) != _figures(new),
                now_rejected=job.result is not None and not job.result["accepted"],
                error=told(job.error) if job.state == "failed" else None,
            )
        )
    return tuple(rows)


def _new_score(job: Job, old: ScoreView | None) -> ScoreView | None:
    result = job.result
    if result is None or not result["accepted"]:
        return None
    return ScoreView(
        **{name: result[name] for name in ("judge_version", *FIGURES, "figures")},
        created_at=aware(job.finished_at or job.queued_at),
        current=old is not None and old.judge_version == result["judge_version"],
    )


def _figures(score: ScoreView | None) -> list[Any] | None:
    return None if score is None else [getattr(score, name) for name in FIGURES]


def _ranks(
    place: Place, session: Session, moment: Moment, jobs: Sequence[Job]
) -> tuple[RankChange, ...]:
    """Ranks by what is in force, and with the figures of the run in their place."""
    found = {job.entry_id: job.result for job in jobs if job.result and job.result["accepted"]}
    releases = published(session, moment, preview=not moment.releases_over)
    attacks = scored_attacks(session, moment.id)
    new_releases = [_released(release, found.get(release.entry)) for release in releases]
    new_attacks = [_attacked(attack, found.get(attack.entry)) for attack in attacks]
    before = standings(releases, attacks, moment.spec.scoring)
    after = standings(new_releases, new_attacks, folder_spec(place, moment).scoring)
    old, new = ({one.team: one.rank for one in places} for places in (before, after))
    return tuple(
        RankChange(team=team, old=old[team], new=new[team])
        for team in sorted(old)
        if old[team] != new[team]
    )


def _released(release: Release, result: dict[str, Any] | None) -> Release:
    if result is None:
        return release
    figures = {"utility": result["utility"], "suite": result["safety"]}
    return replace(release, unsafe=result["unsafe"], **figures)


def _attacked(attack: Attack, result: dict[str, Any] | None) -> Attack:
    if result is None:
        return attack
    return replace(attack, value=result["safety"], unsafe=result["unsafe"])


def rejudge(place: Place, viewer: Viewer, slug: str) -> DiffView:
    """Judge all scored entries again, and those that failed, without any effect yet."""
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
        jobs = {
            run: [j for j, _ in jobs_of(session, moment, run)] for run in session.scalars(query)
        }
        return tuple(RunView(**_state_of(session, moment, *one)) for one in jobs.items())


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
                "only a finished run that has not been applied yet can be applied",
                "反映できるのは、完了していてまだ反映していない再採点だけです",
            )
        for job, entry in jobs_of(session, moment, run):
            if entry.state == "scored" and job.result is not None and job.result["accepted"]:
                supersede(session, entry.id, job.result)
        _require_same_files(place, session, moment, run)
        use_folder(place, session, moment)
        again = requeue_failed(session, moment.id)
        log("rejudge.apply", run, retried=again)
        session.flush()
        return diff_view(place, session, moment_of(place, session, slug), run)


def use_folder(place: Place, session: Session, moment: Moment) -> None:
    """Make the folder as it is now the judge in force."""
    spec, row = folder_spec(place, moment), session.get_one(Contest, moment.id)
    kept = kept_settings(session, moment.id, moment.spec)
    if "quotas" in kept:
        kept["quotas"] = kept["quotas"].model_copy(update={JUDGED: spec.quotas.megabytes})
    held = spec.model_copy(update={"phases": moment.spec.phases, **kept})
    row.spec = held.model_dump(mode="json", by_alias=True)
    row.judge_version = judge_version(spec, place.home.contests / row.folder)
    pin(place.home.contests, row.folder, row.judge_version)


def _require_same_files(place: Place, session: Session, moment: Moment, run: str) -> None:
    """Fail if the folder is no longer what the run judged with."""
    query = select(Audit.details).where(
        Audit.action == "rejudge.begin", Audit.subject == run, Audit.contest_id == moment.id
    )
    begun = session.scalars(query).one()["judge_version"]
    folder = place.home.contests / moment.row.folder
    if judge_version(folder_spec(place, moment), folder) != begun:
        raise Conflict(
            "the contest's files or Tokumei have changed since this run began: judge again",
            "この再採点の開始後に、コンテストのファイルか Tokumei が変わりました。もう一度再採点"
            "してください",
        )


def _begin(
    place: Place, viewer: Viewer, slug: str, kind: Literal["rejudge", "recheck"]
) -> DiffView:
    viewer.require_organiser()
    run = new_id()
    with changing(place, viewer, slug) as (session, moment, log):
        version = judge_version(folder_spec(place, moment), place.home.contests / moment.row.folder)
        states = ("scored", "failed") if kind == "rejudge" else ("scored",)
        query = select(Entry.id).where(Entry.contest_id == moment.id, Entry.state.in_(states))
        entries = session.scalars(query.order_by(Entry.received_at)).all()
        if not entries:
            raise Conflict("there are no scored entries yet", "採点済みの提出がまだありません")
        for entry_id in entries:
            enqueue(session, kind=kind, entry_id=entry_id, run=run, dry=True)
        log(f"{kind}.begin", run, judge_version=version, entries=len(entries))
        session.flush()
        return diff_view(place, session, moment, run)
