"""Builds what an organiser sees of teams and entries."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.admin_views import AdminEntryView, AdminTeamView
from tokumei.apps.contest.services.contest_state import ContestState
from tokumei.apps.contest.services.entry_views import ScoreView
from tokumei.apps.contest.services.published_releases import list_published_releases, team_names
from tokumei.apps.contest.store.tables import (
    ContestEntry,
    EntryScore,
    Team,
    TeamMember,
    UserAccount,
)


def build_team_views(session: Session, contest_state: ContestState) -> tuple[AdminTeamView, ...]:
    """Teams made ready to be shown, by name."""
    members: dict[int, list[str]] = defaultdict(list)
    query = select(TeamMember.team_id, UserAccount.name).join(
        UserAccount, UserAccount.id == TeamMember.account_id
    )
    for team_id, name in session.execute(
        query.order_by(TeamMember.captain.desc(), UserAccount.name)
    ):
        members[team_id].append(name)
    counts = _entry_counts(session, contest_state)
    published_counts = Counter(
        release.team_id for release in list_published_releases(session, contest_state)
    )
    teams = session.scalars(
        select(Team).where(Team.contest_id == contest_state.id).order_by(Team.name)
    )
    return tuple(
        AdminTeamView.of(
            team,
            members=tuple(members[team.id]),
            submissions=counts[team.id, "release"],
            rejected=counts[team.id, "rejected"],
            attacks=counts[team.id, "attack"],
            published=published_counts[team.id],
        )
        for team in teams
    )


def _entry_counts(session: Session, contest_state: ContestState) -> Counter[tuple[int, str]]:
    counts: Counter[tuple[int, str]] = Counter()
    query = select(ContestEntry.team_id, ContestEntry.target_id, ContestEntry.state)
    for team_id, target, state in session.execute(
        query.where(ContestEntry.contest_id == contest_state.id)
    ):
        counts[team_id, "release" if target is None else "attack"] += 1
        counts[team_id, state] += 1
    return counts


def build_entry_views(
    session: Session, contest_state: ContestState, entries: Sequence[ContestEntry]
) -> tuple[AdminEntryView, ...]:
    """Entries made ready to be shown."""
    names = team_names(session, contest_state.id)
    published_ids = {release.entry for release in list_published_releases(session, contest_state)}
    scores = _current_scores(session, [entry.id for entry in entries])
    return tuple(
        AdminEntryView.of(
            entry,
            team=names[entry.team_id],
            target=entry.target_id,
            published=entry.id in published_ids,
            score=ScoreView.of(scores[entry.id]) if entry.id in scores else None,
        )
        for entry in entries
    )


def _current_scores(session: Session, ids: Iterable[str]) -> dict[str, EntryScore]:
    entry_ids = set(ids)
    query = select(EntryScore).where(EntryScore.current)
    if len(entry_ids) == 1:
        query = query.where(EntryScore.entry_id.in_(entry_ids))
    return {row.entry_id: row for row in session.scalars(query) if row.entry_id in entry_ids}
