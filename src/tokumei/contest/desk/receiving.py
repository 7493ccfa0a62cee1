"""From the first byte of an upload to its entry.

    with Spool(place, "A.csv", most_bytes=20_000_000) as spool:
        spool.write(chunk)              # TooLargeUpload (413) when it gets too much
        received = spool.finish()       # or nothing is left of it

Files go straight to disk. An upload that is allowed becomes an entry (`take`): rows, steps and a
job, in one transaction.
"""

from __future__ import annotations

import hmac
import shutil
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.contest.desk.moment import record
from tokumei.contest.desk.names import file_name, new_id
from tokumei.contest.desk.place import Place, Viewer
from tokumei.contest.jobs.checker import Checked
from tokumei.contest.jobs.queue import enqueue
from tokumei.contest.store.files import Receiving, Stored
from tokumei.contest.store.tables import Entry, Step, Team
from tokumei.core.platform_support import sync_folder
from tokumei.core.text import Text

CHUNK = 1 << 16
RULES = Text("breaks the rules", "規則に違反しています")
UNCHECKED = Text("stored; the judge checks it next", "保存しました。採点の際に検査します")


@dataclass(frozen=True)
class Received(Stored):
    """A file that has arrived completely; `at` is when (UTC without a zone)."""

    id: str
    name: str
    at: datetime

    def discard(self) -> None:
        """Remove it, if it is still there."""
        self.path.unlink(missing_ok=True)


class Spool(Receiving):
    """A file on its way in."""

    def __init__(self, place: Place, name: str, *, most_bytes: int) -> None:
        self._place, self._id, self._name = place, new_id(), file_name(name)
        super().__init__(place.home.inbox.path(self._id), most_bytes)

    def finish(self) -> Received:
        """The whole file."""
        kept = self.keep()
        return Received(**vars(kept), id=self._id, name=self._name, at=self._place.now())


def receive_file(place: Place, stream: BinaryIO, name: str, *, most_bytes: int) -> Received:
    """A file that can be read."""
    with Spool(place, name, most_bytes=most_bytes) as spool:
        while chunk := stream.read(CHUNK):
            spool.write(chunk)
        return spool.finish()


def pack(place: Place, files: Sequence[Received], *, most_bytes: int) -> Received:
    """Several files as one zip, in the order given; the single ones are gone then.

    The same files give the same bytes, whenever they come: an upload may be sent again.
    """
    with Spool(place, "guess.zip", most_bytes=most_bytes) as spool:
        with zipfile.ZipFile(spool, "w") as archive:
            for file in files:
                named = zipfile.ZipInfo(file.name)
                with (
                    archive.open(named, "w", force_zip64=True) as member,
                    file.path.open("rb") as source,
                ):
                    shutil.copyfileobj(source, member, CHUNK)
        packed = spool.finish()
    for file in files:
        file.discard()
    return replace(packed, at=max(file.at for file in files))


def take(
    place: Place,
    session: Session,
    viewer: Viewer,
    team: Team,
    received: Received,
    checked: Checked | None,
    *,
    entry_id: str,
    target: str | None,
    label: str,
) -> None:
    """Write the entry down; the file is in its place before the transaction ends."""
    if received.id != entry_id:
        final = place.home.inbox.path(entry_id)
        received.path.replace(final)
        sync_folder(final.parent)
    state, reason = _state_of(checked)
    entry = Entry(
        id=entry_id,
        contest_id=team.contest_id,
        team_id=team.id,
        account_id=viewer.require_account(),
        target_id=target,
        file_name=received.name,
        label=label,
        sha256=received.sha256,
        size=received.size,
        received_at=received.at,
        state=state,
        reason=reason,
        faults=checked.faults if checked is not None and not checked.accepted else None,
        fault_total=checked.total if checked is not None else 0,
        address=_fingerprint(place, viewer.address),
    )
    session.add(entry)
    session.flush()
    session.add_all(_steps(entry, place.now()))
    if state != "rejected":
        enqueue(session, kind="judge" if target is None else "attack", entry_id=entry_id)
    contest, subject = team.contest_id, entry_id
    record(place, session, viewer, "entry.upload", subject=subject, contest_id=contest, state=state)


def _fingerprint(place: Place, address: str) -> str | None:
    """Only good for seeing that two uploads came from one address."""
    if not address:
        return None
    return hmac.new(place.key, address.encode(), "sha256").hexdigest()[:16]


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


def _state_of(checked: Checked | None) -> tuple[str, dict[str, Any] | None]:
    if checked is None:
        return "received", UNCHECKED._asdict()
    return ("queued", None) if checked.accepted else ("rejected", RULES._asdict())


def _steps(entry: Entry, now: datetime) -> list[Step]:
    first = Step(entry_id=entry.id, state="received", at=entry.received_at, reason=None)
    if entry.state == "received":
        return [first]
    return [first, Step(entry_id=entry.id, state=entry.state, at=now, reason=entry.reason)]
