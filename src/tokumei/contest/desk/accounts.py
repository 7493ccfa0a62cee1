"""Accounts: register, change the password.

register(place, "Aoi", "correct horse battery", invite=code, address="192.0.2.7")
"""

from __future__ import annotations

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.invites import note_use, use_invite
from tokumei.contest.desk.logins import viewer_of
from tokumei.contest.desk.names import Name, clean_name
from tokumei.contest.desk.passwords import (
    begin_attempt,
    fits,
    forget_attempts,
    hash_password,
)
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.team_rows import add_member, member_team
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.desk.views import MeView
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Account, Contest, Login, Member, Team, Token
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, NotAllowed


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
    begin_attempt(place, name_key=f"#{account_id}")
    with place.read() as session:
        kept = session.get_one(Account, account_id).password
    if not fits(old, kept):
        raise NotAllowed(Text("the old password is wrong", "現在のパスワードが違います"))
    hashed = hash_password(new)
    with place.write() as session:
        session.get_one(Account, account_id).password = hashed
        session.execute(delete(Login).where(Login.account_id == account_id))
        session.execute(
            update(Token)
            .where(Token.account_id == account_id, Token.revoked_at.is_(None))
            .values(revoked_at=place.now())
        )
        record(place, session, viewer, "password")
    forget_attempts(place, name_key=f"#{account_id}")


def me(place: Place, viewer: Viewer) -> MeView:
    """The viewer's name and teams."""
    account = viewer.require_account()
    query = (
        select(Contest.slug, Team.name)
        .join(Team, Team.contest_id == Contest.id)
        .join(Member, Member.team_id == Team.id)
        .where(Member.account_id == account)
    )
    with place.read() as session:
        teams = {slug: team for slug, team in session.execute(query.order_by(Contest.slug))}
    return MeView(name=viewer.name, organiser=viewer.organiser, teams=teams)


def _new_account(place: Place, session: Session, name: Name, kept: str, code: str | None) -> Viewer:
    used = None
    if code:
        used = use_invite(place, session, code, ("register", "team", "organiser"))
    elif not _registration_is_open(session):
        raise NotAllowed(
            Text(
                "registration needs an invite code; ask the organiser or your captain",
                "登録には招待コードが必要です。主催者かキャプテンに尋ねてください",
            )
        )
    if session.scalars(select(Account).where(Account.key == name.key)).first():
        raise Conflict(
            Text(
                "this name, or one that looks like it, is taken",
                "この名前か、見分けにくい名前がすでに使われています",
            )
        )
    row = Account(
        name=name.shown,
        key=name.key,
        password=kept,
        organiser=used is not None and used.kind == "organiser",
        created_at=place.now(),
    )
    session.add(row)
    session.flush()
    viewer = viewer_of(row)
    record(place, session, viewer, "register", subject=row.name)
    if used is not None:
        note_use(place, session, used, row.id)
        if used.kind == "team":
            add_member(place, session, member_team(session, used), viewer)
    return viewer


def _registration_is_open(session: Session) -> bool:
    specs = session.scalars(select(Contest.spec).where(~Contest.closed))
    return any(spec.get("registration") == "open" for spec in specs)
