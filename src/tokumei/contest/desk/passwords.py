"""Passwords: argon2, the same time for every name, slower for those who guess.

    begin_attempt(place, name_key="aoi", address="192.0.2.7")      # TooMany for a while
    fits("correct horse battery", account.password)

An attempt is written down before its password is looked at and taken back if it fits, so that a
hundred attempts at once are counted as well. Refused attempts learn nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import delete, select

from tokumei.contest.desk.place import Place
from tokumei.contest.store.database import lock
from tokumei.contest.store.tables import Attempt
from tokumei.http.refusals import TooMany, Wrong

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
