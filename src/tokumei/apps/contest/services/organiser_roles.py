"""Manages the organisers of a contest, and closes accounts.

    viewer = with_contest_rights(context, viewer, "cup")   # with the rights of the viewer there
    add_organiser(context, organiser, "cup", "Aoi")
    close_account(context, viewer, password)             # the viewer's own

An organiser of one contest may do there whatever organisers may, but nothing that concerns the
whole server: new contests, codes and removal of its organisers, accounts. Drafts exist for
organisers alone.
"""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.admin_views import OrganiserView
from tokumei.apps.contest.services.contest_state import (
    NO_CONTEST,
    read_contest,
    record_audit,
    update_contest,
)
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.passwords import (
    end_sessions,
    forget_attempts,
    require_own_password,
)
from tokumei.apps.contest.services.permissions import find_team
from tokumei.apps.contest.services.validation import is_slug, look_alike_key, require_row_id
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.tables import Contest, OrganiserRole, Team, TeamMember, UserAccount
from tokumei.apps.http.errors import Conflict, NotFound
from tokumei.core.messages import Message

NO_ACCOUNT_MESSAGE = Message("there is no such account")


def with_contest_rights(context: AppContext, viewer: Viewer, slug: str) -> Viewer:
    """The viewer with the rights that they have in a contest; NotFound for others' drafts."""
    if not is_slug(slug):
        return viewer
    with context.read() as session:
        row = session.scalars(select(Contest).where(Contest.slug == slug)).one_or_none()
        if row is None:
            return viewer
        role = (row.id, viewer.account_id or 0)
        if not viewer.organiser and session.get(OrganiserRole, role) is not None:
            viewer = replace(viewer, organiser=True, only=slug)
    if row.stage == "draft" and not viewer.organiser:
        raise NotFound(NO_CONTEST)
    return viewer


def organised_contest_ids(session: Session, viewer: Viewer) -> set[int]:
    """The contests that somebody organises by a role of their own."""
    query = select(OrganiserRole.contest_id).where(OrganiserRole.account_id == viewer.account_id)
    return set(session.scalars(query)) if viewer.account_id is not None else set()


def list_organisers(context: AppContext, viewer: Viewer, slug: str) -> tuple[OrganiserView, ...]:
    """Those of the server and of this contest, by name (organisers)."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        roles = select(OrganiserRole.account_id).where(OrganiserRole.contest_id == contest_state.id)
        query = select(UserAccount).where(UserAccount.organiser | UserAccount.id.in_(roles))
        rows = session.scalars(query.where(~UserAccount.disabled).order_by(UserAccount.name)).all()
    return tuple(
        OrganiserView(
            account_id=row.id, name=row.name, server=row.organiser, me=row.id == viewer.account_id
        )
        for row in rows
    )


def add_organiser(context: AppContext, viewer: Viewer, slug: str, name: str) -> None:
    """Let an account organise this contest (organisers)."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = _require_account(session, name)
        other = Viewer(row.id, row.name)
        if row.organiser or session.get(OrganiserRole, (contest_state.id, row.id)) is not None:
            raise Conflict("“{account}” organises this contest already", account=row.name)
        if find_team(session, contest_state.id, other) is not None:
            raise Conflict(
                "“{account}” is in a team of this contest; organisers see every upload",
                account=row.name,
            )
        session.add(OrganiserRole(contest_id=contest_state.id, account_id=row.id, at=context.now()))
        log("organiser.add", f"account {row.id}")


def remove_organiser(context: AppContext, viewer: Viewer, slug: str, account_id: int) -> None:
    """End somebody's role here; one of the server's by another of the server, never the last."""
    viewer.require_organiser()
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        lock_subject(session, "accounts")
        row = session.get(UserAccount, require_row_id(account_id))
        role = None if row is None else session.get(OrganiserRole, (contest_state.id, row.id))
        if row is None or (role is None and not row.organiser):
            raise NotFound(NO_ACCOUNT_MESSAGE)
        if role is not None:
            session.delete(role)
        else:
            viewer.require_server()
            _require_another_organiser(session, row)
            row.organiser = False
        log("organiser.remove", f"account {row.id}")


def close_account(context: AppContext, viewer: Viewer, password: str) -> None:
    """Leave: the name is forgotten, nobody can log in; what the team sent stays."""
    account_id = viewer.require_account()
    wrong = Message("the password is wrong")
    require_own_password(context, account_id, password, wrong)
    with context.write() as session:
        _close_account(context, session, viewer, session.get_one(UserAccount, account_id))
    forget_attempts(context, name_key=f"#{account_id}")


def close_account_by_name(context: AppContext, viewer: Viewer, name: str) -> None:
    """Close somebody's account for them (organisers of the server).

    A captain who is gone can name nobody: the next member, by name, leads the team.
    """
    viewer.require_server()
    with context.write() as session:
        row = _require_account(session, name)
        for member, team in _teams_with_next_captain(session, row):
            session.get_one(TeamMember, (team.id, row.id)).captain = False
            member.captain = True
            record_audit(
                context,
                session,
                viewer,
                "team.captain",
                subject=f"team {team.id}",
                contest_id=team.contest_id,
                account=member.account_id,
            )
        session.flush()
        _close_account(context, session, viewer, row)


def _close_account(context: AppContext, session: Session, viewer: Viewer, row: UserAccount) -> None:
    lock_subject(session, "accounts")
    if row.organiser:
        _require_another_organiser(session, row)
    if _teams_with_next_captain(session, row):  # a captain whose team goes on
        raise Conflict("a captain must name another captain first (page Team)")
    session.execute(delete(OrganiserRole).where(OrganiserRole.account_id == row.id))
    end_sessions(context, session, row.id)
    row.name = row.key = f"left-{row.id}"
    row.organiser, row.disabled, row.password = False, True, ""
    record_audit(context, session, viewer, "account.close", subject=f"account {row.id}")


def _teams_with_next_captain(session: Session, row: UserAccount) -> list[tuple[TeamMember, Team]]:
    """The teams that somebody leads and that go on without them, each with its next member."""
    led = select(TeamMember.team_id).where(TeamMember.account_id == row.id, TeamMember.captain)
    others = (
        select(TeamMember, Team)
        .join(UserAccount, UserAccount.id == TeamMember.account_id)
        .join(Team, Team.id == TeamMember.team_id)
        .where(TeamMember.team_id.in_(led), TeamMember.account_id != row.id, ~UserAccount.disabled)
        .order_by(UserAccount.name.desc())
    )
    return list({team.id: (member, team) for member, team in session.execute(others)}.values())


def _require_another_organiser(session: Session, row: UserAccount) -> None:
    others = select(UserAccount).where(
        UserAccount.organiser, ~UserAccount.disabled, UserAccount.id != row.id
    )
    if session.scalars(others).first() is None:
        raise Conflict("the server needs an organiser; make another one first")


def _require_account(session: Session, name: str) -> UserAccount:
    key = look_alike_key(name[:200])[:64]
    row = session.scalars(select(UserAccount).where(UserAccount.key == key)).one_or_none()
    if row is None or row.disabled:
        raise NotFound(NO_ACCOUNT_MESSAGE)
    return row
