"""Who is in which team, and may do what.

team = require_team(session, moment, viewer)        # NotAllowed if in none
require_playing(team)                               # NotAllowed if banned
"""

from __future__ import annotations

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment, record
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Audit, Contest, Entry, Member, Team
from tokumei.http.refusals import Conflict, NotAllowed


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
            "you are in no team of this contest; create one or join one first",
            "このコンテストのチームに入っていません。先にチームを作るか参加してください",
        )
    return found


def require_playing(team: Team) -> None:
    """Refuse a banned team."""
    if team.banned:
        raise NotAllowed(
            f"your team was banned: {team.reason}", f"チームは参加を停止されています: {team.reason}"
        )


def require_captain(session: Session, team: Team, viewer: Viewer) -> None:
    """Refuse all but the captain."""
    member = session.get(Member, (team.id, viewer.account_id))
    if member is None or not member.captain:
        raise NotAllowed("only the captain may do this", "この操作はキャプテンだけができます")


def require_insider(session: Session, moment: Moment, viewer: Viewer) -> Team | None:
    """Refuse all but organisers (None) and members of teams that are not banned."""
    if viewer.organiser:
        return None
    team = require_team(session, moment, viewer)
    require_playing(team)
    return team


def require_free(session: Session, contest_id: int, viewer: Viewer) -> int:
    """Refuse organisers, who see everything, and people who have a team."""
    account = viewer.require_account()
    if viewer.organiser:
        raise NotAllowed(
            "organisers see every upload, so they cannot be in a team",
            "主催者はすべての提出を見られるため、チームに入れません",
        )
    if team_of(session, contest_id, viewer) is not None:
        raise Conflict(
            "you are in a team of this contest already",
            "すでにこのコンテストのチームに入っています",
        )
    return account


def require_first_team(session: Session, contest_id: int, account: int) -> None:
    """Refuse a second team of the same founder: an invitation is good for one team's quotas."""
    query = select(Audit.id).where(
        Audit.contest_id == contest_id, Audit.account_id == account, Audit.action == "team.new"
    )
    if session.scalars(query).first() is not None:
        raise Conflict(
            "you have created a team of this contest before; join a team with its code",
            "このコンテストのチームはすでに一度作っています。招待コードでチームに参加してください",
        )


def has_uploaded(session: Session, team_id: int) -> bool:
    """Whether a team has sent anything: from then on its members know its secrets."""
    return session.scalars(select(Entry.id).where(Entry.team_id == team_id)).first() is not None


def add_member(
    place: Place, session: Session, team: Team, viewer: Viewer, *, captain: bool = False
) -> None:
    """Put somebody into a team, if there is room."""
    lock(session, f"account:{viewer.account_id}")
    lock(session, f"team:{team.id}")
    account = require_free(session, team.contest_id, viewer)
    require_playing(team)
    _require_no_other_secrets(session, team, account)
    most = ContestSpec.model_validate(session.get_one(Contest, team.contest_id).spec).quotas.members
    held = session.scalar(select(func.count()).where(Member.team_id == team.id)) or 0
    if held >= most:
        raise Conflict(f"the team is full ({most} members)", f"チームは満員です ({most} 人)")
    session.add(Member(team_id=team.id, account_id=account, captain=captain))
    session.flush()
    subject = f"team {team.id}"
    record(place, session, viewer, "team.join", subject=subject, contest_id=team.contest_id)


def _require_no_other_secrets(session: Session, team: Team, account: int) -> None:
    """Refuse somebody who was sent away from another team after it had uploaded."""
    query = select(Audit).where(Audit.contest_id == team.contest_id, Audit.action == "team.leave")
    for left in session.scalars(query):
        elsewhere = left.subject != f"team {team.id}"
        if elsewhere and left.details["account"] == account and left.details.get("uploaded"):
            raise NotAllowed(
                "you were in another team when it uploaded, so you cannot change sides",
                "提出を済ませた別のチームにいたため、ほかのチームには移れません",
            )
