"""A re-judgement made ready to be shown: old and new figures, old and new ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import DiffRow, DiffView, RankChange
from tokumei.contest.desk.entry_views import ScoreView
from tokumei.contest.desk.feedback import scored_attacks
from tokumei.contest.desk.lookups import is_id
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.published import published
from tokumei.contest.spec.folder import read_contest_folder
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.standing import Attack, Release, standings
from tokumei.contest.store.clock import aware
from tokumei.contest.store.tables import Audit, Entry, Job, Score, Team
from tokumei.core.text import Text
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
        raise NotFound(Text("there is no such run", "その再採点はありません"))
    return found


def run_kind(jobs: Sequence[Job]) -> Literal["rejudge", "recheck"]:
    """What a run is."""
    return cast("Literal['rejudge', 'recheck']", jobs[0].kind)


def is_applied(session: Session, moment: Moment, run: str) -> bool:
    """Whether a run's figures were made current."""
    query = select(Audit.id).where(
        Audit.action == "rejudge.apply", Audit.subject == run, Audit.contest_id == moment.id
    )
    return session.scalars(query).first() is not None


def folder_spec(place: Place, moment: Moment) -> ContestSpec:
    """The contest as its folder tells it now: an organiser may have corrected it."""
    spec = read_contest_folder(place.home.contests / moment.row.folder)
    if spec.slug != moment.spec.slug:
        raise Conflict(
            Text(
                "contest.yaml has another slug now; put the old one back",
                "contest.yaml の slug が変わっています。元に戻してください",
            )
        )
    return spec


def diff_view(place: Place, session: Session, moment: Moment, run: str) -> DiffView:
    """What a run found, against what is in force."""
    pairs = jobs_of(session, moment, run)
    jobs = [job for job, _ in pairs]
    kind = run_kind(jobs)
    done, failed = (sum(job.state == state for job in jobs) for state in ("done", "failed"))
    results = [job.result for job in jobs if job.result is not None]
    return DiffView(
        run=run,
        kind=kind,
        judge_version=results[0]["judge_version"] if results else moment.row.judge_version,
        begun_at=aware(min(job.queued_at for job in jobs)),
        total=len(jobs),
        done=done,
        failed=failed,
        ready=done + failed == len(jobs),
        applied=is_applied(session, moment, run),
        rows=_rows(session, moment, pairs, scored=kind == "rejudge"),
        ranks=_ranks(place, session, moment, jobs) if kind == "rejudge" else (),
    )


def _rows(
    session: Session, moment: Moment, pairs: Sequence[tuple[Job, Entry]], *, scored: bool
) -> tuple[DiffRow, ...]:
    teams = select(Team.id, Team.name).where(Team.contest_id == moment.id)
    names = {number: name for number, name in session.execute(teams)}
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
                kind="release" if entry.target_id is None else "attack",
                team=names[entry.team_id],
                label=entry.label,
                old=old,
                new=new,
                changed=new is not None and _differ(old, new),
                now_rejected=job.result is not None and not job.result["accepted"],
                error=job.error if job.state == "failed" else None,
            )
        )
    return tuple(rows)


def _new_score(job: Job, old: ScoreView | None) -> ScoreView | None:
    result = job.result
    if result is None or not result["accepted"]:
        return None
    return ScoreView(
        judge_version=result["judge_version"],
        utility=result["utility"],
        safety=result["safety"],
        total=result["total"],
        unsafe=result["unsafe"],
        figures=result["figures"],
        created_at=aware(job.finished_at or job.queued_at),
        current=old is not None and old.judge_version == result["judge_version"],
    )


def _differ(old: ScoreView | None, new: ScoreView) -> bool:
    return old is None or any(getattr(old, name) != getattr(new, name) for name in FIGURES)


def _ranks(
    place: Place, session: Session, moment: Moment, jobs: Sequence[Job]
) -> tuple[RankChange, ...]:
    """Ranks by what is in force, and with the figures of the run in their place."""
    found = {job.entry_id: job.result for job in jobs if job.result and job.result["accepted"]}
    releases = published(session, moment, preview=not moment.releases_over)
    attacks = scored_attacks(session, moment.id)
    old_releases = [Release(r.team, r.entry, r.utility, r.suite, r.unsafe) for r in releases]
    old_attacks = {a.entry: Attack(a.team, a.target or "", a.value, a.unsafe) for a in attacks}
    new_releases = [_released(release, found.get(release.entry)) for release in old_releases]
    new_attacks = [_attacked(attack, found.get(entry)) for entry, attack in old_attacks.items()]
    before = standings(old_releases, old_attacks.values(), moment.spec.scoring)
    old = {one.team: one.rank for one in before}
    after = standings(new_releases, new_attacks, folder_spec(place, moment).scoring)
    new = {one.team: one.rank for one in after}
    return tuple(
        RankChange(team=team, old=old[team], new=new[team])
        for team in sorted(old)
        if old[team] != new[team]
    )


def _released(release: Release, result: dict[str, Any] | None) -> Release:
    if result is None:
        return release
    return replace(
        release, utility=result["utility"], suite=result["safety"], unsafe=result["unsafe"]
    )


def _attacked(attack: Attack, result: dict[str, Any] | None) -> Attack:
    if result is None:
        return attack
    return replace(attack, value=result["safety"], unsafe=result["unsafe"])
