"""Creates teams, and lets people join and leave them.

create_team(place, viewer, "cup", "夜間飛行")
code = create_team_code(place, viewer, "cup").code
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.accounts import (
    insert_invite,
    is_invited,
    record_invite_use,
    use_invite,
)
from tokumei.apps.contest.services.contest_state import (
    AuditLogger,
    ContestState,
    read_contest,
    update_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.permissions import (
    add_member,
    find_team,
    has_uploaded,
    remaining_quota,
    require_no_earlier_team,
    require_no_team,
    require_not_banned,
    require_team,
)
from tokumei.apps.contest.services.validation import CleanName, clean_name, require_row_id
from tokumei.apps.contest.services.view_models import MemberView, NewInviteView, TeamView
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.tables import Invite, Team, TeamMember, UserAccount
from tokumei.apps.http.errors import Conflict, Forbidden, NotFound
from tokumei.core.messages import Message

NO_CODE_MESSAGE = Message(
    "this contest is by invitation; a registration code is needed to create a team"
)


def get_team_view(context: AppContext, viewer: Viewer, slug: str) -> TeamView:
    """The viewer's team; NotFound if there is none."""
    viewer.require_account()
    with read_contest(context, slug) as (session, contest_state):
        team = find_team(session, contest_state.id, viewer)
        if team is None:
            raise NotFound("you are in no team yet")
        return _build_team_view(session, contest_state, team, viewer)


def create_team(
    context: AppContext, viewer: Viewer, slug: str, name: str, *, code: str | None = None
) -> TeamView:
    """A new team with the viewer as captain, who creates one team per contest.

    A contest by invitation needs a registration code, here or when the account was made.
    """
    account = viewer.require_account()
    cleaned = clean_name(name)
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        contest_state.require_open_stage()
        lock_subject(session, f"teams:{contest_state.id}")
        require_no_team(session, contest_state.id, viewer)
        require_no_earlier_team(session, contest_state.id, account)
        if contest_state.spec.registration == "invite" and not is_invited(
            session, contest_state.id, account
        ):
            _use_registration_code(context, session, contest_state, viewer, code)
        _require_free_name(session, contest_state, cleaned)
        team = Team(
            contest_id=contest_state.id,
            name=cleaned.shown,
            key=cleaned.key,
            created_at=context.now(),
        )
        session.add(team)
        session.flush()
        log("team.new", f"team {team.id}")
        add_member(context, session, team, viewer, captain=True)
        return _build_team_view(session, contest_state, team, viewer)


def create_team_code(
    context: AppContext, viewer: Viewer, slug: str, *, uses: int = 10, days: int = 30
) -> NewInviteView:
    """A code to join the viewer's team (its captain)."""
    with _change_as_captain(context, viewer, slug) as (session, contest_state, team, _):
        of = {"contest_id": contest_state.id, "team_id": team.id}
        return insert_invite(context, session, viewer, "team", uses=uses, days=days, **of)


def join_team(context: AppContext, viewer: Viewer, slug: str, code: str) -> TeamView:
    """Join the team whose code it is."""
    account = viewer.require_account()
    with update_contest(context, viewer, slug) as (session, contest_state, _):
        contest_state.require_open_stage()
        invite = use_invite(context, session, code, ("team",))
        if invite.contest_id != contest_state.id:
            raise Forbidden("this code is for another contest")
        team = session.get_one(Team, invite.team_id)
        add_member(context, session, team, viewer)
        record_invite_use(context, session, invite, account)
        return _build_team_view(session, contest_state, team, viewer)


def leave_team(context: AppContext, viewer: Viewer, slug: str) -> None:
    """Leave, until the team has uploaded; a captain only after naming another one."""
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        team = require_team(session, contest_state, viewer)
        lock_subject(session, f"team:{team.id}")
        member = session.get_one(TeamMember, (team.id, viewer.account_id))
        if member.captain:
            raise Conflict("a captain cannot leave; name another captain first")
        if has_uploaded(session, team.id):
            raise Conflict(
                "your team has already uploaded, so you cannot leave; its captain can remove you"
            )
        _remove_from_team(session, member, log)


def rename_team(context: AppContext, viewer: Viewer, slug: str, name: str) -> TeamView:
    """A new name (its captain)."""
    cleaned = clean_name(name)
    with _change_as_captain(context, viewer, slug) as (session, contest_state, team, log):
        lock_subject(session, f"teams:{contest_state.id}")
        if cleaned.key != team.key:
            _require_free_name(session, contest_state, cleaned)
        old, team.name, team.key = team.name, cleaned.shown, cleaned.key
        log("team.name", f"team {team.id}", old=old)
        return _build_team_view(session, contest_state, team, viewer)


def make_captain(context: AppContext, viewer: Viewer, slug: str, account_id: int) -> TeamView:
    """Hand the captain's part to another member (its captain)."""
    with _change_as_captain(context, viewer, slug) as (session, contest_state, team, log):
        chosen = _require_member(session, team, account_id)
        session.get_one(TeamMember, (team.id, viewer.account_id)).captain = False
        chosen.captain = True
        log("team.captain", f"team {team.id}", account=chosen.account_id)
        session.flush()
        return _build_team_view(session, contest_state, team, viewer)


def remove_member(context: AppContext, viewer: Viewer, slug: str, account_id: int) -> TeamView:
    """Send a member away and end the team's codes, one of which they may know (its captain)."""
    with _change_as_captain(context, viewer, slug) as (session, contest_state, team, log):
        member = _require_member(session, team, account_id)
        if member.captain:
            raise Conflict("the captain cannot be removed")
        lock_subject(session, f"team:{team.id}")
        session.execute(update(Invite).where(Invite.team_id == team.id).values(uses_left=0))
        _remove_from_team(session, member, log)
        return _build_team_view(session, contest_state, team, viewer)


@contextmanager
def _change_as_captain(
    context: AppContext, viewer: Viewer, slug: str
) -> Iterator[tuple[Session, ContestState, Team, AuditLogger]]:
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        team = require_team(session, contest_state, viewer)
        require_not_banned(team)
        member = session.get(TeamMember, (team.id, viewer.account_id))
        if member is None or not member.captain:
            raise Forbidden("only the captain may do this")
        yield session, contest_state, team, log


def _use_registration_code(
    context: AppContext,
    session: Session,
    contest_state: ContestState,
    viewer: Viewer,
    code: str | None,
) -> None:
    if not code:
        raise Forbidden(NO_CODE_MESSAGE)
    invite: Invite = use_invite(context, session, code, ("register",))
    if invite.contest_id not in (None, contest_state.id):
        raise Forbidden(NO_CODE_MESSAGE)
    record_invite_use(context, session, invite, viewer.require_account())


def _require_free_name(session: Session, contest_state: ContestState, name: CleanName) -> None:
    query = select(Team).where(Team.contest_id == contest_state.id, Team.key == name.key)
    if session.scalars(query).first() is not None:
        raise Conflict("a team with this name, or one that looks like it, exists")


def _require_member(session: Session, team: Team, account_id: int) -> TeamMember:
    member = session.get(TeamMember, (team.id, require_row_id(account_id)))
    if member is None:
        raise NotFound("there is no such member")
    return member


def _remove_from_team(session: Session, member: TeamMember, log: AuditLogger) -> None:
    uploaded, account_id = has_uploaded(session, member.team_id), member.account_id
    log("team.leave", f"team {member.team_id}", account=account_id, uploaded=uploaded)
    session.delete(member)
    session.flush()


def _build_team_view(
    session: Session, contest_state: ContestState, team: Team, viewer: Viewer
) -> TeamView:
    query = select(TeamMember, UserAccount.name).join(
        UserAccount, UserAccount.id == TeamMember.account_id
    )
    rows = session.execute(query.where(TeamMember.team_id == team.id)).all()
    members = tuple(
        MemberView.of(member, name=name)
        for member, name in sorted(rows, key=lambda row: (not row[0].captain, row[1]))
    )
    captain = any(m.captain and m.account_id == viewer.account_id for m in members)
    return TeamView.of(
        team,
        members=members,
        quota=remaining_quota(session, contest_state, team),
        i_am_captain=captain,
        i_may_leave=not captain and not has_uploaded(session, team.id),
    )
