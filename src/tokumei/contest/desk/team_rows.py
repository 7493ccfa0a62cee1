"""Teams in the tables, for those who have checked the rights."""

from __future__ import annotations

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.membership import require_playing, team_of
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.spec.model import ContestSpec
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Audit, Contest, Entry, Invite, Member, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed


def member_team(session: Session, invite: Invite) -> Team:
    """The team that a code opens."""
    return session.get_one(Team, invite.team_id)


def require_free(session: Session, contest_id: int, viewer: Viewer) -> int:
    """Refuse organisers, who see everything, and people who have a team."""
    account = viewer.require_account()
    if viewer.organiser:
        raise NotAllowed(
            Text(
                "organisers see every upload, so they cannot be in a team",
                "主催者はすべての提出を見られるため、チームに入れません",
            )
        )
    if team_of(session, contest_id, viewer) is not None:
        raise Conflict(
            Text(
                "you are in a team of this contest already",
                "すでにこのコンテストのチームに入っています",
            )
        )
    return account


def require_first_team(session: Session, contest_id: int, account: int) -> None:
    """Refuse a second team of the same founder: an invitation is good for one team's quotas."""
    query = select(Audit.id).where(
        Audit.contest_id == contest_id, Audit.account_id == account, Audit.action == "team.new"
    )
    if session.scalars(query).first() is not None:
        raise Conflict(
            Text(
                "you have created a team of this contest before; join a team with its code",
                "このコンテストのチームはすでに一度作っています。"
                "招待コードでチームに参加してください",
            )
        )


def has_uploaded(session: Session, team_id: int) -> bool:
    """Whether a team has sent anything: from then on its members know its secrets."""
    return session.scalars(select(Entry.id).where(Entry.team_id == team_id)).first() is not None


def end_codes(session: Session, team: Team) -> None:
    """Make all codes of a team useless."""
    session.execute(update(Invite).where(Invite.team_id == team.id).values(uses_left=0))


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
        raise Conflict(Text(f"the team is full ({most} members)", f"チームは満員です ({most} 人)"))
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
                Text(
                    "you were in another team when it uploaded, so you cannot change sides",
                    "提出を済ませた別のチームにいたため、ほかのチームには移れません",
                )
            )
