"""Selects the release that represents each team and may be attacked.

    for release in published(session, moment): ...
    get_public_file(place, viewer, "cup", target.id).path

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
from typing import TypeVar

from sqlalchemy import ColumnElement, SQLColumnExpression, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.ranking import ReleaseScore
from tokumei.apps.contest.services.contest_state import ContestState, read_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_views import TargetView
from tokumei.apps.contest.services.permissions import (
    UploadUse,
    count_attempts,
    load_upload_uses,
    require_member_or_organiser,
)
from tokumei.apps.contest.services.score_visibility import (
    AttackFeedback,
    ScoredAttack,
    load_scored_attacks,
    scored_entries_query,
)
from tokumei.apps.contest.services.validation import find_entry
from tokumei.apps.contest.services.view_models import Download
from tokumei.apps.contest.spec.model import PhaseType
from tokumei.apps.contest.store.tables import ContestEntry, EntryScore, Team
from tokumei.apps.http.errors import NotFound
from tokumei.core.messages import Message

UNSETTLED_STATES = ("received", "queued", "running")
NO_TARGET = Message("there is no such target")

Value = TypeVar("Value")


@dataclass(frozen=True, kw_only=True)
class ScoredRelease(ReleaseScore):
    """A scored release, with the judge's figures in force."""

    team_id: int
    received_at: datetime
    published_at: datetime | None
    total: float | None


def team_names(session: Session, contest_id: int, *, visible: bool = False) -> dict[int, str]:
    """The teams' names in their order; `visible`: of those neither hidden nor banned."""
    query = select(Team.id, Team.name).where(Team.contest_id == contest_id).order_by(Team.name)
    filtered_query = query.where(~Team.hidden, ~Team.banned) if visible else query
    return {number: name for number, name in session.execute(filtered_query)}


def load_scored_releases(
    session: Session, contest_id: int, *, team_id: int | None = None
) -> list[ScoredRelease]:
    """All scored releases of a contest, or of one team of it, the oldest first."""
    named = Team.name.label("team"), EntryScore.safety.label("suite")
    query = scored_entries_query(
        contest_id, *named, ContestEntry.published_at, EntryScore.utility, EntryScore.total
    )
    query = query.where(ContestEntry.target_id.is_(None))
    if team_id is not None:
        query = query.where(ContestEntry.team_id == team_id)
    return [ScoredRelease(**row) for row in session.execute(query).mappings()]


def list_published_releases(
    session: Session, contest_state: ContestState, *, preview: bool = False
) -> list[ScoredRelease]:
    """The releases that stand for visible teams; `preview`: as if the phase ended now."""
    visible = team_names(session, contest_state.id, visible=True)
    releases_by_team: dict[int, list[ScoredRelease]] = defaultdict(list)
    for release in load_scored_releases(session, contest_state.id):
        if release.team_id in visible:
            releases_by_team[release.team_id].append(release)
    # Also those whose choice was withdrawn since.
    choosers = _distinct_values(
        session, ContestEntry.team_id, contest_state.id, ContestEntry.published_at.is_not(None)
    )
    unsettled = ContestEntry.target_id.is_(None), ContestEntry.state.in_(UNSETTLED_STATES)
    waiting = (
        set()
        if preview
        else _distinct_values(session, ContestEntry.team_id, contest_state.id, *unsettled)
    )
    attacked = attacked_release_ids(session, contest_state.id)
    selected: list[ScoredRelease] = []
    for team_id, releases in releases_by_team.items():
        chosen = [release for release in releases if release.published_at is not None]
        selected += chosen
        undecided = not chosen and team_id not in choosers
        if undecided and (preview or (contest_state.releases_over and team_id not in waiting)):
            selected.append(_pick_for_undecided_team(releases, attacked))
    return sorted(selected, key=lambda release: (release.team, release.received_at, release.entry))


def _pick_for_undecided_team(
    releases: Iterable[ScoredRelease], attacked: set[str]
) -> ScoredRelease:
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


def _distinct_values(
    session: Session,
    column: SQLColumnExpression[Value | None],
    contest_id: int,
    *conditions: ColumnElement[bool],
) -> set[Value]:
    """What entries of a contest have in a column."""
    query = select(column).where(ContestEntry.contest_id == contest_id, *conditions)
    return {value for value in session.scalars(query.distinct()) if value is not None}


def attacked_release_ids(session: Session, contest_id: int) -> set[str]:
    """Releases that somebody attacked: these stay."""
    return _distinct_values(
        session, ContestEntry.target_id, contest_id, ContestEntry.target_id.is_not(None)
    )


def list_open_targets(session: Session, contest_state: ContestState) -> list[ScoredRelease]:
    """The published releases; none before the first attack phase."""
    return list_published_releases(session, contest_state) if contest_state.attacks_begun else []


def require_target(session: Session, contest_state: ContestState, target_id: str) -> ScoredRelease:
    """One of them; NotFound also for releases that are not published."""
    for release in list_open_targets(session, contest_state):
        if release.entry == target_id:
            return release
    raise NotFound(NO_TARGET)


@dataclass(frozen=True)
class _TargetContext:
    """What all targets of one answer share."""

    session: Session
    moment: ContestState
    team: Team | None
    uses: list[UploadUse]
    attacks: dict[str | None, list[ScoredAttack]]
    feedback: AttackFeedback
    guess_files: tuple[str, ...]


def list_targets(context: AppContext, viewer: Viewer, slug: str) -> tuple[TargetView, ...]:
    """All published releases; empty before the first attack phase."""
    with read_contest(context, slug) as (session, contest_state):
        team = require_member_or_organiser(session, contest_state, viewer)
        shared = _load_target_context(context, session, contest_state, viewer, team)
        numbers: dict[int, int] = defaultdict(int)
        views = []
        for release in list_open_targets(session, contest_state):
            numbers[release.team_id] += 1
            views.append(_build_target_view(context, shared, release, numbers[release.team_id]))
        return tuple(views)


def get_target_view(context: AppContext, viewer: Viewer, slug: str, target_id: str) -> TargetView:
    """One published release."""
    for view in list_targets(context, viewer, slug):
        if view.id == target_id:
            return view
    raise NotFound(NO_TARGET)


def get_public_file(context: AppContext, viewer: Viewer, slug: str, target_id: str) -> Download:
    """S of a published release; of one's own, and for organisers, also before that."""
    with read_contest(context, slug) as (session, contest_state):
        team = require_member_or_organiser(session, contest_state, viewer)
        entry = find_entry(session, contest_state.id, target_id)
        if entry.public_sha256 is None:
            raise NotFound(NO_TARGET)
        mine = team is None or entry.team_id == team.id
        is_published = any(
            release.entry == entry.id for release in list_open_targets(session, contest_state)
        )
        if not (mine or is_published):
            raise NotFound(NO_TARGET)
        return Download(context.home.files.path(entry.public_sha256), f"S-{entry.id}.csv")


def _load_target_context(
    context: AppContext,
    session: Session,
    contest_state: ContestState,
    viewer: Viewer,
    team: Team | None,
) -> _TargetContext:
    attacks: dict[str | None, list[ScoredAttack]] = defaultdict(list)
    for attack in load_scored_attacks(session, contest_state.id):
        if team is not None and attack.team_id == team.id:
            attacks[attack.target].append(attack)
    described = context.judge_description(
        context.judge_folder(contest_state.row), contest_state.row.judge_version
    )
    return _TargetContext(
        session,
        contest_state,
        team,
        load_upload_uses(session, team.id) if team is not None else [],
        attacks,
        AttackFeedback(contest_state, exact=viewer.organiser),
        tuple(described.guess_files),
    )


def _build_target_view(
    context: AppContext, shared: _TargetContext, release: ScoredRelease, number: int
) -> TargetView:
    entry = shared.session.get_one(ContestEntry, release.entry)
    sha256 = entry.public_sha256 or ""
    used = count_attempts(shared.uses, entry.id)
    left = max(0, shared.moment.spec.quotas.attempts_per_target - used)
    team = shared.team
    own = team is not None and team.id == entry.team_id
    playing = team is not None and not own
    return TargetView(
        id=entry.id,
        team=release.team,
        number=number,
        size=context.home.files.path(sha256).stat().st_size if sha256 else 0,
        public_sha256=sha256,
        public_commitment=entry.public_commitment,
        truth_commitment=entry.truth_commitment,
        own=own,
        attempts_used=used,
        attempts_left=left,
        best=shared.feedback.best(shared.attacks[entry.id]),
        guess_files=shared.guess_files,
        open=playing and left > 0 and shared.moment.is_open(PhaseType.ATTACK),
    )
