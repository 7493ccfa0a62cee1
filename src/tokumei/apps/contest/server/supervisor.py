"""Supervises the processes of a server until it is stopped.

    serve_home(Path("contest"), announce=print)          # StartedServer(address, organiser code)

A supervisor keeps its processes running: whatever dies is started again, and all end together.
One that ends with code 2 (wrong usage or input) would do so again: then all end. Every process
holds the reading end of a pipe as its stdin; when the supervisor is gone, even killed, it sees the
end of it (`exit_with_parent`). The supervisor holds the listening socket, so that connections wait,
and are not refused, while the web process is started again.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname, socket
from types import FrameType

from tokumei.apps.contest.store.file_store import hold_lock_file
from tokumei.apps.contest.store.server_home import (
    DATABASE_VARIABLE,
    SHARED_MODE,
    ServerSettings,
    load_settings,
)
from tokumei.apps.http.server import browser_address, open_listening_socket
from tokumei.core.errors import UsageError
from tokumei.core.json_types import JsonObject
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import require_server_platform, stop_signals
from tokumei.core.python_processes import child_environment, python_command

POLL_SECONDS = 0.1
HEALTHY_SECONDS = 10.0
"""A process that lived so long did start well."""
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
STOP_SECONDS = 20.0
"""Seconds that processes have to end by themselves."""
USAGE_EXIT_CODE = 2
LOCK_FILE = "server.lock"


@dataclass
class ManagedProcess:
    """A process to keep running."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] | None = None
    descriptors: tuple[int, ...] = ()
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    quick_deaths: int = 0
    due: float = 0.0
    """When to start it (again), by the monotonic clock."""

    def start(self) -> None:
        """Start it in a session of its own: Ctrl+C reaches only the supervisor."""
        self.process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            env=self.environment,
            pass_fds=self.descriptors,
            start_new_session=True,
        )
        self.started = time.monotonic()

    def ended(self) -> int | None:
        """The exit code if it just ended; says when to start it again."""
        if self.process is None or self.process.poll() is None:
            return None
        code = self.process.returncode
        self._close_stdin()
        now = time.monotonic()
        self.quick_deaths = 0 if now - self.started >= HEALTHY_SECONDS else self.quick_deaths + 1
        delay = FIRST_DELAY * 2 ** (self.quick_deaths - 2) if self.quick_deaths > 1 else 0.0
        self.due = now + min(delay, LONGEST_DELAY)
        return code

    def stop(self, until: float) -> None:
        """Wait for it to end, not longer than `until`."""
        if self.process is None:
            return
        try:
            self.process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._close_stdin()

    def _close_stdin(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None


class Supervisor:
    """Starts its parts, watches them, ends them."""

    def __init__(
        self,
        parts: Sequence[ManagedProcess],
        *,
        tell: Callable[[str, int], None] = lambda name, code: None,
        patience: float = STOP_SECONDS,
    ) -> None:
        self._processes = list(parts)
        self._report_exit = tell
        self._stop_seconds = patience
        self._stopping = threading.Event()
        self._exit_code = 0

    def run(self) -> int:
        """Run until stopped; the exit code: 0, or 2 if a part cannot run at all."""
        before = {number: signal.signal(number, self._on_signal) for number in stop_signals()}
        try:
            while not self._stopping.is_set():
                self._check_processes()
                self._stopping.wait(POLL_SECONDS)
        finally:
            self._stop_processes()
            for number, handler in before.items():
                signal.signal(number, handler)
        return self._exit_code

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopping.set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.stop()

    def _check_processes(self) -> None:
        for part in self._processes:
            code = part.ended()
            if code == USAGE_EXIT_CODE:
                self._exit_code = USAGE_EXIT_CODE
                self.stop()
                return
            if code is not None:
                self._report_exit(part.name, code)
            if part.process is None and time.monotonic() >= part.due:
                part.start()

    def _stop_processes(self) -> None:
        for part in self._processes:
            if part.process is not None and part.process.poll() is None:
                part.process.terminate()
        until = time.monotonic() + self._stop_seconds
        for part in self._processes:
            part.stop(until)


@dataclass(frozen=True)
class StartedServer:
    """What an organiser needs to know at the start."""

    address: str
    public: bool
    """Whether other machines reach it."""
    organiser_code: str | None
    """Makes who registers with it an organiser; only shown when there is none yet."""
    stop: Callable[[], None]
    """Ends the server."""

    def as_json(self) -> JsonObject:
        """The same as plain data."""
        return {"ok": True, "address": self.address, "organiser_code": self.organiser_code}


def serve_home(
    home: Path, *, announce: Callable[[StartedServer], None], **overrides: object
) -> int:
    """Prepare the home if need be, serve until stopped; the exit code."""
    require_server_platform()
    settings = load_settings(home, **overrides)
    with open_listening_socket(settings.host, settings.port) as listener, hold_server_lock(home):
        code = _prepare_home(home, settings)
        loopback = listener.getsockname()[0] in ("127.0.0.1", "::1")
        supervisor = Supervisor(build_processes(home, settings, listener), tell=_report_exit)
        address = settings.public_url or browser_address(listener)
        announce(StartedServer(address, not loopback, code, supervisor.stop))
        return supervisor.run()


@contextmanager
def hold_server_lock(home: Path) -> Iterator[None]:
    """Hold a home on this machine; a killed server holds nothing."""
    home.mkdir(parents=True, exist_ok=True, mode=SHARED_MODE)
    already_running = UsageError(
        "a server is already running on {home}; stop it first, or take another folder", home=home
    )
    with hold_lock_file(home / LOCK_FILE, already_running):
        yield


def build_processes(home: Path, settings: ServerSettings, listener: socket) -> list[ManagedProcess]:
    """The processes of a server."""
    child = python_command("tokumei.apps.contest.server.process_main")
    # Not in the arguments, which everybody on the machine can read.
    environment = {**child_environment(), DATABASE_VARIABLE: settings.database}
    descriptor = listener.fileno()
    web = ManagedProcess(
        "web", [*child, "web", str(home), str(descriptor)], environment, (descriptor,)
    )
    # A worker started again under its name takes up what it left.
    names = [f"{gethostname()[:40]}-{os.getpid()}-{n}" for n in range(1, settings.workers + 1)]
    workers = [
        ManagedProcess(name, [*child, "worker", str(home), name], environment) for name in names
    ]
    return [web, *workers]


def _report_exit(name: str, code: int) -> None:
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}Z"
    print(
        now,
        Message("{name} ended ({code}); started again", name=name, code=code).show(),
        file=sys.stderr,
        flush=True,
    )


def _prepare_home(home: Path, settings: ServerSettings) -> str | None:
    """Make folders and tables; a code for the first organiser if there is none yet."""
    from tokumei.apps.contest.services.accounts import first_organiser_code
    from tokumei.apps.contest.services.context import open_app_context
    from tokumei.apps.contest.store.server_home import prepare_home

    prepare_home(home, settings)
    with closing(open_app_context(home, settings=settings)) as context:
        return first_organiser_code(context)
