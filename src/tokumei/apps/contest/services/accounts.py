"""Accounts, and codes for registering, organising and joining a team.

create_account(context, "Aoi", "correct horse battery", invite=code, address="192.0.2.7")
create_invite(context, organiser, "register", slug="cup", uses=30).code
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Literal

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.admin_views import InviteView
from tokumei.apps.contest.services.authentication import (
    generate_code,
    hash_invite_code,
    viewer_from_account,
)
from tokumei.apps.contest.services.contest_state import (
    load_contest_state,
    read_contest,
    record_audit,
)
from tokumei.apps.contest.services.context import VISITOR, AppContext, Viewer
from tokumei.apps.contest.services.passwords import (
    end_sessions,
    forget_attempts,
    hash_password,
    record_attempt,
    require_own_password,
)
from tokumei.apps.contest.services.permissions import add_member
from tokumei.apps.contest.services.validation import CleanName, clean_name, require_row_id
from tokumei.apps.contest.services.view_models import CurrentAccountView, NewInviteView
from tokumei.apps.contest.store.database import lock_subject, to_aware_utc
from tokumei.apps.contest.store.tables import (
    Contest,
    Invite,
    InviteUse,
    OrganiserRole,
    Team,
    TeamMember,
    UserAccount,
)
from tokumei.apps.http.errors import Conflict, Forbidden, NotFound, UnprocessableContent
from tokumei.core.messages import Message

InviteKind = Literal["register", "team", "organiser"]
MOST_USES, MOST_DAYS = 10_000, 3650
_OPEN_CONTEST_SPECS = select(Contest.spec).where(~Contest.closed, Contest.stage == "open")


def first_organiser_code(context: AppContext) -> str | None:
    """A one-time code for the first organiser; None when there is an organiser already.

    Codes shown before end, so that one forgotten in a log makes nobody an organiser later.
    """
    with context.write() as session:
        lock_subject(session, "accounts")
        if session.scalars(select(UserAccount).where(UserAccount.organiser)).first() is not None:
            return None
        session.execute(update(Invite).where(Invite.kind == "organiser").values(uses_left=0))
        return insert_invite(context, session, VISITOR, "organiser", uses=1, days=30).code


def create_invite(
    context: AppContext,
    viewer: Viewer,
    kind: Literal["register", "organiser"],
    *,
    slug: str | None = None,
    uses: int = 1,
    days: int = 30,
) -> NewInviteView:
    """A new code (organisers). With `slug` it opens that contest only."""
    if kind == "organiser" and slug is None:
        viewer.require_server()
    viewer.require_organiser()
    with context.write() as session:
        contest_id = None if slug is None else load_contest_state(context, session, slug).id
        return insert_invite(
            context, session, viewer, kind, contest_id=contest_id, uses=uses, days=days
        )


def list_invites(context: AppContext, viewer: Viewer, slug: str) -> tuple[InviteView, ...]:
    """A contest's codes and those for all contests, newest first (organisers)."""
    viewer.require_organiser()
    with read_contest(context, slug) as (session, contest_state):
        of_contest = Invite.contest_id == contest_state.id
        if viewer.only is None:
            of_contest = or_(of_contest, Invite.contest_id.is_(None))
        query = select(Invite, Team.name).outerjoin(Team, Team.id == Invite.team_id)
        rows = session.execute(query.where(of_contest).order_by(Invite.id.desc())).all()
        users = _invite_users(session)
        return tuple(
            InviteView.of(
                invite,
                contest=None if invite.contest_id is None else slug,
                team=team,
                used_by=tuple(users[invite.id]),
            )
            for invite, team in rows
        )


def revoke_invite(context: AppContext, viewer: Viewer, invite_id: int) -> None:
    """Make a code useless (organisers)."""
    viewer.require_organiser()
    with context.write() as session:
        row = session.get(Invite, require_row_id(invite_id))
        if row is None or not _may_revoke_invite(session, viewer, row):
            raise NotFound()
        row.uses_left = 0
        subject, contest_id = f"invite {row.id}", row.contest_id
        record_audit(context, session, viewer, "invite.end", subject=subject, contest_id=contest_id)


def _may_revoke_invite(session: Session, viewer: Viewer, row: Invite) -> bool:
    if viewer.only is None:
        return True
    contest = None if row.contest_id is None else session.get(Contest, row.contest_id)
    return contest is not None and contest.slug == viewer.only


def insert_invite(
    context: AppContext,
    session: Session,
    viewer: Viewer,
    kind: InviteKind,
    *,
    contest_id: int | None = None,
    team_id: int | None = None,
    uses: int,
    days: int,
) -> NewInviteView:
    """A code in a transaction that has checked the rights."""
    if not (1 <= uses <= MOST_USES and 1 <= days <= MOST_DAYS):
        raise UnprocessableContent(
            "uses: 1 to {uses}; days: 1 to {days}",
            uses=MOST_USES,
            days=MOST_DAYS,
        )
    code, now = generate_code(), context.now()
    row = Invite(
        hash=hash_invite_code(code),
        kind=kind,
        contest_id=contest_id,
        team_id=team_id,
        uses_left=uses,
        expires_at=now + timedelta(days=days),
        created_at=now,
    )
    session.add(row)
    session.flush()
    subject = f"invite {row.id}"
    record_audit(context, session, viewer, f"invite.{kind}", subject=subject, contest_id=contest_id)
    return NewInviteView(
        id=row.id, kind=kind, code=code, uses=uses, expires_at=to_aware_utc(row.expires_at or now)
    )


def use_invite(
    context: AppContext, session: Session, code: str, kinds: tuple[InviteKind, ...]
) -> Invite:
    """A code that is good for one of `kinds`, used once more."""
    query = select(Invite).where(Invite.hash == hash_invite_code(code)).with_for_update()
    row = session.scalars(query).one_or_none()
    expired = row is not None and row.expires_at is not None and row.expires_at <= context.now()
    if row is None or row.kind not in kinds or row.uses_left < 1 or expired:
        raise Forbidden("this code is not valid here, or it is used up or expired")
    row.uses_left -= 1
    return row


def record_invite_use(
    context: AppContext, session: Session, invite: Invite, account_id: int
) -> None:
    """Remember who used a code."""
    if session.get(InviteUse, (invite.id, account_id)) is None:
        session.add(InviteUse(invite_id=invite.id, account_id=account_id, at=context.now()))


def is_invited(session: Session, contest_id: int, account_id: int) -> bool:
    """Whether the account once used a registration code good for this contest."""
    query = (
        select(InviteUse)
        .join(Invite, Invite.id == InviteUse.invite_id)
        .where(
            InviteUse.account_id == account_id,
            Invite.kind == "register",
            or_(Invite.contest_id == contest_id, Invite.contest_id.is_(None)),
        )
    )
    return session.scalars(query).first() is not None


def _invite_users(session: Session) -> dict[int, list[str]]:
    names_by_invite: dict[int, list[str]] = defaultdict(list)
    query = select(InviteUse.invite_id, UserAccount.name).join(
        UserAccount, UserAccount.id == InviteUse.account_id
    )
    for invite_id, name in session.execute(query.order_by(UserAccount.name)):
        names_by_invite[invite_id].append(name)
    return names_by_invite


def create_account(
    context: AppContext, name: str, password: str, *, invite: str | None = None, address: str = ""
) -> Viewer:
    """A new account.

    Without a code only while some contest has open registration; a team's code also joins it, an
    organiser's code makes an organiser. `address` is the client's, to slow down those who guess.
    """
    cleaned = clean_name(name)
    record_attempt(context, name_key=cleaned.key, address=address)
    password_hash = hash_password(password)
    with context.write() as session:
        lock_subject(session, "accounts")
        viewer = _insert_account(context, session, cleaned, password_hash, invite)
    forget_attempts(context, name_key=cleaned.key, address=address)
    return viewer


def change_password(context: AppContext, viewer: Viewer, old: str, new: str) -> None:
    """A new password; ends all logins and tokens of the account."""
    account_id = viewer.require_account()
    wrong = Message("the old password is wrong")
    require_own_password(context, account_id, old, wrong)
    hashed = hash_password(new)
    with context.write() as session:
        session.get_one(UserAccount, account_id).password = hashed
        end_sessions(context, session, account_id)
        record_audit(context, session, viewer, "password")
    forget_attempts(context, name_key=f"#{account_id}")


def account_summary(context: AppContext, viewer: Viewer) -> CurrentAccountView:
    """The viewer's name and teams."""
    account = viewer.require_account()
    query = (
        select(Contest.slug, Team.name)
        .join(Team, Team.contest_id == Contest.id)
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(TeamMember.account_id == account, ~Contest.closed, Contest.stage != "draft")
    )
    with context.read() as session:
        teams = {slug: team for slug, team in session.execute(query.order_by(Contest.slug))}
    return CurrentAccountView(name=viewer.name, organiser=viewer.organiser, teams=teams)


def _insert_account(
    context: AppContext, session: Session, name: CleanName, password_hash: str, code: str | None
) -> Viewer:
    invite = None
    if code:
        invite = use_invite(context, session, code, ("register", "team", "organiser"))
    elif not any(
        spec.get("registration") == "open" for spec in session.scalars(_OPEN_CONTEST_SPECS)
    ):
        raise Forbidden("registration needs an invite code; ask the organiser or your captain")
    if session.scalars(select(UserAccount).where(UserAccount.key == name.key)).first():
        raise Conflict("this name, or one that looks like it, is taken")
    row = UserAccount(
        name=name.shown,
        key=name.key,
        password=password_hash,
        organiser=invite is not None and invite.kind == "organiser" and invite.contest_id is None,
        created_at=context.now(),
    )
    session.add(row)
    session.flush()
    viewer = viewer_from_account(row)
    record_audit(context, session, viewer, "register", subject=f"account {row.id}")
    if invite is not None:
        record_invite_use(context, session, invite, row.id)
        if invite.kind == "organiser" and invite.contest_id is not None:
            role = OrganiserRole(contest_id=invite.contest_id, account_id=row.id, at=context.now())
            session.add(role)
        if invite.kind == "team":
            add_member(context, session, session.get_one(Team, invite.team_id), viewer)
    return viewer
