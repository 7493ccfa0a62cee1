"""Codes that let people register, organise or join a team.

new_invite(place, organiser, "register", slug="cup", uses=30).code
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Literal

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.codes import hash_of_code, new_code
from tokumei.contest.desk.console_views import InviteView
from tokumei.contest.desk.lookups import require_number
from tokumei.contest.desk.moment import looking, moment_of
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import VISITOR, Viewer
from tokumei.contest.desk.views import NewInviteView
from tokumei.contest.store.clock import aware
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Account, Invite, InviteUse, Team
from tokumei.core.text import Text
from tokumei.http.refusals import NotAllowed, NotFound, Wrong

Kind = Literal["register", "team", "organiser"]
MOST_USES, MOST_DAYS = 10_000, 3650


def first_organiser_code(place: Place) -> str | None:
    """A one-time code for the first organiser; None when there is an organiser already.

    Codes shown before end, so that one forgotten in a log makes nobody an organiser later.
    """
    with place.write() as session:
        lock(session, "accounts")
        if session.scalars(select(Account).where(Account.organiser)).first() is not None:
            return None
        session.execute(update(Invite).where(Invite.kind == "organiser").values(uses_left=0))
        return make_invite(place, session, VISITOR, "organiser", uses=1, days=30).code


def new_invite(
    place: Place,
    viewer: Viewer,
    kind: Literal["register", "organiser"],
    *,
    slug: str | None = None,
    uses: int = 1,
    days: int = 30,
) -> NewInviteView:
    """A new code (organisers). With `slug` it opens that contest only."""
    viewer.require_organiser()
    with place.write() as session:
        contest_id = None if slug is None else moment_of(place, session, slug).id
        return make_invite(
            place, session, viewer, kind, contest_id=contest_id, uses=uses, days=days
        )


def invites(place: Place, viewer: Viewer, slug: str) -> tuple[InviteView, ...]:
    """A contest's codes and those for all contests, newest first (organisers)."""
    viewer.require_organiser()
    with looking(place, slug) as (session, moment):
        of_contest = or_(Invite.contest_id == moment.id, Invite.contest_id.is_(None))
        query = select(Invite, Team.name).outerjoin(Team, Team.id == Invite.team_id)
        rows = session.execute(query.where(of_contest).order_by(Invite.id.desc())).all()
        users = _users(session)
        return tuple(
            InviteView.of(
                invite,
                contest=None if invite.contest_id is None else slug,
                team=team,
                used_by=tuple(users[invite.id]),
            )
            for invite, team in rows
        )


def end_invite(place: Place, viewer: Viewer, invite_id: int) -> None:
    """Make a code useless (organisers)."""
    viewer.require_organiser()
    with place.write() as session:
        row = session.get(Invite, require_number(invite_id))
        if row is None:
            raise NotFound()
        row.uses_left = 0
        record(place, session, viewer, "invite.end", subject=f"invite {row.id}")


def make_invite(
    place: Place,
    session: Session,
    viewer: Viewer,
    kind: Kind,
    *,
    contest_id: int | None = None,
    team_id: int | None = None,
    uses: int,
    days: int,
) -> NewInviteView:
    """A code in a transaction that has checked the rights."""
    if not (1 <= uses <= MOST_USES and 1 <= days <= MOST_DAYS):
        raise Wrong(
            Text(
                f"uses: 1 to {MOST_USES}; days: 1 to {MOST_DAYS}",
                f"使える回数は 1 〜 {MOST_USES}、日数は 1 〜 {MOST_DAYS} です",
            )
        )
    code, now = new_code(), place.now()
    row = Invite(
        hash=hash_of_code(code),
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
    record(place, session, viewer, f"invite.{kind}", subject=subject, contest_id=contest_id)
    return NewInviteView(
        id=row.id, kind=kind, code=code, uses=uses, expires_at=aware(row.expires_at or now)
    )


def use_invite(place: Place, session: Session, code: str, kinds: tuple[Kind, ...]) -> Invite:
    """A code that is good for one of `kinds`, used once more."""
    query = select(Invite).where(Invite.hash == hash_of_code(code)).with_for_update()
    row = session.scalars(query).one_or_none()
    expired = row is not None and row.expires_at is not None and row.expires_at <= place.now()
    if row is None or row.kind not in kinds or row.uses_left < 1 or expired:
        raise NotAllowed(
            Text(
                "this code is not valid here, used up or expired",
                "この招待コードは無効か、使い切られたか、期限切れです",
            )
        )
    row.uses_left -= 1
    return row


def note_use(place: Place, session: Session, invite: Invite, account_id: int) -> None:
    """Remember who used a code."""
    if session.get(InviteUse, (invite.id, account_id)) is None:
        session.add(InviteUse(invite_id=invite.id, account_id=account_id, at=place.now()))


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


def _users(session: Session) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    query = select(InviteUse.invite_id, Account.name).join(
        Account, Account.id == InviteUse.account_id
    )
    for invite_id, name in session.execute(query.order_by(Account.name)):
        found[invite_id].append(name)
    return found
