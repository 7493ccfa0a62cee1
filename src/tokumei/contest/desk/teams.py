"""Teams: create, invite, join, leave.

create_team(place, viewer, "cup", "夜間飛行")
code = new_team_code(place, viewer, "cup").code
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.accounts import is_invited, make_invite, note_use, use_invite
from tokumei.contest.desk.membership import (
    add_member,
    has_uploaded,
    quota_of,
    require_first_team,
    require_free,
    require_playing,
    require_team,
    team_of,
)
from tokumei.contest.desk.moment import Log, Moment, changing, looking
from tokumei.contest.desk.names import Name, clean_name, require_number
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import MemberView, NewInviteView, TeamView
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Account, Invite, Member, Team
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed, NotFound

NO_CODE = Text(
    "this contest is by invitation; a registration code is needed to create a team",
    "このコンテストは招待制です。チームを作るには登録用の招待コードが必要です",
)


def my_team(place: Place, viewer: Viewer, slug: str) -> TeamView:
    """The viewer's team; NotFound if there is none."""
    viewer.require_account()
    with looking(place, slug) as (session, moment):
        team = team_of(session, moment.id, viewer)
        if team is None:
            raise NotFound("you are in no team yet", "まだチームに入っていません")
        return _view(session, moment, team, viewer)


def create_team(
    place: Place, viewer: Viewer, slug: str, name: str, *, code: str | None = None
) -> TeamView:
    """A new team with the viewer as captain, who creates one team per contest.

    A contest by invitation needs a registration code, here or when the account was made.
    """
    account = viewer.require_account()
    cleaned = clean_name(name)
    with changing(place, viewer, slug) as (session, moment, log):
        moment.require_live()
        lock(session, f"teams:{moment.id}")
        require_free(session, moment.id, viewer)
        require_first_team(session, moment.id, account)
        if moment.spec.registration == "invite" and not is_invited(session, moment.id, account):
            _use_code(place, session, moment, viewer, code)
        _require_free_name(session, moment, cleaned)
        team = Team(
            contest_id=moment.id, name=cleaned.shown, key=cleaned.key, created_at=place.now()
        )
        session.add(team)
        session.flush()
        log("team.new", f"team {team.id}")
        add_member(place, session, team, viewer, captain=True)
        return _view(session, moment, team, viewer)


def new_team_code(
    place: Place, viewer: Viewer, slug: str, *, uses: int = 10, days: int = 30
) -> NewInviteView:
    """A code to join the viewer's team (its captain)."""
    with _captain_of(place, viewer, slug) as (session, moment, team, _):
        of = {"contest_id": moment.id, "team_id": team.id}
        return make_invite(place, session, viewer, "team", uses=uses, days=days, **of)


def join_team(place: Place, viewer: Viewer, slug: str, code: str) -> TeamView:
    """Join the team whose code it is."""
    account = viewer.require_account()
    with changing(place, viewer, slug) as (session, moment, _):
        moment.require_live()
        invite = use_invite(place, session, code, ("team",))
        if invite.contest_id != moment.id:
            raise NotAllowed("this code is for another contest", "別のコンテストの招待コードです")
        team = session.get_one(Team, invite.team_id)
        add_member(place, session, team, viewer)
        note_use(place, session, invite, account)
        return _view(session, moment, team, viewer)


def leave_team(place: Place, viewer: Viewer, slug: str) -> None:
    """Leave, until the team has uploaded; a captain only after naming another one."""
    with changing(place, viewer, slug) as (session, moment, log):
        team = require_team(session, moment, viewer)
        lock(session, f"team:{team.id}")
        member = session.get_one(Member, (team.id, viewer.account_id))
        if member.captain:
            raise Conflict(
                "a captain cannot leave; name another captain first",
                "キャプテンは抜けられません。先に別のキャプテンを決めてください",
            )
        if has_uploaded(session, team.id):
            raise Conflict(
                "your team has already uploaded, so you cannot leave; its captain can remove you",
                "チームはすでに提出しているため抜けられません。キャプテンは外すことができます",
            )
        _remove(session, member, log)


def rename_team(place: Place, viewer: Viewer, slug: str, name: str) -> TeamView:
    """A new name (its captain)."""
    cleaned = clean_name(name)
    with _captain_of(place, viewer, slug) as (session, moment, team, log):
        lock(session, f"teams:{moment.id}")
        if cleaned.key != team.key:
            _require_free_name(session, moment, cleaned)
        old, team.name, team.key = team.name, cleaned.shown, cleaned.key
        log("team.name", f"team {team.id}", old=old)
        return _view(session, moment, team, viewer)


def make_captain(place: Place, viewer: Viewer, slug: str, account_id: int) -> TeamView:
    """Hand the captain's part to another member (its captain)."""
    with _captain_of(place, viewer, slug) as (session, moment, team, log):
        chosen = _member(session, team, account_id)
        session.get_one(Member, (team.id, viewer.account_id)).captain = False
        chosen.captain = True
        log("team.captain", f"team {team.id}", account=chosen.account_id)
        session.flush()
        return _view(session, moment, team, viewer)


def remove_member(place: Place, viewer: Viewer, slug: str, account_id: int) -> TeamView:
    """Send a member away and end the team's codes, one of which they may know (its captain)."""
    with _captain_of(place, viewer, slug) as (session, moment, team, log):
        member = _member(session, team, account_id)
        if member.captain:
            raise Conflict("the captain cannot be removed", "キャプテンは外せません")
        lock(session, f"team:{team.id}")
        session.execute(update(Invite).where(Invite.team_id == team.id).values(uses_left=0))
        _remove(session, member, log)
        return _view(session, moment, team, viewer)


@contextmanager
def _captain_of(
    place: Place, viewer: Viewer, slug: str
) -> Iterator[tuple[Session, Moment, Team, Log]]:
    with changing(place, viewer, slug) as (session, moment, log):
        team = require_team(session, moment, viewer)
        require_playing(team)
        member = session.get(Member, (team.id, viewer.account_id))
        if member is None or not member.captain:
            raise NotAllowed("only the captain may do this", "この操作はキャプテンだけができます")
        yield session, moment, team, log


def _use_code(
    place: Place, session: Session, moment: Moment, viewer: Viewer, code: str | None
) -> None:
    if not code:
        raise NotAllowed(NO_CODE)
    invite: Invite = use_invite(place, session, code, ("register",))
    if invite.contest_id not in (None, moment.id):
        raise NotAllowed(NO_CODE)
    note_use(place, session, invite, viewer.require_account())


def _require_free_name(session: Session, moment: Moment, name: Name) -> None:
    query = select(Team).where(Team.contest_id == moment.id, Team.key == name.key)
    if session.scalars(query).first() is not None:
        raise Conflict(
            "a team with this name, or one that looks like it, exists",
            "この名前か、見分けにくい名前のチームがすでにあります",
        )


def _member(session: Session, team: Team, account_id: int) -> Member:
    found = session.get(Member, (team.id, require_number(account_id)))
    if found is None:
        raise NotFound("there is no such member", "そのメンバーはいません")
    return found


def _remove(session: Session, member: Member, log: Log) -> None:
    uploaded, left = has_uploaded(session, member.team_id), member.account_id
    log("team.leave", f"team {member.team_id}", account=left, uploaded=uploaded)
    session.delete(member)
    session.flush()


def _view(session: Session, moment: Moment, team: Team, viewer: Viewer) -> TeamView:
    query = select(Member, Account.name).join(Account, Account.id == Member.account_id)
    rows = session.execute(query.where(Member.team_id == team.id)).all()
    members = tuple(
        MemberView.of(member, name=name)
        for member, name in sorted(rows, key=lambda row: (not row[0].captain, row[1]))
    )
    captain = any(m.captain and m.account_id == viewer.account_id for m in members)
    return TeamView.of(
        team,
        members=members,
        quota=quota_of(session, moment, team),
        i_am_captain=captain,
        i_may_leave=not captain and not has_uploaded(session, team.id),
    )
