"""Tokens: keys of programs.

made = new_token_by_password(place, "Aoi", password, label="laptop", address="192.0.2.7")
viewer_of_token(place, made.token)
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.codes import TOKEN_PREFIX, hash_of
from tokumei.contest.desk.codes import new_token as new_token_text
from tokumei.contest.desk.logins import proven_account, viewer_of
from tokumei.contest.desk.names import clean_line
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.desk.views import NewTokenView, TokenView
from tokumei.contest.store.tables import Account, Token
from tokumei.core.text import Text
from tokumei.http.refusals import Conflict, LogInFirst, NotFound

MOST_TOKENS = 50
SEEN_EVERY = timedelta(minutes=5)


def new_token(place: Place, viewer: Viewer, label: str) -> NewTokenView:
    """A new token for oneself."""
    account = viewer.require_account()
    secret, shown = new_token_text(), clean_line(label, 64)
    with place.write() as session:
        if len(_live(session, account)) >= MOST_TOKENS:
            raise Conflict(
                Text(
                    f"there are {MOST_TOKENS} tokens already; revoke one first",
                    f"トークンはすでに {MOST_TOKENS} 個あります。先に一つ無効にしてください",
                )
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
            raise NotFound(Text("you have no such token", "そのトークンはありません"))
        row.revoked_at = place.now()
        record(place, session, viewer, "token.revoke", subject=f"token {row.id}")


def viewer_of_token(place: Place, token: str) -> Viewer:
    """Who has this token; LogInFirst if nobody (any more)."""
    with place.read() as session:
        row = session.scalars(select(Token).where(Token.hash == hash_of(token))).one_or_none()
        found = None if row is None or row.revoked_at else session.get(Account, row.account_id)
    if not token.startswith(TOKEN_PREFIX) or row is None or found is None or found.disabled:
        raise LogInFirst(Text("this token is not valid (any more)", "このトークンは無効です"))
    if row.last_used_at is None or place.now() - row.last_used_at > SEEN_EVERY:
        with place.write() as session:
            session.merge(row).last_used_at = place.now()
    return viewer_of(found)


def _live(session: Session, account_id: int) -> list[Token]:
    query = select(Token).where(Token.account_id == account_id, Token.revoked_at.is_(None))
    return list(session.scalars(query.order_by(Token.id)))
