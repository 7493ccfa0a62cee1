"""The audit log: every change, by whom, when; rows are only ever added.

with changing(place, viewer, "cup") as (session, moment, log):
    log("team.ban", "team 3", reason="two accounts")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import Moment, moment_of
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.store.tables import Audit


def record(
    place: Place,
    session: Session,
    viewer: Viewer,
    action: str,
    *,
    subject: str = "",
    contest_id: int | None = None,
    **details: Any,
) -> None:
    """Add a row to the log, in the transaction of what it tells."""
    session.add(
        Audit(
            at=place.now(),
            account_id=viewer.account_id,
            contest_id=contest_id,
            action=action,
            subject=subject[:80],
            details=details,
        )
    )


@contextmanager
def changing(
    place: Place, viewer: Viewer, slug: str
) -> Iterator[tuple[Session, Moment, Callable[..., None]]]:
    """A contest now, a transaction to change it in, and its log: `log(action, subject, …)`."""
    with place.write() as session:
        moment = moment_of(place, session, slug)

        def log(action: str, subject: str, **details: Any) -> None:
            record(place, session, viewer, action, subject=subject, contest_id=moment.id, **details)

        yield session, moment, log
