"""An upload that is allowed becomes an entry: rows, steps and a job, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.audit_log import record
from tokumei.contest.desk.moment import Moment
from tokumei.contest.desk.place import Place
from tokumei.contest.desk.spooling import Received
from tokumei.contest.desk.viewer import Viewer
from tokumei.contest.jobs.checker import Checked
from tokumei.contest.jobs.queue import enqueue
from tokumei.contest.store.files import sync_folder
from tokumei.contest.store.tables import Entry, Step, Team
from tokumei.core.text import Text

RULES = Text("breaks the rules", "規則に違反しています")
UNCHECKED = Text("stored; the judge checks it next", "保存しました。採点の際に検査します")


@dataclass(frozen=True)
class Taken:
    """What an upload becomes."""

    entry_id: str
    team_id: int
    account_id: int
    target: str | None
    label: str


def take(
    place: Place,
    session: Session,
    viewer: Viewer,
    moment: Moment,
    received: Received,
    checked: Checked | None,
    taken: Taken,
) -> Entry:
    """Write the entry down; the file is in its place before the transaction ends."""
    _put_in_place(place, received, taken.entry_id)
    state, reason = _state_of(checked)
    entry = Entry(
        id=taken.entry_id,
        contest_id=moment.id,
        team_id=taken.team_id,
        account_id=taken.account_id,
        target_id=taken.target,
        file_name=received.name,
        label=taken.label,
        sha256=received.sha256,
        size=received.size,
        received_at=received.at,
        state=state,
        reason=reason,
        faults=checked.faults if checked is not None and not checked.accepted else None,
        fault_total=checked.total if checked is not None else 0,
    )
    session.add(entry)
    session.flush()
    session.add_all(_steps(entry, place.now()))
    if state != "rejected":
        enqueue(session, kind="judge" if taken.target is None else "attack", entry_id=entry.id)
    record(
        place, session, viewer, "entry.upload", subject=entry.id, contest_id=moment.id, state=state
    )
    return entry


def same_bytes(session: Session, team: Team, sha256: str) -> list[Text]:
    """A remark if the team sent the same bytes before; that is allowed."""
    query = select(Entry.id).where(Entry.team_id == team.id, Entry.sha256 == sha256)
    before = session.scalars(query.order_by(Entry.received_at)).first()
    if before is None:
        return []
    return [
        Text(
            f"your team has already sent exactly this file, as {before}",
            f"チームはまったく同じ内容を以前に提出しています ({before})",
        )
    ]


def _put_in_place(place: Place, received: Received, entry_id: str) -> None:
    if received.id != entry_id:
        final = place.home.inbox.path(entry_id)
        received.path.replace(final)
        sync_folder(final.parent)


def _state_of(checked: Checked | None) -> tuple[str, dict[str, Any] | None]:
    if checked is None:
        return "received", UNCHECKED._asdict()
    return ("queued", None) if checked.accepted else ("rejected", RULES._asdict())


def _steps(entry: Entry, now: datetime) -> list[Step]:
    first = Step(entry_id=entry.id, state="received", at=entry.received_at, reason=None)
    if entry.state == "received":
        return [first]
    return [first, Step(entry_id=entry.id, state=entry.state, at=now, reason=entry.reason)]
