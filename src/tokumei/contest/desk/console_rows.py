"""Teams and entries made ready for the organiser's console."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import ConsoleEntryView, ConsoleTeamView
from tokumei.contest.desk.entry_views import ScoreView
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.published import published
from tokumei.contest.store.tables import Account, Entry, Member, Score, Team


def team_views(session: Session, moment: Moment) -> tuple[ConsoleTeamView, ...]:
    """Teams made ready to be shown, by name."""
    members: dict[int, list[str]] = defaultdict(list)
    query = select(Member.team_id, Account.name).join(Account, Account.id == Member.account_id)
    for team_id, name in session.execute(query.order_by(Member.captain.desc(), Account.name)):
        members[team_id].append(name)
    counts = _counts(session, moment)
    standing = Counter(release.team_id for release in published(session, moment))
    teams = session.scalars(select(Team).where(Team.contest_id == moment.id).order_by(Team.name))
    return tuple(
        ConsoleTeamView.of(
            team,
            members=tuple(members[team.id]),
            submissions=counts[team.id, "release"],
            rejected=counts[team.id, "rejected"],
            attacks=counts[team.id, "attack"],
            published=standing[team.id],
        )
        for team in teams
    )


def _counts(session: Session, moment: Moment) -> Counter[tuple[int, str]]:
    found: Counter[tuple[int, str]] = Counter()
    query = select(Entry.team_id, Entry.target_id, Entry.state)
    for team_id, target, state in session.execute(query.where(Entry.contest_id == moment.id)):
        found[team_id, "release" if target is None else "attack"] += 1
        found[team_id, state] += 1
    return found


def entry_views(
    session: Session, moment: Moment, entries: Sequence[Entry]
) -> tuple[ConsoleEntryView, ...]:
    """Entries made ready to be shown."""
    names = _names(session, moment)
    shown = {release.entry for release in published(session, moment)}
    scores = _current_scores(session, [entry.id for entry in entries])
    return tuple(
        ConsoleEntryView.of(
            entry,
            kind="release" if entry.target_id is None else "attack",
            team=names[entry.team_id],
            target=entry.target_id,
            published=entry.id in shown,
            score=ScoreView.of(scores[entry.id]) if entry.id in scores else None,
        )
        for entry in entries
    )


def _names(session: Session, moment: Moment) -> dict[int, str]:
    query = select(Team.id, Team.name).where(Team.contest_id == moment.id)
    return {number: name for number, name in session.execute(query)}


def _current_scores(session: Session, ids: Iterable[str]) -> dict[str, Score]:
    wanted = set(ids)
    query = select(Score).where(Score.current)
    if len(wanted) == 1:
        query = query.where(Score.entry_id.in_(wanted))
    return {row.entry_id: row for row in session.scalars(query) if row.entry_id in wanted}
