"""Who is in which team, and may do what.

team = require_team(session, moment, viewer)        # NotAllowed if in none
require_playing(team)                               # NotAllowed if banned
"""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.store.tables import Member, Team
from tokumei.core.text import Text
from tokumei.http.refusals import NotAllowed


def team_of(session: Session, contest_id: int, viewer: Viewer) -> Team | None:
    """The viewer's team in a contest."""
    if viewer.account_id is None:
        return None
    query = (
        select(Team)
        .join(Member, Member.team_id == Team.id)
        .where(Team.contest_id == contest_id, Member.account_id == viewer.account_id)
    )
    return session.scalars(query).first()


def require_team(session: Session, moment: Moment, viewer: Viewer) -> Team:
    """The viewer's team; refuses visitors and people without one."""
    viewer.require_account()
    found = team_of(session, moment.id, viewer)
    if found is None:
        raise NotAllowed(
            Text(
                "you are in no team of this contest; create one or join one first",
                "このコンテストのチームに入っていません。先にチームを作るか参加してください",
            )
        )
    return found


def require_playing(team: Team) -> None:
    """Refuse a banned team."""
    if team.banned:
        raise NotAllowed(
            Text(
                f"your team was banned: {team.reason}",
                f"チームは参加を停止されています: {team.reason}",
            )
        )


def require_captain(session: Session, team: Team, viewer: Viewer) -> None:
    """Refuse all but the captain."""
    member = session.get(Member, (team.id, viewer.account_id))
    if member is None or not member.captain:
        raise NotAllowed(Text("only the captain may do this", "この操作はキャプテンだけができます"))


def require_insider(session: Session, moment: Moment, viewer: Viewer) -> Team | None:
    """Refuse all but organisers (None) and members of teams that are not banned."""
    if viewer.organiser:
        return None
    team = require_team(session, moment, viewer)
    require_playing(team)
    return team
