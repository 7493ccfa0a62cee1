"""Receives an upload and turns it into an entry.

    with UploadSpool(place, "A.csv", most_bytes=20_000_000) as spool:
        spool.write(chunk)              # TooLargeUpload (413) when it gets too much
        received = spool.finish()       # or nothing is left of it

Files go straight to disk. An upload that is allowed becomes an entry (`take`): rows, steps and a
job, in one transaction.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import BinaryIO

from sqlalchemy import select
from sqlalchemy.orm import Session

from tokumei.apps.contest.jobs.queue import enqueue
from tokumei.apps.contest.jobs.upload_checker import RuleCheckResult
from tokumei.apps.contest.services.contest_state import record_audit
from tokumei.apps.contest.services.context import AppContext, Viewer
from tokumei.apps.contest.services.validation import clean_file_name, generate_id
from tokumei.apps.contest.store.database import MessageColumn
from tokumei.apps.contest.store.file_store import FileReceiver, StoredFile
from tokumei.apps.contest.store.tables import ContestEntry, EntryStateChange, Team
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import sync_folder
from tokumei.files.archives import open_archive

CHUNK = 1 << 16
RULES_BROKEN_MESSAGE = Message("the file breaks the rules")
UNCHECKED_MESSAGE = Message("the file is stored; the judge checks it next")


@dataclass(frozen=True)
class ReceivedFile(StoredFile):
    """A file that has arrived completely; `at` is when (UTC without a zone)."""

    id: str
    name: str
    at: datetime

    def discard(self) -> None:
        """Remove it, if it is still there."""
        self.path.unlink(missing_ok=True)


class UploadSpool(FileReceiver):
    """A file on its way in."""

    def __init__(self, context: AppContext, name: str, *, most_bytes: int) -> None:
        self._context, self._id, self._name = context, generate_id(), clean_file_name(name)
        super().__init__(context.home.inbox.path(self._id), most_bytes)

    def finish(self) -> ReceivedFile:
        """The whole file."""
        stored = self.keep()
        return ReceivedFile(**vars(stored), id=self._id, name=self._name, at=self._context.now())


def receive_file(
    context: AppContext, stream: BinaryIO, name: str, *, most_bytes: int
) -> ReceivedFile:
    """A file that can be read."""
    with UploadSpool(context, name, most_bytes=most_bytes) as spool:
        while chunk := stream.read(CHUNK):
            spool.write(chunk)
        return spool.finish()


def pack_files(
    context: AppContext, files: Sequence[ReceivedFile], *, most_bytes: int
) -> ReceivedFile:
    """Several files as one zip, in the order given; the single ones are gone then.

    The same files give the same bytes, whenever they come: an upload may be sent again.
    """
    with UploadSpool(context, "guess.zip", most_bytes=most_bytes) as spool:
        with open_archive(spool, compressed=False) as archive:
            for file in files:
                archive.add_file(file.name, file.path)
        packed = spool.finish()
    for file in files:
        file.discard()
    return replace(packed, at=max(file.at for file in files))


def create_entry(
    context: AppContext,
    session: Session,
    viewer: Viewer,
    team: Team,
    received: ReceivedFile,
    checked: RuleCheckResult | None,
    *,
    entry_id: str,
    target: str | None,
    label: str,
) -> None:
    """Write the entry down; the file is in its place before the transaction ends."""
    if received.id != entry_id:
        final = context.home.inbox.path(entry_id)
        received.path.replace(final)
        sync_folder(final.parent)
    state, reason = _initial_state(checked)
    entry = ContestEntry(
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
        address=_address_fingerprint(context, viewer.address),
    )
    session.add(entry)
    session.flush()
    session.add_all(_initial_state_changes(entry, context.now()))
    if state != "rejected":
        enqueue(session, kind="judge" if target is None else "attack", entry_id=entry_id)
    contest, subject = team.contest_id, entry_id
    record_audit(
        context, session, viewer, "entry.upload", subject=subject, contest_id=contest, state=state
    )


def _address_fingerprint(context: AppContext, address: str) -> str | None:
    """Only good for seeing that two uploads came from one address."""
    if not address:
        return None
    return hmac.new(context.key, address.encode(), "sha256").hexdigest()[:16]


def duplicate_upload_notes(session: Session, team: Team, sha256: str) -> list[Message]:
    """A remark if the team sent the same bytes before; that is allowed."""
    query = select(ContestEntry.id).where(
        ContestEntry.team_id == team.id, ContestEntry.sha256 == sha256
    )
    before = session.scalars(query.order_by(ContestEntry.received_at)).first()
    if before is None:
        return []
    return [Message("your team has already sent exactly this file, as {before}", before=before)]


def _initial_state(checked: RuleCheckResult | None) -> tuple[str, MessageColumn | None]:
    if checked is None:
        return "received", UNCHECKED_MESSAGE.texts()
    return ("queued", None) if checked.accepted else ("rejected", RULES_BROKEN_MESSAGE.texts())


def _initial_state_changes(entry: ContestEntry, now: datetime) -> list[EntryStateChange]:
    first = EntryStateChange(entry_id=entry.id, state="received", at=entry.received_at, reason=None)
    if entry.state == "received":
        return [first]
    return [
        first,
        EntryStateChange(entry_id=entry.id, state=entry.state, at=now, reason=entry.reason),
    ]
