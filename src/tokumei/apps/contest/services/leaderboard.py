"""Computes the leaderboard, the attacker × defender matrix and the utility–safety plot.

    leaderboard(place, VISITOR, "cup").rows

Organisers see all; others what `leaderboard` and `feedback` of the contest allow now. While the
anonymize phase lasts, a team stands by what it chose, or else by its best release so far.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.ranking import AttackScore, Standing, rank_attackers, rank_teams
from tokumei.apps.contest.services.contest_state import ContestState, load_contest_state
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.entry_views import (
    AttackerView,
    BoardView,
    MatrixCellView,
    MatrixView,
    PointView,
    StandingView,
)
from tokumei.apps.contest.services.permissions import find_team
from tokumei.apps.contest.services.published_releases import (
    ScoredRelease,
    list_published_releases,
    load_scored_releases,
    team_names,
)
from tokumei.apps.contest.services.score_visibility import (
    AttackFeedback,
    ScoredAttack,
    Visibility,
    load_scored_attacks,
    visibility_for,
)
from tokumei.apps.contest.store.tables import ContestEntry


@dataclass(frozen=True)
class LeaderboardData:
    """What the board is made of, as far as the viewer may know it."""

    moment: ContestState
    sight: Visibility
    feedback: AttackFeedback
    teams: dict[int, str]
    mine: str | None
    releases: list[ScoredRelease]
    attacks: list[ScoredAttack]

    def standings(self) -> list[Standing]:
        """Teams in order."""
        return rank_teams(self.releases, self.visible_attacks(), self.moment.spec.scoring)

    def visible_attacks(self) -> list[AttackScore]:
        """The attacks, with figures that may be told."""
        counted = self.feedback.counted
        return [
            AttackScore(attack.attacker, attack.target, *counted(attack)) for attack in self.attacks
        ]


def build_leaderboard(context: AppContext, viewer: Viewer, slug: str) -> BoardView:
    """The teams in order."""
    with context.read() as session:
        rows = load_leaderboard_data(context, session, viewer, slug)
        visible_teams = rows.teams if rows.sight.releases else {}
        counts = _scored_release_counts(session, rows.moment.id)
    ids = {name: number for number, name in visible_teams.items()}
    standings = [standing for standing in rows.standings() if standing.team in ids]
    ranked = [_standing_view(rows, standing, ids[standing.team], counts) for standing in standings]
    absent = sorted(set(ids) - {standing.team for standing in standings})
    return BoardView(
        rows=(*ranked, *(_unranked_view(rows, name, ids[name], counts) for name in absent)),
        attackers=_attacker_views(rows),
        hidden=rows.sight.hidden,
        until=rows.sight.until,
    )


def build_attack_matrix(context: AppContext, viewer: Viewer, slug: str) -> MatrixView:
    """Who found what in whose releases."""
    with context.read() as session:
        rows = load_leaderboard_data(context, session, viewer, slug)
    names = _matrix_order(rows) if rows.sight.attacks else ()
    owner = {release.entry: release.team for release in rows.releases}
    attacks_by_pair: dict[tuple[str, str], list[ScoredAttack]] = defaultdict(list)
    for attack in rows.attacks:
        if attack.target in owner:
            attacks_by_pair[attack.attacker, owner[attack.target]].append(attack)
    cells = tuple(
        tuple(_matrix_cell(rows, attacks_by_pair[attacker, defender]) for defender in names)
        for attacker in names
    )
    return MatrixView(names, names, cells, rows.sight.hidden, rows.sight.until)


def _matrix_order(rows: LeaderboardData) -> tuple[str, ...]:
    """The teams by rank where ranks are shown, the others after them by name."""
    ranked = [standing.team for standing in rows.standings()] if rows.sight.releases else []
    places = {name: place for place, name in enumerate(ranked)}
    last = len(places)
    return tuple(sorted(rows.teams.values(), key=lambda name: (places.get(name, last), name)))


def list_score_points(context: AppContext, viewer: Viewer, slug: str) -> tuple[PointView, ...]:
    """All that the leaderboard shows, and every scored release of the viewer's own team."""
    with context.read() as session:
        rows = load_leaderboard_data(context, session, viewer, slug)
        team = find_team(session, rows.moment.id, viewer)
        own_releases = (
            load_scored_releases(session, rows.moment.id, team_id=team.id) if team else []
        )
    standings = [release for release in rows.standings() if rows.sight.releases]
    point_views = [
        PointView.of(
            release,
            mine=release.team == rows.mine,
            published=True,
            entry=release.entry if release.team == rows.mine else None,
        )
        for release in standings
        if release.utility is not None and release.safety is not None
    ]
    drawn = {point.entry for point in point_views}
    point_views += [
        PointView.of(release, safety=release.suite, mine=True, published=False)
        for release in own_releases
        if release.utility is not None and release.suite is not None and release.entry not in drawn
    ]
    return tuple(point_views)


def load_leaderboard_data(
    context: AppContext, session: Session, viewer: Viewer, slug: str
) -> LeaderboardData:
    """Everything on the board that the viewer may know of."""
    contest_state = load_contest_state(context, session, slug)
    sight = visibility_for(contest_state, viewer)
    team = find_team(session, contest_state.id, viewer)
    return LeaderboardData(
        contest_state,
        sight,
        AttackFeedback(contest_state, exact=viewer.organiser),
        team_names(session, contest_state.id, visible=True),
        team.name if team is not None else None,
        list_published_releases(session, contest_state, preview=not contest_state.releases_over),
        load_scored_attacks(session, contest_state.id) if sight.attacks else [],
    )


def _standing_view(
    rows: LeaderboardData, standing: Standing, team_id: int, counts: dict[int, int]
) -> StandingView:
    entry_visible = rows.moment.attacks_begun or standing.team == rows.mine or rows.feedback.exact
    others = [
        attack
        for attack in rows.attacks
        if attack.target == standing.entry and attack.team_id != team_id
    ]
    return StandingView.of(
        standing,
        team_id=team_id,
        entry=standing.entry if entry_visible else None,
        attacks=rows.feedback.best(others),
        submissions=counts.get(team_id, 0),
        mine=standing.team == rows.mine,
    )


def _unranked_view(
    rows: LeaderboardData, name: str, team_id: int, counts: dict[int, int]
) -> StandingView:
    return StandingView(
        rank=None,
        team=name,
        team_id=team_id,
        entry=None,
        utility=None,
        suite=None,
        attacks=None,
        safety=None,
        total=None,
        unsafe=False,
        submissions=counts.get(team_id, 0),
        mine=name == rows.mine,
    )


def _attacker_views(rows: LeaderboardData) -> tuple[AttackerView, ...]:
    if not (rows.sight.attacks and rows.attacks):
        return ()
    names = set(rows.teams.values())
    visible_attacks = [attack for attack in rows.visible_attacks() if attack.attacker in names]
    scores = rank_attackers(rows.teams.values(), rows.releases, visible_attacks)
    return tuple(AttackerView(**vars(score), mine=score.team == rows.mine) for score in scores)


def _matrix_cell(rows: LeaderboardData, attacks: list[ScoredAttack]) -> MatrixCellView | None:
    best = rows.feedback.best(attacks)
    return None if best is None else MatrixCellView(attempts=len(attacks), found=best)


def _scored_release_counts(session: Session, contest_id: int) -> dict[int, int]:
    query = (
        select(ContestEntry.team_id, func.count())
        .where(
            ContestEntry.contest_id == contest_id,
            ContestEntry.target_id.is_(None),
            ContestEntry.state == "scored",
        )
        .group_by(ContestEntry.team_id)
    )
    return {team_id: count for team_id, count in session.execute(query)}
