"""Who somebody is: by name and password, by the cookie of a browser, by the token of a program.

    cookie = log_in(place, "Aoi", password, address="192.0.2.7")
    viewer_of_cookie(place, cookie)
    viewer_of_token(place, new_token(place, viewer, "laptop").token)

Secrets that we give out once are kept only as a hash.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import record
from tokumei.contest.desk.names import clean_line, look_alike_key
from tokumei.contest.desk.passwords import begin_attempt, fits, forget_attempts
from tokumei.contest.desk.place import VISITOR, Place, Viewer
from tokumei.contest.desk.views import NewTokenView, TokenView
from tokumei.contest.store.tables import Account, Login, Token
from tokumei.http.refusals import Conflict, LogInFirst, NotFound

TOKEN_PREFIX = "tkm_"
"""Lets people and scanners recognize a program's key."""
_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
LOGIN_DAYS = 14
MOST_TOKENS = 50
SEEN_EVERY = timedelta(minutes=5)


def new_secret() -> str:
    """32 random bytes, fit for a cookie or a header."""
    return secrets.token_urlsafe(32)


def new_code() -> str:
    """A code to be read out or typed: 79 random bits, in groups."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


def hash_of(secret: str) -> str:
    """What is kept of a secret. It is long and random, so one SHA-256 suffices."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hash_of_code(code: str) -> str:
    """What is kept of an invite code, however it was typed."""
    return hash_of("".join(letter for letter in code.upper() if letter.isalnum()))


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
        raise LogInFirst("name or password is wrong", "名前かパスワードが間違っています")
    forget_attempts(place, name_key=key, address=address)
    return viewer_of(found)


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


def new_token(place: Place, viewer: Viewer, label: str) -> NewTokenView:
    """A new token for oneself."""
    account = viewer.require_account()
    secret, shown = TOKEN_PREFIX + new_secret(), clean_line(label, 64)
    with place.write() as session:
        if len(_live(session, account)) >= MOST_TOKENS:
            raise Conflict(
                f"there are {MOST_TOKENS} tokens already; revoke one first",
                f"トークンはすでに {MOST_TOKENS} 個あります。先に一つ無効にしてください",
            )
        row = Token(account_id=account, hash=hash_of(secret), label=shown, created_at=place.now())
        session.add(row)
        session.flush()
        record(place, session, viewer, "token.new", subject=f"token {row.id}")
        return NewTokenView(id=row.id, label=shown, token=secret)


def new_token_by_password(
    place: Place, name: str, password: str, *, label: str, address: str = ""
) -> NewTokenView:
    """A new token for the right name and password."""
    return new_token(place, proven_account(place, name, password, address=address), label)


def tokens(place: Place, viewer: Viewer) -> tuple[TokenView, ...]:
    """One's tokens in use."""
    account = viewer.require_account()
    with place.read() as session:
        return tuple(TokenView.of(row) for row in _live(session, account))


def revoke_token(place: Place, viewer: Viewer, token_id: int) -> None:
    """End one of one's tokens."""
    account = viewer.require_account()
    with place.write() as session:
        row = next((row for row in _live(session, account) if row.id == token_id), None)
        if row is None:
            raise NotFound("you have no such token", "そのトークンはありません")
        row.revoked_at = place.now()
        record(place, session, viewer, "token.revoke", subject=f"token {row.id}")


def viewer_of_token(place: Place, token: str) -> Viewer:
    """Who has this token; LogInFirst if nobody (any more)."""
    with place.read() as session:
        row = session.scalars(select(Token).where(Token.hash == hash_of(token))).one_or_none()
        found = None if row is None or row.revoked_at else session.get(Account, row.account_id)
    if not token.startswith(TOKEN_PREFIX) or row is None or found is None or found.disabled:
        raise LogInFirst("this token is not valid (any more)", "このトークンは無効です")
    if row.last_used_at is None or place.now() - row.last_used_at > SEEN_EVERY:
        with place.write() as session:
            session.merge(row).last_used_at = place.now()
    return viewer_of(found)


def _live(session: Session, account_id: int) -> list[Token]:
    query = select(Token).where(Token.account_id == account_id, Token.revoked_at.is_(None))
    return list(session.scalars(query.order_by(Token.id)))
