"""Who somebody is, by name and password."""

from __future__ import annotations

from sqlalchemy import select

from tokumei.contest.desk.names import look_alike_key
from tokumei.contest.desk.passwords import begin_attempt, fits, forget_attempts
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.store.tables import Account
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
