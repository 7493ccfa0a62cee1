"""Accounts, and the codes that let people register, organise or join a team.

register(place, "Aoi", "correct horse battery", invite=code, address="192.0.2.7")
new_invite(place, organiser, "register", slug="cup", uses=30).code
"""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta
from typing import Literal

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.console_views import InviteView
from tokumei.contest.desk.logins import hash_of_code, new_code, viewer_of
from tokumei.contest.desk.membership import add_member
from tokumei.contest.desk.moment import looking, moment_of, record
from tokumei.contest.desk.names import Name, clean_name, require_number
from tokumei.contest.desk.passwords import (
    begin_attempt,
    end_sessions,
    forget_attempts,
    hash_password,
    require_own,
)
from tokumei.contest.desk.place import VISITOR, Place, Viewer
from tokumei.contest.desk.views import MeView, NewInviteView
from tokumei.contest.store.database import aware, lock
from tokumei.contest.store.tables import (
    Account,
    Contest,
    Invite,
    InviteUse,
    Member,
    Organiser,
    Team,
)
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed, NotFound, Wrong

Kind = Literal["register", "team", "organiser"]
MOST_USES, MOST_DAYS = 10_000, 3650
_LIVE = select(Contest.spec).where(~Contest.closed, Contest.stage == "open")


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
    if kind == "organiser" and slug is None:
        viewer.require_server()
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
        of_contest = Invite.contest_id == moment.id
        if viewer.only is None:
            of_contest = or_(of_contest, Invite.contest_id.is_(None))
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
        if row is None or not _may_end(session, viewer, row):
            raise NotFound()
        row.uses_left = 0
        subject, ours = f"invite {row.id}", row.contest_id
        record(place, session, viewer, "invite.end", subject=subject, contest_id=ours)


def _may_end(session: Session, viewer: Viewer, row: Invite) -> bool:
    if viewer.only is None:
        return True
    contest = None if row.contest_id is None else session.get(Contest, row.contest_id)
    return contest is not None and contest.slug == viewer.only


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
            f"uses: 1 to {MOST_USES}; days: 1 to {MOST_DAYS}",
            f"使える回数は 1 〜 {MOST_USES}、日数は 1 〜 {MOST_DAYS} です",
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
            "this code is not valid here, used up or expired",
            "この招待コードは無効か、使い切られたか、期限切れです",
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


def register(
    place: Place, name: str, password: str, *, invite: str | None = None, address: str = ""
) -> Viewer:
    """A new account.

    Without a code only while some contest has open registration; a team's code also joins it, an
    organiser's code makes an organiser. `address` is the client's, to slow down those who guess.
    """
    cleaned = clean_name(name)
    begin_attempt(place, name_key=cleaned.key, address=address)
    kept = hash_password(password)
    with place.write() as session:
        lock(session, "accounts")
        viewer = _new_account(place, session, cleaned, kept, invite)
    forget_attempts(place, name_key=cleaned.key, address=address)
    return viewer


def change_password(place: Place, viewer: Viewer, old: str, new: str) -> None:
    """A new password; ends all logins and tokens of the account."""
    account_id = viewer.require_account()
    wrong = Text("the old password is wrong", "現在のパスワードが違います")
    require_own(place, account_id, old, wrong)
    hashed = hash_password(new)
    with place.write() as session:
        session.get_one(Account, account_id).password = hashed
        end_sessions(place, session, account_id)
        record(place, session, viewer, "password")
    forget_attempts(place, name_key=f"#{account_id}")


def me(place: Place, viewer: Viewer) -> MeView:
    """The viewer's name and teams."""
    account = viewer.require_account()
    query = (
        select(Contest.slug, Team.name)
        .join(Team, Team.contest_id == Contest.id)
        .join(Member, Member.team_id == Team.id)
        .where(Member.account_id == account, ~Contest.closed, Contest.stage != "draft")
    )
    with place.read() as session:
        teams = {slug: team for slug, team in session.execute(query.order_by(Contest.slug))}
    return MeView(name=viewer.name, organiser=viewer.organiser, teams=teams)


def _new_account(place: Place, session: Session, name: Name, kept: str, code: str | None) -> Viewer:
    used = None
    if code:
        used = use_invite(place, session, code, ("register", "team", "organiser"))
    elif not any(spec.get("registration") == "open" for spec in session.scalars(_LIVE)):
        raise NotAllowed(
            "registration needs an invite code; ask the organiser or your captain",
            "登録には招待コードが必要です。主催者かキャプテンに尋ねてください",
        )
    if session.scalars(select(Account).where(Account.key == name.key)).first():
        raise Conflict(
            "this name, or one that looks like it, is taken",
            "この名前か、見分けにくい名前がすでに使われています",
        )
    row = Account(
        name=name.shown,
        key=name.key,
        password=kept,
        organiser=used is not None and used.kind == "organiser" and used.contest_id is None,
        created_at=place.now(),
    )
    session.add(row)
    session.flush()
    viewer = viewer_of(row)
    record(place, session, viewer, "register", subject=f"account {row.id}")
    if used is not None:
        note_use(place, session, used, row.id)
        if used.kind == "organiser" and used.contest_id is not None:
            role = Organiser(contest_id=used.contest_id, account_id=row.id, at=place.now())
            session.add(role)
        if used.kind == "team":
            add_member(place, session, session.get_one(Team, used.team_id), viewer)
    return viewer
