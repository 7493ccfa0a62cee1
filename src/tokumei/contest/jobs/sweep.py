"""What workers look after now and then: leases that are over, and the inbox.

    watch(home, database)

Uploads go to the vault also when they were rejected at once and no job is about them. An upload
without an entry is what a killed web process left before it answered; after an hour it is removed,
and so are exports that were not sent to their end.
"""

from __future__ import annotations

import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy import select

from tokumei.contest.jobs.queue import take_back_expired
from tokumei.contest.jobs.results import move
from tokumei.contest.store.database import Database
from tokumei.contest.store.home import Home
from tokumei.contest.store.tables import Entry
from tokumei.core.errors import TokumeiError
from tokumei.core.text import Text

INTERRUPTED = Text("the worker was interrupted", "ワーカーが中断されました")
KEEP_SECONDS = 3600.0
LEAST_FREE = 64 << 20


def has_space(home: Home) -> bool:
    """Whether a judgement could be written; with a full disk no job is taken."""
    return shutil.disk_usage(home.path).free >= LEAST_FREE


def watch(home: Home, database: Database) -> None:
    """Put back what nobody works on, and empty the inbox."""
    with database.write() as session:
        for entry_id in take_back_expired(session):
            move(session, entry_id, "queued", reason=INTERRUPTED)
    _empty_inbox(home, database)
    _remove_old(home.vault().work)
    _remove_exports(home.path / "scratch")


def _empty_inbox(home: Home, database: Database) -> None:
    waiting = home.inbox.waiting()
    with database.read() as session:
        asked = select(Entry.id, Entry.sha256).where(Entry.id.in_(waiting))
        known = {entry_id: sha256 for entry_id, sha256 in session.execute(asked)}
    for entry_id in waiting:
        if entry_id in known:
            _take(home, entry_id, known[entry_id])
        elif home.inbox.age(entry_id) > KEEP_SECONDS:
            home.inbox.discard(entry_id)
    home.inbox.remove_unfinished(older_than=KEEP_SECONDS)


def _take(home: Home, entry_id: str, sha256: str) -> None:
    try:
        home.vault().take(home.inbox, entry_id, sha256)
    except TokumeiError as error:  # its own judgement will say so; the others must go on
        print(error, file=sys.stderr, flush=True)


def _remove_old(work: Path) -> None:
    """Remove what killed judgements left."""
    for path in work.iterdir():
        with suppress(FileNotFoundError):  # another worker does the same
            if path.is_dir() and time.time() - path.stat().st_mtime > KEEP_SECONDS:
                shutil.rmtree(path, ignore_errors=True)


def _remove_exports(scratch: Path) -> None:
    """Remove what was made for a browser that left before it had all of it."""
    for path in scratch.glob("export-*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > KEEP_SECONDS:
                path.unlink()
