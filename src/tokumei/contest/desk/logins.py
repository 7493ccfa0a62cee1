"""Who somebody is, by name and password, and browsers that are logged in.

cookie = log_in(place, "Aoi", password, address="192.0.2.7")
viewer_of_cookie(place, cookie)
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import delete, select

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.codes import hash_of, new_secret
from tokumei.contest.desk.names import look_alike_key
from tokumei.contest.desk.passwords import begin_attempt, fits, forget_attempts
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import VISITOR, Viewer
from tokumei.contest.store.tables import Account, Login
from tokumei.core.text import Text
from tokumei.http.refusals import LogInFirst


def viewer_of(account: Account) -> Viewer:
    """An account's person."""
    return Viewer(account.id, account.name, account.organiser)


def proven_account(place: Place, name: str, password: str, *, address: str) -> Viewer:
    """The person with this name and password; which of them was wrong is not told."""
    key = look_alike_key(name[:200])[:64]
    begin_attempt(place, name_key=key, address=address)
    with place.read() as session:
        found = session.scalars(select(Account).where(Account.key == key)).one_or_none()
    if not fits(password, found.password if found else None) or found is None or found.disabled:
        raise LogInFirst(Text("name or password is wrong", "名前かパスワードが間違っています"))
    forget_attempts(place, name_key=key, address=address)
    return viewer_of(found)


LOGIN_DAYS = 14


def log_in(place: Place, name: str, password: str, *, address: str = "") -> str:
    """A new cookie for the right name and password."""
    return new_login(place, proven_account(place, name, password, address=address))


def new_login(place: Place, viewer: Viewer) -> str:
    """A new cookie for somebody who has just registered."""
    cookie, now = new_secret(), place.now()
    login = Login(
        hash=hash_of(cookie),
        account_id=viewer.require_account(),
        csrf=new_secret(),
        created_at=now,
        expires_at=now + timedelta(days=LOGIN_DAYS),
    )
    with place.write() as session:
        session.execute(delete(Login).where(Login.expires_at <= now))
        session.add(login)
        record(place, session, viewer, "login")
    return cookie


def log_out(place: Place, cookie: str) -> None:
    """Forget a cookie."""
    with place.write() as session:
        session.execute(delete(Login).where(Login.hash == hash_of(cookie)))


def viewer_of_cookie(place: Place, cookie: str | None) -> Viewer:
    """Who has this cookie; a visitor if nobody (any more)."""
    if not cookie:
        return VISITOR
    with place.read() as session:
        login = session.get(Login, hash_of(cookie))
        if login is None or login.expires_at <= place.now():
            return VISITOR
        account = session.get(Account, login.account_id)
    return VISITOR if account is None or account.disabled else viewer_of(account)
