"""The audit log: every change, by whom, when; rows are only ever added.

record(place, session, viewer, "team.ban", subject="team 3", contest_id=1, reason="two accounts")
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

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
