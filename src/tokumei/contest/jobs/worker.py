"""A worker: takes jobs from the queue and judges, until it is told to stop.

    run_worker(Path("home"), "host-1")       # returns 0 after SIGTERM or SIGINT

Killed at any moment it loses nothing: what it held is taken back when a worker of its name starts
again, or when its lease is over. What it stores before it finishes a job is named by content.

Now and then it looks after leases that are over, and the inbox: uploads go to the vault also when
they were rejected at once and no job is about them. An upload without an entry is what a killed web
process left before it answered; after an hour it is removed, and so are exports that were not sent
to their end.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import FrameType

from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from tokumei.contest.jobs.judge_process import FACTORY, Judging
from tokumei.contest.jobs.judgement import Judgement, conclude, fail, move, plan, put_back
from tokumei.contest.jobs.queue import Lease, extend, lease_next, take_back_expired, take_back_own
from tokumei.contest.store.database import Database
from tokumei.contest.store.files import held_alone
from tokumei.contest.store.home import Home, Settings, open_home
from tokumei.contest.store.tables import Entry
from tokumei.core.errors import OutputError, TokumeiError, UsageError
from tokumei.core.platform_support import require_server_system
from tokumei.core.text import Text

LOG = logging.getLogger("tokumei.contest.worker")
INTERRUPTED = Text("the worker was interrupted", "ワーカーが中断されました")
KEEP_SECONDS = 3600.0
LEAST_FREE = 64 << 20
POLL_SECONDS = 0.5
WATCH_SECONDS = 5.0
NICE = 10
"""Pages stay quick while judgements run."""


def has_space(home: Home) -> bool:
    """Whether a judgement could be written; with a full disk no job is taken."""
    return shutil.disk_usage(home.path).free >= LEAST_FREE


def watch(home: Home, database: Database) -> None:
    """Put back what nobody works on, and empty the inbox."""
    with database.write() as session:
        for entry_id in take_back_expired(session):
            move(session, entry_id, "queued", reason=INTERRUPTED)
    _empty_inbox(home, database)
    _remove_old(path for path in home.vault().work.iterdir() if path.is_dir())
    _remove_old((home.path / "scratch").glob("export-*"))


def _empty_inbox(home: Home, database: Database) -> None:
    waiting = home.inbox.waiting()
    with database.read() as session:
        asked = select(Entry.id, Entry.sha256).where(Entry.id.in_(waiting))
        known = {entry_id: sha256 for entry_id, sha256 in session.execute(asked)}
    for entry_id in waiting:
        if entry_id in known:
            try:
                home.vault().take(home.inbox, entry_id, known[entry_id])
            except TokumeiError as error:  # its own judgement will say so; the others must go on
                LOG.warning("%s", error)
        elif home.inbox.age(entry_id) > KEEP_SECONDS:
            home.inbox.discard(entry_id)
    home.inbox.remove_unfinished(older_than=KEEP_SECONDS)


def _remove_old(paths: Iterable[Path]) -> None:
    """Remove what killed judgements left, and exports for browsers that left before the end."""
    for path in paths:
        with suppress(FileNotFoundError):  # another worker does the same
            if time.time() - path.stat().st_mtime <= KEEP_SECONDS:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def run_worker(
    path: Path, name: str | None = None, *, settings: Settings | None = None, factory: str = FACTORY
) -> int:
    """Work until stopped; names of workers that run at once must differ."""
    require_server_system()
    home = open_home(path, settings)
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    os.nice(NICE)
    chosen = name or f"{socket.gethostname()}-1"
    taken = UsageError(
        f"a worker named {chosen} runs already; choose another name with --name",
        f"{chosen} という名前のワーカーが動いています。--name で別の名前にしてください",
    )
    with held_alone(home.vault().work / f"{chosen.replace(os.sep, '-')}.lock", taken):
        Worker(home, chosen, stop=stop, factory=factory).run()
    return 0


class Worker:
    """One worker; `stop` ends it, and its judgement is given back."""

    def __init__(
        self, home: Home, name: str, *, stop: threading.Event, factory: str = FACTORY
    ) -> None:
        self._home = home
        self._name = name
        self._stop = stop
        self._seconds = home.settings.lease_seconds
        self._judging = Judging(factory)
        self._database = home.database()
        self._watched = 0.0

    def run(self) -> None:
        """Work until stopped."""
        try:
            with self._database.write() as session:
                for entry_id in take_back_own(session, self._name):
                    move(session, entry_id, "queued", reason=INTERRUPTED)
            self._judging.start()
            while not self._stop.is_set():
                self._step()
        finally:
            self._home.end(self._name)
            self._judging.close()
            self._database.close()

    def _step(self) -> None:
        try:
            self._watch()
            worked = has_space(self._home) and self.once()
        except (OperationalError, OutputError) as error:
            # The database is away or the disk full for a while: so is all work.
            told = error.orig if isinstance(error, OperationalError) else error
            LOG.error("%s: %s", self._name, str(told).splitlines()[0])
            worked = False
        if not worked:
            self._stop.wait(POLL_SECONDS)

    def _watch(self) -> None:
        if time.monotonic() >= self._watched + WATCH_SECONDS:
            self._watched = time.monotonic()
            watch(self._home, self._database)
            self._alive()

    def _alive(self) -> None:
        self._home.beat(self._name)

    def once(self) -> bool:
        """Do the next job; False if there is none."""
        with self._database.write() as session:
            lease = lease_next(session, owner=self._name, seconds=self._seconds)
            if lease is None:
                return False
            if not lease.run:
                move(session, lease.entry_id, "running")
        try:
            judgement = plan(self._home, self._database, lease)
        except OutputError as error:  # the disk is full: later, then
            put_back(self._database, lease, failed=False, cause=error.message)
        except TokumeiError as error:
            fail(self._database, lease, error.message, error.message)
        else:
            self._judge(lease, judgement)
        return True

    def _judge(self, lease: Lease, judgement: Judgement) -> None:
        hold = _Hold(self._database, lease, self._seconds, self._stop, self._alive)
        ended = self._judging.run(
            judgement.task, wall_seconds=judgement.wall_seconds, tick=hold.tick
        )
        if ended.why == "stopped" and hold.lost:
            return
        conclude(self._home, self._database, lease, judgement, ended)


class _Hold:
    """Keeps a job ours while it is judged."""

    def __init__(
        self,
        database: Database,
        lease: Lease,
        seconds: float,
        stop: threading.Event,
        alive: Callable[[], None] = lambda: None,
    ) -> None:
        self._database, self._lease = database, lease
        self._seconds, self._stop, self._alive = seconds, stop, alive
        self._extended = time.monotonic()
        self.lost = False

    def tick(self, progress: float) -> bool:
        """Go on?"""
        if time.monotonic() - self._extended >= self._seconds / 3:
            self._extend(progress)
        return not (self.lost or self._stop.is_set())

    def _extend(self, progress: float) -> None:
        asked = time.monotonic()
        self._alive()
        try:
            with self._database.write() as session:
                self.lost = not extend(
                    session, self._lease, seconds=self._seconds, progress=progress
                )
            self._extended = asked
        except OperationalError:
            self.lost = asked - self._extended >= self._seconds
