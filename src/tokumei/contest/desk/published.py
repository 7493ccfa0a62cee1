"""Which releases stand for their teams, and are attacked.

    for release in published(session, moment): ...
    public_file(place, viewer, "cup", target.id).path

A team's chosen releases; after the last anonymize phase, if it chose none, its best one. That is
computed whenever it is read: nobody has to be awake when a phase ends. Waits until all of the
team's uploads are judged, and never moves away from a release that was attacked. Targets are for
members of teams and organisers, from the first attack phase on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_views import TargetView
from tokumei.contest.desk.feedback import AttackFeedback, ScoredAttack, scored, scored_attacks
from tokumei.contest.desk.membership import Use, attempts_on, require_insider, uses_of
from tokumei.contest.desk.moment import Moment, looking
from tokumei.contest.desk.names import find_entry
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import Download
from tokumei.contest.spec.model import Kind
from tokumei.contest.standing import Release
from tokumei.contest.store.tables import Entry, Score, Team
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound

UNSETTLED = ("received", "queued", "running")
NO_TARGET = Text("there is no such target", "その対象はありません")


@dataclass(frozen=True, kw_only=True)
class ScoredRelease(Release):
    """A scored release, with the judge's figures in force."""

    team_id: int
    received_at: datetime
    published_at: datetime | None
    total: float | None


def team_names(session: Session, contest_id: int, *, visible: bool = False) -> dict[int, str]:
    """The teams' names in their order; `visible`: of those neither hidden nor banned."""
    query = select(Team.id, Team.name).where(Team.contest_id == contest_id).order_by(Team.name)
    shown = query.where(~Team.hidden, ~Team.banned) if visible else query
    return {number: name for number, name in session.execute(shown)}


def scored_releases(
    session: Session, contest_id: int, *, team_id: int | None = None
) -> list[ScoredRelease]:
    """All scored releases of a contest, or of one team of it, the oldest first."""
    named = Team.name.label("team"), Score.safety.label("suite")
    query = scored(contest_id, *named, Entry.published_at, Score.utility, Score.total)
    query = query.where(Entry.target_id.is_(None))
    if team_id is not None:
        query = query.where(Entry.team_id == team_id)
    return [ScoredRelease(**row) for row in session.execute(query).mappings()]


def published(session: Session, moment: Moment, *, preview: bool = False) -> list[ScoredRelease]:
    """The releases that stand for visible teams; `preview`: as if the phase ended now."""
    visible = team_names(session, moment.id, visible=True)
    of_team: dict[int, list[ScoredRelease]] = defaultdict(list)
    for release in scored_releases(session, moment.id):
        if release.team_id in visible:
            of_team[release.team_id].append(release)
    # Also those whose choice was withdrawn since.
    choosers = _distinct(session, Entry.team_id, moment.id, Entry.published_at.is_not(None))
    unsettled = Entry.target_id.is_(None), Entry.state.in_(UNSETTLED)
    waiting = set() if preview else _distinct(session, Entry.team_id, moment.id, *unsettled)
    attacked = attacked_releases(session, moment.id)
    found: list[ScoredRelease] = []
    for team_id, releases in of_team.items():
        chosen = [release for release in releases if release.published_at is not None]
        found += chosen
        alone = not chosen and team_id not in choosers
        if alone and (preview or (moment.releases_over and team_id not in waiting)):
            found.append(_best(releases, attacked))
    return sorted(found, key=lambda release: (release.team, release.received_at, release.entry))


def _best(releases: Iterable[ScoredRelease], attacked: set[str]) -> ScoredRelease:
    return min(
        releases,
        key=lambda release: (
            release.entry not in attacked,
            release.total is None,
            release.total or 0.0,
            release.received_at,
            release.entry,
        ),
    )


def _distinct(session: Session, column: Any, contest_id: int, *which: Any) -> set[Any]:
    """What entries of a contest have in a column."""
    query = select(column).where(Entry.contest_id == contest_id, *which)
    return set(session.scalars(query.distinct()))


def attacked_releases(session: Session, contest_id: int) -> set[str]:
    """Releases that somebody attacked: these stay."""
    return _distinct(session, Entry.target_id, contest_id, Entry.target_id.is_not(None))


def open_targets(session: Session, moment: Moment) -> list[ScoredRelease]:
    """The published releases; none before the first attack phase."""
    return published(session, moment) if moment.attacks_begun else []


def require_target(session: Session, moment: Moment, target_id: str) -> ScoredRelease:
    """One of them; NotFound also for releases that are not published."""
    for release in open_targets(session, moment):
        if release.entry == target_id:
            return release
    raise NotFound(NO_TARGET)


@dataclass(frozen=True)
class _Beside:
    """What all targets of one answer share."""

    session: Session
    moment: Moment
    team: Team | None
    uses: list[Use]
    attacks: dict[str | None, list[ScoredAttack]]
    feedback: AttackFeedback
    guess_files: tuple[str, ...]


def targets(place: Place, viewer: Viewer, slug: str) -> tuple[TargetView, ...]:
    """All published releases; empty before the first attack phase."""
    with looking(place, slug) as (session, moment):
        team = require_insider(session, moment, viewer)
        shared = _beside(place, session, moment, viewer, team)
        numbers: dict[int, int] = defaultdict(int)
        views = []
        for release in open_targets(session, moment):
            numbers[release.team_id] += 1
            views.append(_view(place, shared, release, numbers[release.team_id]))
        return tuple(views)


def target_of(place: Place, viewer: Viewer, slug: str, target_id: str) -> TargetView:
    """One published release."""
    for found in targets(place, viewer, slug):
        if found.id == target_id:
            return found
    raise NotFound(NO_TARGET)


def public_file(place: Place, viewer: Viewer, slug: str, target_id: str) -> Download:
    """S of a published release; of one's own, and for organisers, also before that."""
    with looking(place, slug) as (session, moment):
        team = require_insider(session, moment, viewer)
        entry = find_entry(session, moment.id, target_id)
        if entry.public_sha256 is None:
            raise NotFound(NO_TARGET)
        mine = team is None or entry.team_id == team.id
        shown = any(release.entry == entry.id for release in open_targets(session, moment))
        if not (mine or shown):
            raise NotFound(NO_TARGET)
        return Download(place.home.files.path(entry.public_sha256), f"S-{entry.id}.csv")


def _beside(
    place: Place, session: Session, moment: Moment, viewer: Viewer, team: Team | None
) -> _Beside:
    attacks: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in scored_attacks(session, moment.id):
        if team is not None and attack.team_id == team.id:
            attacks[attack.target].append(attack)
    described = place.described(place.judge_folder(moment.row), moment.row.judge_version)
    return _Beside(
        session,
        moment,
        team,
        uses_of(session, team.id) if team is not None else [],
        attacks,
        AttackFeedback(moment, exact=viewer.organiser),
        tuple(described.guess_files),
    )


def _view(place: Place, shared: _Beside, release: ScoredRelease, number: int) -> TargetView:
    entry = shared.session.get_one(Entry, release.entry)
    sha256 = entry.public_sha256 or ""
    used = attempts_on(shared.uses, entry.id)
    left = max(0, shared.moment.spec.quotas.attempts_per_target - used)
    team = shared.team
    own = team is not None and team.id == entry.team_id
    playing = team is not None and not own
    return TargetView(
        id=entry.id,
        team=release.team,
        number=number,
        size=place.home.files.path(sha256).stat().st_size if sha256 else 0,
        public_sha256=sha256,
        public_commitment=entry.public_commitment,
        truth_commitment=entry.truth_commitment,
        own=own,
        attempts_used=used,
        attempts_left=left,
        best=shared.feedback.best(shared.attacks[entry.id]),
        guess_files=shared.guess_files,
        open=playing and left > 0 and shared.moment.is_open(Kind.ATTACK),
    )
