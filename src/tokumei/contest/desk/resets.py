"""Forgotten passwords: an organiser makes a link that sets a new one, once.

    made = new_reset(place, organiser, "cup", "Aoi")      # made.code, made.expires_at
    reset_password(place, made.code, "a new password")

The code says whose it is and until when, signed together with the password's present hash: once a
password is set, by this code or otherwise, every code made before is worthless. Nothing is stored.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from tokumei.contest.desk.membership import team_of
from tokumei.contest.desk.moment import changing, record
from tokumei.contest.desk.names import clean_name
from tokumei.contest.desk.passwords import begin_attempt, forget_attempts, hash_password
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.desk.views import View
from tokumei.contest.store.tables import Account, Login, Organiser, Token
from tokumei.http.refusals import NotAllowed, NotFound
from tokumei.http.seal import same

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
        session.execute(delete(Login).where(Login.account_id == row.id))
        held = (Token.account_id == row.id, Token.revoked_at.is_(None))
        session.execute(update(Token).where(*held).values(revoked_at=place.now()))
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
