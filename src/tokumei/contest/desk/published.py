"""Which releases stand for their teams.

    for release in published(session, moment): ...

A team's chosen releases; after the last anonymize phase, if it chose none, its best one. That is
computed whenever it is read: nobody has to be awake when a phase ends. Waits until all of the
team's uploads are judged, and never moves away from a release that was attacked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment
from tokumei.contest.store.tables import Entry, Score, Team
from tokumei.core.text import Text
from tokumei.http.refusals import NotFound

UNSETTLED = ("received", "queued", "running")


@dataclass(frozen=True)
class ScoredRelease:
    """A scored release, with the judge's figures in force."""

    entry: str
    team_id: int
    team: str
    received_at: datetime
    published_at: datetime | None
    utility: float | None
    suite: float | None
    total: float | None
    unsafe: bool


def visible_teams(session: Session, contest_id: int) -> dict[int, str]:
    """Names of the teams that are neither hidden nor banned, in their order."""
    query = select(Team.id, Team.name).where(
        Team.contest_id == contest_id, ~Team.hidden, ~Team.banned
    )
    return {number: name for number, name in session.execute(query.order_by(Team.name))}


def scored_releases(
    session: Session, contest_id: int, *, team_id: int | None = None
) -> list[ScoredRelease]:
    """All scored releases of a contest, or of one team of it, the oldest first."""
    query = (
        select(
            Entry.id,
            Entry.team_id,
            Team.name,
            Entry.received_at,
            Entry.published_at,
            Score.utility,
            Score.safety,
            Score.total,
            Score.unsafe,
        )
        .join(Team, Team.id == Entry.team_id)
        .join(Score, Score.entry_id == Entry.id)
        .where(
            Entry.contest_id == contest_id,
            Entry.target_id.is_(None),
            Entry.state == "scored",
            Score.current,
        )
        .order_by(Entry.received_at, Entry.id)
    )
    if team_id is not None:
        query = query.where(Entry.team_id == team_id)
    return [ScoredRelease(*row) for row in session.execute(query)]


def published(session: Session, moment: Moment, *, preview: bool = False) -> list[ScoredRelease]:
    """The releases that stand for visible teams; `preview`: as if the phase ended now."""
    visible = visible_teams(session, moment.id)
    of_team: dict[int, list[ScoredRelease]] = defaultdict(list)
    for release in scored_releases(session, moment.id):
        if release.team_id in visible:
            of_team[release.team_id].append(release)
    choosers = _choosers(session, moment.id)
    waiting = set() if preview else _with_unsettled(session, moment.id)
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


def _choosers(session: Session, contest_id: int) -> set[int]:
    """Teams that chose, even if what they chose was withdrawn since."""
    query = select(Entry.team_id).where(
        Entry.contest_id == contest_id, Entry.published_at.is_not(None)
    )
    return set(session.scalars(query.distinct()))


def _with_unsettled(session: Session, contest_id: int) -> set[int]:
    query = select(Entry.team_id).where(
        Entry.contest_id == contest_id, Entry.target_id.is_(None), Entry.state.in_(UNSETTLED)
    )
    return set(session.scalars(query.distinct()))


def attacked_releases(session: Session, contest_id: int) -> set[str]:
    """Releases that somebody attacked: these stay."""
    query = select(Entry.target_id).where(
        Entry.contest_id == contest_id, Entry.target_id.is_not(None)
    )
    return {target for target in session.scalars(query.distinct()) if target is not None}


NO_TARGET = Text("there is no such target", "その対象はありません")


def open_targets(session: Session, moment: Moment) -> list[ScoredRelease]:
    """The published releases; none before the first attack phase."""
    return published(session, moment) if moment.attacks_begun else []


def require_target(session: Session, moment: Moment, target_id: str) -> ScoredRelease:
    """One of them; NotFound also for releases that are not published."""
    for release in open_targets(session, moment):
        if release.entry == target_id:
            return release
    raise NotFound(NO_TARGET)
