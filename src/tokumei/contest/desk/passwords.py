"""Passwords: argon2, the same time for every name, slower for those who guess.

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

from tokumei.contest.desk.membership import team_of
from tokumei.contest.desk.moment import changing, record
from tokumei.contest.desk.names import clean_name
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import View
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Account, Attempt, Login, Organiser, Token
from tokumei.core.text import Text
from tokumei.http.refusals import NotAllowed, NotFound, TooMany, Wrong
from tokumei.http.seal import same

SHORTEST, LONGEST = 10, 1000
WINDOW = timedelta(minutes=15)
FREE_BY_NAME, LONGEST_BY_NAME = 5, 60
FREE_BY_ADDRESS, LONGEST_BY_ADDRESS = 30, 900

# 46 MB and one pass, as OWASP advises; at most two at once, so that memory has a bound.
_HASHER = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=47_104, parallelism=1)])
_AT_ONCE = BoundedSemaphore(2)


def hash_password(password: str) -> str:
    """What is kept of a new password."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise Wrong(
            f"a password has at least {SHORTEST} characters (and at most {LONGEST})",
            f"パスワードは {SHORTEST} 文字以上 ({LONGEST} 文字以内) にしてください",
        )
    with _AT_ONCE:
        return _HASHER.hash(_bytes(password))


def fits(password: str, kept: str | None) -> bool:
    """Whether it is the password; takes as long where there is none (`kept` None)."""
    with _AT_ONCE:
        right = _HASHER.verify(_bytes(password[:LONGEST]), kept or _nobodys())
    return right and kept is not None


def begin_attempt(place: Place, *, name_key: str, address: str | None = None) -> None:
    """Write an attempt down, or refuse it for a while after many; by address, if there is one."""
    now = place.now()
    kinds = [(f"name:{name_key}", FREE_BY_NAME, LONGEST_BY_NAME)]
    if address is not None:
        kinds.append((f"address:{address}", FREE_BY_ADDRESS, LONGEST_BY_ADDRESS))
    with place.write() as session:
        for key, free, longest in kinds:
            lock(session, f"attempt:{key}")
            made = session.scalars(
                select(Attempt.at).where(Attempt.key == key, Attempt.at > now - WINDOW)
            ).all()
            _require_patience(made, now, free, longest)
        session.execute(delete(Attempt).where(Attempt.at <= now - 4 * WINDOW))
        session.add_all(Attempt(key=key, at=now) for key, _, _ in kinds)


def forget_attempts(place: Place, *, name_key: str, address: str | None = None) -> None:
    """It was the right one: the name is free again, and this attempt does not count."""
    with place.write() as session:
        session.execute(delete(Attempt).where(Attempt.key == f"name:{name_key}"))
        if address is None:
            return
        last = session.scalars(
            select(Attempt).where(Attempt.key == f"address:{address}").order_by(Attempt.id.desc())
        ).first()
        if last is not None:
            session.delete(last)


def require_own(place: Place, account_id: int, password: str, wrong: Text) -> None:
    """Refuse who does not know the account's password; slower for those who guess."""
    begin_attempt(place, name_key=f"#{account_id}")
    with place.read() as session:
        kept = session.get_one(Account, account_id).password
    if not fits(password, kept):
        raise NotAllowed(wrong)


def end_sessions(place: Place, session: Session, account_id: int) -> None:
    """End all logins and tokens of an account."""
    session.execute(delete(Login).where(Login.account_id == account_id))
    held = (Token.account_id == account_id, Token.revoked_at.is_(None))
    session.execute(update(Token).where(*held).values(revoked_at=place.now()))


def _require_patience(made: Sequence[datetime], now: datetime, free: int, longest: int) -> None:
    """Each attempt beyond the free ones doubles the time to wait since the last one."""
    if len(made) < free:
        return
    wait = timedelta(seconds=min(2 ** min(len(made) - free + 1, 20), longest))
    left = math.ceil((max(made) + wait - now).total_seconds())
    if left > 0:
        raise TooMany(
            f"too many attempts; please wait {left} seconds",
            f"試行回数が多すぎます。{left} 秒待ってください",
            retry_after=left,
        )


@cache
def _nobodys() -> str:
    return _HASHER.hash("nobody has this password")


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


VALID = timedelta(hours=24)
_MOST_CODE = 200


class NewReset(View):
    """A code that sets a new password; shown this once."""

    name: str
    code: str
    expires_at: datetime


def new_reset(place: Place, viewer: Viewer, slug: str, name: str) -> NewReset:
    """A code for the account of this name (organisers; not for organisers' accounts)."""
    viewer.require_organiser()
    key = clean_name(name).key
    with changing(place, viewer, slug) as (session, moment, log):
        row = session.scalars(select(Account).where(Account.key == key)).one_or_none()
        if row is None or row.disabled or not _within(session, moment.id, viewer, row):
            raise NotFound("there is no such account", "そのアカウントはありません")
        if row.organiser:
            raise NotAllowed(
                "an organiser's password is not reset by another",
                "主催者のパスワードは、ほかの主催者が再設定できません",
            )
        until = int((place.clock() + VALID).timestamp())
        log("password.reset-code", f"account {row.id}")
        code = f"{row.id}-{until}-{_signature(place, row, until)}"
        return NewReset(name=row.name, code=code, expires_at=datetime.fromtimestamp(until, UTC))


def _within(session: Session, contest_id: int, viewer: Viewer, row: Account) -> bool:
    """An organiser of one contest resets passwords of its teams' members alone."""
    if viewer.only is None:
        return True
    roles = select(Organiser).where(Organiser.account_id == row.id)
    member = team_of(session, contest_id, Viewer(row.id)) is not None
    return member and session.scalars(roles).first() is None


def reset_password(place: Place, code: str, password: str, *, address: str = "") -> None:
    """A new password; ends all logins and tokens of the account."""
    account_id, until = _parts(code)
    begin_attempt(place, name_key=f"reset#{account_id}", address=address)
    hashed = hash_password(password)
    with place.write() as session:
        row = session.get(Account, account_id, with_for_update=True)
        late = until <= place.clock().timestamp()
        if row is None or late or not same(code.rpartition("-")[2], _signature(place, row, until)):
            raise NotAllowed(
                "this link was used already, is too old or incomplete; ask the organiser again",
                "このリンクは使用済みか、期限切れか、不完全です。主催者にもう一度依頼してください",
            )
        row.password = hashed
        end_sessions(place, session, row.id)
        who, told = Viewer(row.id, row.name), f"account {row.id}"
        record(place, session, who, "password.reset", subject=told)
    forget_attempts(place, name_key=f"reset#{account_id}", address=address)


def _parts(code: str) -> tuple[int, int]:
    """Account and time; numbers that fit nobody if it is no code."""
    parts = code.split("-") if code.isascii() and len(code) < _MOST_CODE else []
    if len(parts) != 3 or not all(part.isdigit() and len(part) < 12 for part in parts[:2]):
        return 0, 0
    return int(parts[0]), int(parts[1])


def _signature(place: Place, row: Account, until: int) -> str:
    told = f"reset:{row.id}:{until}:{row.password}".encode()
    return hmac.new(place.key, told, hashlib.sha256).hexdigest()
