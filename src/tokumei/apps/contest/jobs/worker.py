"""Worker: leases jobs from the queue and judges them until it is stopped.

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

from tokumei.apps.contest.jobs.judge_process import JUDGE_FACTORY, JudgeProcess
from tokumei.apps.contest.jobs.judging_job import (
    JudgingPlan,
    change_entry_state,
    conclude_judgement,
    fail_job,
    plan_judgement,
    requeue_judgement,
)
from tokumei.apps.contest.jobs.queue import (
    Lease,
    extend_lease,
    lease_next_job,
    requeue_expired_jobs,
    requeue_own_jobs,
)
from tokumei.apps.contest.store.database import Database
from tokumei.apps.contest.store.file_store import hold_lock_file
from tokumei.apps.contest.store.server_home import ContestHome, ServerSettings, open_home
from tokumei.apps.contest.store.tables import ContestEntry
from tokumei.core.errors import OutputError, TokumeiError, UsageError
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import require_server_platform

LOG = logging.getLogger("tokumei.contest.worker")
INTERRUPTED_REASON = Message("the worker was interrupted")
STALE_SECONDS = 3600.0
LEAST_FREE = 64 << 20
POLL_SECONDS = 0.5
HOUSEKEEPING_SECONDS = 5.0
NICENESS = 10
"""Pages stay quick while judgements run."""


def has_disk_space(home: ContestHome) -> bool:
    """Whether a judgement could be written; with a full disk no job is taken."""
    return shutil.disk_usage(home.path).free >= LEAST_FREE


def run_housekeeping(home: ContestHome, database: Database) -> None:
    """Put back what nobody works on, and empty the inbox."""
    with database.write() as session:
        for entry_id in requeue_expired_jobs(session):
            change_entry_state(session, entry_id, "queued", reason=INTERRUPTED_REASON)
    _move_inbox_to_vault(home, database)
    _remove_stale_paths(path for path in home.vault().work_folder.iterdir() if path.is_dir())
    _remove_stale_paths((home.path / "scratch").glob("export-*"))


def _move_inbox_to_vault(home: ContestHome, database: Database) -> None:
    waiting = home.inbox.waiting()
    with database.read() as session:
        query = select(ContestEntry.id, ContestEntry.sha256).where(ContestEntry.id.in_(waiting))
        sha256_by_entry = {entry_id: sha256 for entry_id, sha256 in session.execute(query)}
    for entry_id in waiting:
        if entry_id in sha256_by_entry:
            try:
                home.vault().take(home.inbox, entry_id, sha256_by_entry[entry_id])
            except TokumeiError as error:  # its own judgement will say so; the others must go on
                LOG.warning("%s", error)
        elif home.inbox.age(entry_id) > STALE_SECONDS:
            home.inbox.discard(entry_id)
    home.inbox.remove_unfinished(older_than=STALE_SECONDS)


def _remove_stale_paths(paths: Iterable[Path]) -> None:
    """Remove what killed judgements left, and exports for browsers that left before the end."""
    for path in paths:
        with suppress(FileNotFoundError):  # another worker does the same
            if time.time() - path.stat().st_mtime <= STALE_SECONDS:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


def run_worker(
    path: Path,
    name: str | None = None,
    *,
    settings: ServerSettings | None = None,
    factory: str = JUDGE_FACTORY,
) -> int:
    """Work until stopped; names of workers that run at once must differ."""
    require_server_platform()
    home = open_home(path, settings)
    stop = threading.Event()

    def on_signal(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    os.nice(NICENESS)
    worker_name = name or f"{socket.gethostname()}-1"
    already_running = UsageError(
        "a worker named {name} is already running; choose another name with --name",
        name=worker_name,
    )
    with hold_lock_file(
        home.vault().work_folder / f"{worker_name.replace(os.sep, '-')}.lock", already_running
    ):
        Worker(home, worker_name, stop=stop, factory=factory).run()
    return 0


class Worker:
    """One worker; `stop` ends it, and its judgement is given back."""

    def __init__(
        self, home: ContestHome, name: str, *, stop: threading.Event, factory: str = JUDGE_FACTORY
    ) -> None:
        self._home = home
        self._name = name
        self._stop = stop
        self._seconds = home.settings.lease_seconds
        self._judge_process = JudgeProcess(factory)
        self._database = home.database()
        self._housekeeping_at = 0.0

    def run(self) -> None:
        """Work until stopped."""
        try:
            with self._database.write() as session:
                for entry_id in requeue_own_jobs(session, self._name):
                    change_entry_state(session, entry_id, "queued", reason=INTERRUPTED_REASON)
            self._judge_process.start()
            while not self._stop.is_set():
                self._work_once()
        finally:
            self._home.end(self._name)
            self._judge_process.close()
            self._database.close()

    def _work_once(self) -> None:
        try:
            self._run_housekeeping_if_due()
            worked = has_disk_space(self._home) and self.once()
        except (OperationalError, OutputError) as error:
            # The database is away or the disk full for a while: so is all work.
            cause = error.orig if isinstance(error, OperationalError) else error
            LOG.error("%s: %s", self._name, str(cause).splitlines()[0])
            worked = False
        if not worked:
            self._stop.wait(POLL_SECONDS)

    def _run_housekeeping_if_due(self) -> None:
        if time.monotonic() >= self._housekeeping_at + HOUSEKEEPING_SECONDS:
            self._housekeeping_at = time.monotonic()
            run_housekeeping(self._home, self._database)
            self._send_heartbeat()

    def _send_heartbeat(self) -> None:
        self._home.record_heartbeat(self._name)

    def once(self) -> bool:
        """Do the next job; False if there is none."""
        with self._database.write() as session:
            lease = lease_next_job(session, owner=self._name, seconds=self._seconds)
            if lease is None:
                return False
            if not lease.run:
                change_entry_state(session, lease.entry_id, "running")
        try:
            judgement = plan_judgement(self._home, self._database, lease)
        except OutputError as error:  # the disk is full: later, then
            requeue_judgement(self._database, lease, failed=False, cause=error.message)
        except TokumeiError as error:
            fail_job(self._database, lease, error.message, error.message)
        else:
            self._judge_leased_job(lease, judgement)
        return True

    def _judge_leased_job(self, lease: Lease, judgement: JudgingPlan) -> None:
        lease_keeper = _LeaseKeeper(
            self._database, lease, self._seconds, self._stop, self._send_heartbeat
        )
        outcome = self._judge_process.run(
            judgement.task, wall_seconds=judgement.wall_seconds, tick=lease_keeper.tick
        )
        if outcome.why == "stopped" and lease_keeper.lost:
            return
        conclude_judgement(self._home, self._database, lease, judgement, outcome)


class _LeaseKeeper:
    """Keeps a job ours while it is judged."""

    def __init__(
        self,
        database: Database,
        lease: Lease,
        seconds: float,
        stop: threading.Event,
        send_heartbeat: Callable[[], None] = lambda: None,
    ) -> None:
        self._database, self._lease = database, lease
        self._seconds, self._stop, self._send_heartbeat = seconds, stop, send_heartbeat
        self._extended_at = time.monotonic()
        self.lost = False

    def tick(self, progress: float) -> bool:
        """Go on?"""
        if time.monotonic() - self._extended_at >= self._seconds / 3:
            self._extend_lease(progress)
        return not (self.lost or self._stop.is_set())

    def _extend_lease(self, progress: float) -> None:
        asked_at = time.monotonic()
        self._send_heartbeat()
        try:
            with self._database.write() as session:
                self.lost = not extend_lease(
                    session, self._lease, seconds=self._seconds, progress=progress
                )
            self._extended_at = asked_at
        except OperationalError:
            self.lost = asked_at - self._extended_at >= self._seconds
