"""Hashes passwords with argon2, in constant time for every name, and slows down guessing.

An attempt is written down before its password is looked at and taken back if it fits, so that a
hundred attempts at once are counted as well. Refused attempts learn nothing.

Of a forgotten password an organiser makes a code that sets a new one, once. It says whose it is and
until when, signed together with the password's present hash: once a password is set, by this code
or otherwise, every code made before is worthless. Nothing is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tokumei.apps.contest.services.contest_state import record_audit, update_contest
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.permissions import find_team
from tokumei.apps.contest.services.validation import clean_name
from tokumei.apps.contest.services.view_models import View
from tokumei.apps.contest.store.database import lock_subject
from tokumei.apps.contest.store.tables import (
    ApiToken,
    LoginAttempt,
    LoginSession,
    OrganiserRole,
    UserAccount,
)
from tokumei.apps.http.errors import Forbidden, NotFound, TooManyRequests, UnprocessableContent
from tokumei.apps.http.signing import tokens_equal
from tokumei.core.messages import Message

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 1000
ATTEMPT_WINDOW = timedelta(minutes=15)
FREE_BY_NAME, LONGEST_BY_NAME = 5, 60
FREE_BY_ADDRESS, LONGEST_BY_ADDRESS = 30, 900

# 46 MB and one pass, as OWASP advises; at most two at once, so that memory has a bound.
_HASHER = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=47_104, parallelism=1)])
_HASHING_SLOTS = BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """What is kept of a new password."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise UnprocessableContent(
            "a password has at least {least} characters (and at most {most})",
            least=SHORTEST_PASSWORD,
            most=LONGEST_PASSWORD,
        )
    with _HASHING_SLOTS:
        return _HASHER.hash(_encode_password(password))


def verify_password(password: str, stored_hash: str | None) -> bool:
    """Whether it is the password; takes as long where there is none (`kept` None)."""
    with _HASHING_SLOTS:
        matches = _HASHER.verify(
            _encode_password(password[:LONGEST_PASSWORD]), stored_hash or _dummy_hash(_HASHER)
        )
    return matches and stored_hash is not None


def record_attempt(context: AppContext, *, name_key: str, address: str | None = None) -> None:
    """Write an attempt down, or refuse it for a while after many; by address, if there is one."""
    now = context.now()
    limits = [(f"name:{name_key}", FREE_BY_NAME, LONGEST_BY_NAME)]
    if address is not None:
        limits.append((f"address:{address}", FREE_BY_ADDRESS, LONGEST_BY_ADDRESS))
    with context.write() as session:
        for key, free, longest in limits:
            lock_subject(session, f"attempt:{key}")
            attempt_times = session.scalars(
                select(LoginAttempt.at).where(
                    LoginAttempt.key == key, LoginAttempt.at > now - ATTEMPT_WINDOW
                )
            ).all()
            _require_attempt_allowed(attempt_times, now, free, longest)
        session.execute(delete(LoginAttempt).where(LoginAttempt.at <= now - 4 * ATTEMPT_WINDOW))
        session.add_all(LoginAttempt(key=key, at=now) for key, _, _ in limits)


def forget_attempts(context: AppContext, *, name_key: str, address: str | None = None) -> None:
    """It was the right one: the name is free again, and this attempt does not count."""
    with context.write() as session:
        session.execute(delete(LoginAttempt).where(LoginAttempt.key == f"name:{name_key}"))
        if address is None:
            return
        last = session.scalars(
            select(LoginAttempt)
            .where(LoginAttempt.key == f"address:{address}")
            .order_by(LoginAttempt.id.desc())
        ).first()
        if last is not None:
            session.delete(last)


def require_own_password(
    context: AppContext, account_id: int, password: str, wrong: Message
) -> None:
    """Refuse who does not know the account's password; slower for those who guess."""
    record_attempt(context, name_key=f"#{account_id}")
    with context.read() as session:
        stored_hash = session.get_one(UserAccount, account_id).password
    if not verify_password(password, stored_hash):
        raise Forbidden(wrong)


def end_sessions(context: AppContext, session: Session, account_id: int) -> None:
    """End all logins and tokens of an account."""
    session.execute(delete(LoginSession).where(LoginSession.account_id == account_id))
    active_tokens = (ApiToken.account_id == account_id, ApiToken.revoked_at.is_(None))
    session.execute(update(ApiToken).where(*active_tokens).values(revoked_at=context.now()))


def _require_attempt_allowed(
    attempt_times: Sequence[datetime], now: datetime, free: int, longest: int
) -> None:
    """Each attempt beyond the free ones doubles the time to wait since the last one."""
    if len(attempt_times) < free:
        return
    wait = timedelta(seconds=min(2 ** min(len(attempt_times) - free + 1, 20), longest))
    left = math.ceil((max(attempt_times) + wait - now).total_seconds())
    if left > 0:
        raise TooManyRequests(
            "too many attempts; please wait {left} seconds", retry_after=left, left=left
        )


@cache
def _dummy_hash(hasher: PasswordHash) -> str:
    """What a name without an account is compared with; costs what the hasher's own hashes cost."""
    return hasher.hash("nobody has this password")


def _encode_password(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


RESET_VALID = timedelta(hours=24)
_MOST_CODE = 200


class ResetCodeView(View):
    """A code that sets a new password; shown this once."""

    name: str
    code: str
    expires_at: datetime


def create_reset_code(context: AppContext, viewer: Viewer, slug: str, name: str) -> ResetCodeView:
    """A code for the account of this name (organisers; not for organisers' accounts)."""
    viewer.require_organiser()
    key = clean_name(name).key
    with update_contest(context, viewer, slug) as (session, contest_state, log):
        row = session.scalars(select(UserAccount).where(UserAccount.key == key)).one_or_none()
        if row is None or row.disabled or not _may_reset(session, contest_state.id, viewer, row):
            raise NotFound("there is no such account")
        if row.organiser:
            raise Forbidden("an organiser's password is not reset by another")
        until = int((context.clock() + RESET_VALID).timestamp())
        log("password.reset-code", f"account {row.id}")
        code = f"{row.id}-{until}-{_sign_reset_code(context, row, until)}"
        return ResetCodeView(
            name=row.name, code=code, expires_at=datetime.fromtimestamp(until, UTC)
        )


def _may_reset(session: Session, contest_id: int, viewer: Viewer, row: UserAccount) -> bool:
    """An organiser of one contest resets passwords of its teams' members alone."""
    if viewer.only is None:
        return True
    roles = select(OrganiserRole).where(OrganiserRole.account_id == row.id)
    member = find_team(session, contest_id, Viewer(row.id)) is not None
    return member and session.scalars(roles).first() is None


def reset_password(context: AppContext, code: str, password: str, *, address: str = "") -> None:
    """A new password; ends all logins and tokens of the account."""
    account_id, until = _parse_reset_code(code)
    record_attempt(context, name_key=f"reset#{account_id}", address=address)
    hashed = hash_password(password)
    with context.write() as session:
        row = session.get(UserAccount, account_id, with_for_update=True)
        expired = until <= context.clock().timestamp()
        if (
            row is None
            or expired
            or not tokens_equal(code.rpartition("-")[2], _sign_reset_code(context, row, until))
        ):
            raise Forbidden(
                "this link was used already, is too old or incomplete; ask the organiser again"
            )
        row.password = hashed
        end_sessions(context, session, row.id)
        viewer, subject = Viewer(row.id, row.name), f"account {row.id}"
        record_audit(context, session, viewer, "password.reset", subject=subject)
    forget_attempts(context, name_key=f"reset#{account_id}", address=address)


def _parse_reset_code(code: str) -> tuple[int, int]:
    """Account and time; numbers that fit nobody if it is no code."""
    parts = code.split("-") if code.isascii() and len(code) < _MOST_CODE else []
    if len(parts) != 3 or not all(part.isdigit() and len(part) < 12 for part in parts[:2]):
        return 0, 0
    return int(parts[0]), int(parts[1])


def _sign_reset_code(context: AppContext, row: UserAccount, until: int) -> str:
    payload = f"reset:{row.id}:{until}:{row.password}".encode()
    return hmac.new(context.key, payload, hashlib.sha256).hexdigest()
