"""Authenticates people by password, session cookie or API token.

    cookie = log_in(place, "Aoi", password, address="192.0.2.7")
    viewer_from_cookie(place, cookie)
    viewer_from_token(place, create_token(place, viewer, "laptop").token)

Secrets that we give out once are kept only as a hash.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.contest_state import record_audit
from tokumei.apps.contest.services.context import VISITOR, AppContext, Viewer
from tokumei.apps.contest.services.passwords import forget_attempts, record_attempt, verify_password
from tokumei.apps.contest.services.validation import clean_line, look_alike_key
from tokumei.apps.contest.services.view_models import NewTokenView, TokenView
from tokumei.apps.contest.store.tables import ApiToken, LoginSession, UserAccount
from tokumei.apps.http.errors import Conflict, NotFound, Unauthorized

TOKEN_PREFIX = "tkm_"
"""Lets people and scanners recognize a program's key."""
_CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
LOGIN_DAYS = 14
MOST_TOKENS = 50
LAST_USED_INTERVAL = timedelta(minutes=5)


def generate_secret() -> str:
    """32 random bytes, fit for a cookie or a header."""
    return secrets.token_urlsafe(32)


def generate_code() -> str:
    """A code to be read out or typed: 79 random bits, in groups."""
    return "-".join("".join(secrets.choice(_CODE_LETTERS) for _ in range(4)) for _ in range(4))


def hash_secret(secret: str) -> str:
    """What is kept of a secret. It is long and random, so one SHA-256 suffices."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hash_invite_code(code: str) -> str:
    """What is kept of an invite code, however it was typed."""
    return hash_secret("".join(letter for letter in code.upper() if letter.isalnum()))


def viewer_from_account(account: UserAccount) -> Viewer:
    """An account's person."""
    return Viewer(account.id, account.name, account.organiser)


def verify_login(context: AppContext, name: str, password: str, *, address: str) -> Viewer:
    """The person with this name and password; which of them was wrong is not told."""
    key = look_alike_key(name[:200])[:64]
    record_attempt(context, name_key=key, address=address)
    with context.read() as session:
        account = session.scalars(select(UserAccount).where(UserAccount.key == key)).one_or_none()
    if (
        not verify_password(password, account.password if account else None)
        or account is None
        or account.disabled
    ):
        raise Unauthorized("name or password is wrong")
    forget_attempts(context, name_key=key, address=address)
    return viewer_from_account(account)


def log_in(context: AppContext, name: str, password: str, *, address: str = "") -> str:
    """A new cookie for the right name and password."""
    return start_session(context, verify_login(context, name, password, address=address))


def start_session(context: AppContext, viewer: Viewer) -> str:
    """A new cookie for somebody who has just registered."""
    cookie, now = generate_secret(), context.now()
    login = LoginSession(
        hash=hash_secret(cookie),
        account_id=viewer.require_account(),
        csrf=generate_secret(),
        created_at=now,
        expires_at=now + timedelta(days=LOGIN_DAYS),
    )
    with context.write() as session:
        session.execute(delete(LoginSession).where(LoginSession.expires_at <= now))
        session.add(login)
        record_audit(context, session, viewer, "login")
    return cookie


def log_out(context: AppContext, cookie: str) -> None:
    """Forget a cookie."""
    with context.write() as session:
        session.execute(delete(LoginSession).where(LoginSession.hash == hash_secret(cookie)))


def viewer_from_cookie(context: AppContext, cookie: str | None) -> Viewer:
    """Who has this cookie; a visitor if nobody (any more)."""
    if not cookie:
        return VISITOR
    with context.read() as session:
        login = session.get(LoginSession, hash_secret(cookie))
        if login is None or login.expires_at <= context.now():
            return VISITOR
        account = session.get(UserAccount, login.account_id)
    return VISITOR if account is None or account.disabled else viewer_from_account(account)


def create_token(context: AppContext, viewer: Viewer, label: str) -> NewTokenView:
    """A new token for oneself."""
    account = viewer.require_account()
    secret, clean_label = TOKEN_PREFIX + generate_secret(), clean_line(label, 64)
    with context.write() as session:
        if len(_active_tokens(session, account)) >= MOST_TOKENS:
            raise Conflict(
                "there are {tokens} tokens already; revoke one first", tokens=MOST_TOKENS
            )
        row = ApiToken(
            account_id=account,
            hash=hash_secret(secret),
            label=clean_label,
            created_at=context.now(),
        )
        session.add(row)
        session.flush()
        record_audit(context, session, viewer, "token.new", subject=f"token {row.id}")
        return NewTokenView(id=row.id, label=clean_label, token=secret)


def create_token_by_password(
    context: AppContext, name: str, password: str, *, label: str, address: str = ""
) -> NewTokenView:
    """A new token for the right name and password."""
    return create_token(context, verify_login(context, name, password, address=address), label)


def list_tokens(context: AppContext, viewer: Viewer) -> tuple[TokenView, ...]:
    """One's tokens in use."""
    account = viewer.require_account()
    with context.read() as session:
        return tuple(TokenView.of(row) for row in _active_tokens(session, account))


def revoke_token(context: AppContext, viewer: Viewer, token_id: int) -> None:
    """End one of one's tokens."""
    account = viewer.require_account()
    with context.write() as session:
        row = next((row for row in _active_tokens(session, account) if row.id == token_id), None)
        if row is None:
            raise NotFound("you have no such token")
        row.revoked_at = context.now()
        record_audit(context, session, viewer, "token.revoke", subject=f"token {row.id}")


def viewer_from_token(context: AppContext, token: str) -> Viewer:
    """Who has this token; Unauthorized if nobody (any more)."""
    with context.read() as session:
        row = session.scalars(
            select(ApiToken).where(ApiToken.hash == hash_secret(token))
        ).one_or_none()
        account = (
            None if row is None or row.revoked_at else session.get(UserAccount, row.account_id)
        )
    if not token.startswith(TOKEN_PREFIX) or row is None or account is None or account.disabled:
        raise Unauthorized("this token is not valid (any more)")
    if row.last_used_at is None or context.now() - row.last_used_at > LAST_USED_INTERVAL:
        with context.write() as session:
            session.merge(row).last_used_at = context.now()
    return viewer_from_account(account)


def _active_tokens(session: Session, account_id: int) -> list[ApiToken]:
    query = select(ApiToken).where(ApiToken.account_id == account_id, ApiToken.revoked_at.is_(None))
    return list(session.scalars(query.order_by(ApiToken.id)))
