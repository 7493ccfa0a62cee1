"""The leaderboard, the attacker × defender matrix and the utility–safety plot.

    leaderboard(place, VISITOR, "cup").rows

Organisers see all; others what `leaderboard` and `feedback` of the contest allow now. While the
anonymize phase lasts, a team stands by what it chose, or else by its best release so far.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.entry_views import (
    AttackerView,
    BoardView,
    CellView,
    MatrixView,
    PointView,
    StandingView,
)
from tokumei.contest.desk.feedback import (
    AttackFeedback,
    ScoredAttack,
    Sight,
    scored_attacks,
    sight_of,
)
from tokumei.contest.desk.membership import team_of
from tokumei.contest.desk.moment import Moment, moment_of
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.published import ScoredRelease, published, scored_releases, team_names
from tokumei.contest.standing import Attack, Standing, attacker_scores, standings
from tokumei.contest.store.tables import Entry


@dataclass(frozen=True)
class Rows:
    """What the board is made of, as far as the viewer may know it."""

    moment: Moment
    sight: Sight
    feedback: AttackFeedback
    teams: dict[int, str]
    mine: str | None
    releases: list[ScoredRelease]
    attacks: list[ScoredAttack]

    def standings(self) -> list[Standing]:
        """Teams in order."""
        return standings(self.releases, self.told_attacks(), self.moment.spec.scoring)

    def told_attacks(self) -> list[Attack]:
        """The attacks, with figures that may be told."""
        counted = self.feedback.counted
        return [Attack(one.attacker, one.target, *counted(one)) for one in self.attacks]


def leaderboard(place: Place, viewer: Viewer, slug: str) -> BoardView:
    """The teams in order."""
    with place.read() as session:
        rows = rows_of(place, session, viewer, slug)
        shown = rows.teams if rows.sight.releases else {}
        counts = _counts(session, rows.moment.id)
    ids = {name: number for number, name in shown.items()}
    found = [one for one in rows.standings() if one.team in ids]
    ranked = [_standing(rows, one, ids[one.team], counts) for one in found]
    absent = sorted(set(ids) - {one.team for one in found})
    return BoardView(
        rows=(*ranked, *(_unranked(rows, name, ids[name], counts) for name in absent)),
        attackers=_attackers(rows),
        hidden=rows.sight.hidden,
        until=rows.sight.until,
    )


def matrix(place: Place, viewer: Viewer, slug: str) -> MatrixView:
    """Who found what in whose releases."""
    with place.read() as session:
        rows = rows_of(place, session, viewer, slug)
    names = tuple(sorted(rows.teams.values())) if rows.sight.attacks else ()
    owner = {release.entry: release.team for release in rows.releases}
    held: dict[tuple[str, str], list[ScoredAttack]] = defaultdict(list)
    for attack in rows.attacks:
        if attack.target in owner:
            held[attack.attacker, owner[attack.target]].append(attack)
    cells = tuple(
        tuple(_cell(rows, held[attacker, defender]) for defender in names) for attacker in names
    )
    return MatrixView(names, names, cells, rows.sight.hidden, rows.sight.until)


def points(place: Place, viewer: Viewer, slug: str) -> tuple[PointView, ...]:
    """All that the leaderboard shows, and every scored release of the viewer's own team."""
    with place.read() as session:
        rows = rows_of(place, session, viewer, slug)
        team = team_of(session, rows.moment.id, viewer)
        own = scored_releases(session, rows.moment.id, team_id=team.id) if team else []
    shown = [one for one in rows.standings() if rows.sight.releases]
    found = [
        PointView.of(
            one,
            mine=one.team == rows.mine,
            published=True,
            entry=one.entry if one.team == rows.mine else None,
        )
        for one in shown
        if one.utility is not None and one.safety is not None
    ]
    drawn = {point.entry for point in found}
    found += [
        PointView.of(one, safety=one.suite, mine=True, published=False)
        for one in own
        if one.utility is not None and one.suite is not None and one.entry not in drawn
    ]
    return tuple(found)


def rows_of(place: Place, session: Session, viewer: Viewer, slug: str) -> Rows:
    """Everything on the board that the viewer may know of."""
    moment = moment_of(place, session, slug)
    sight = sight_of(moment, viewer)
    team = team_of(session, moment.id, viewer)
    return Rows(
        moment,
        sight,
        AttackFeedback(moment, exact=viewer.organiser),
        team_names(session, moment.id, visible=True),
        team.name if team is not None else None,
        published(session, moment, preview=not moment.releases_over),
        scored_attacks(session, moment.id) if sight.attacks else [],
    )


def _standing(rows: Rows, one: Standing, team_id: int, counts: dict[int, int]) -> StandingView:
    known = rows.moment.attacks_begun or one.team == rows.mine or rows.feedback.exact
    others = [a for a in rows.attacks if a.target == one.entry and a.team_id != team_id]
    return StandingView.of(
        one,
        team_id=team_id,
        entry=one.entry if known else None,
        attacks=rows.feedback.best(others),
        submissions=counts.get(team_id, 0),
        mine=one.team == rows.mine,
    )


def _unranked(rows: Rows, name: str, team_id: int, counts: dict[int, int]) -> StandingView:
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


def _attackers(rows: Rows) -> tuple[AttackerView, ...]:
    if not (rows.sight.attacks and rows.attacks):
        return ()
    names = set(rows.teams.values())
    shown = [attack for attack in rows.told_attacks() if attack.attacker in names]
    found = attacker_scores(rows.teams.values(), rows.releases, shown)
    return tuple(AttackerView(**vars(one), mine=one.team == rows.mine) for one in found)


def _cell(rows: Rows, attacks: list[ScoredAttack]) -> CellView | None:
    best = rows.feedback.best(attacks)
    return None if best is None else CellView(attempts=len(attacks), found=best)


def _counts(session: Session, contest_id: int) -> dict[int, int]:
    query = (
        select(Entry.team_id, func.count())
        .where(Entry.contest_id == contest_id, Entry.target_id.is_(None), Entry.state == "scored")
        .group_by(Entry.team_id)
    )
    return {team_id: count for team_id, count in session.execute(query)}
