"""A whole server of one home, until it is stopped.

    serve_home(Path("contest"), announce=print)          # Started(address, organiser code)

A supervisor keeps its processes running: whatever dies is started again, and all end together.
One that ends with code 2 (wrong usage or input) would do so again: then all end. Every process
holds the reading end of a pipe as its stdin; when the supervisor is gone, even killed, it sees the
end of it (`end_with_parent`). The supervisor holds the listening socket, so that connections wait,
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
from typing import Any

from tokumei.contest.store.files import held_alone
from tokumei.contest.store.home import DATABASE_VARIABLE, SHARED, Settings, settings_of
from tokumei.core.errors import UsageError
from tokumei.core.platform_support import require_server_system, stop_signals
from tokumei.core.processes import python_command, python_environment
from tokumei.core.text import Text
from tokumei.http.serving import address_of, listening

LOOK_SECONDS = 0.1
LONG_ENOUGH = 10.0
"""A process that lived so long did start well."""
FIRST_DELAY, LONGEST_DELAY = 0.25, 10.0
PATIENCE = 20.0
"""Seconds that processes have to end by themselves."""
USAGE = 2
LOCK = "server.lock"


@dataclass
class Part:
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
        self._close()
        now = time.monotonic()
        self.quick_deaths = 0 if now - self.started >= LONG_ENOUGH else self.quick_deaths + 1
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
        self._close()

    def _close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None


class Supervisor:
    """Starts its parts, watches them, ends them."""

    def __init__(
        self,
        parts: Sequence[Part],
        *,
        tell: Callable[[str, int], None] = lambda name, code: None,
        patience: float = PATIENCE,
    ) -> None:
        self._parts = list(parts)
        self._tell = tell
        self._patience = patience
        self._stopping = threading.Event()
        self._code = 0

    def run(self) -> int:
        """Run until stopped; the exit code: 0, or 2 if a part cannot run at all."""
        before = {number: signal.signal(number, self._on_signal) for number in stop_signals()}
        try:
            while not self._stopping.is_set():
                self._look()
                self._stopping.wait(LOOK_SECONDS)
        finally:
            self._end()
            for number, handler in before.items():
                signal.signal(number, handler)
        return self._code

    def stop(self) -> None:
        """Make `run` return soon."""
        self._stopping.set()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.stop()

    def _look(self) -> None:
        for part in self._parts:
            code = part.ended()
            if code == USAGE:
                self._code = USAGE
                self.stop()
                return
            if code is not None:
                self._tell(part.name, code)
            if part.process is None and time.monotonic() >= part.due:
                part.start()

    def _end(self) -> None:
        for part in self._parts:
            if part.process is not None and part.process.poll() is None:
                part.process.terminate()
        until = time.monotonic() + self._patience
        for part in self._parts:
            part.stop(until)


@dataclass(frozen=True)
class Started:
    """What an organiser needs to know at the start."""

    address: str
    public: bool
    """Whether other machines reach it."""
    organiser_code: str | None
    """Makes who registers with it an organiser; only shown when there is none yet."""
    stop: Callable[[], None]
    """Ends the server."""

    def as_json(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"ok": True, "address": self.address, "organiser_code": self.organiser_code}


def serve_home(home: Path, *, announce: Callable[[Started], None], **given: Any) -> int:
    """Prepare the home if need be, serve until stopped; the exit code."""
    require_server_system()
    settings = settings_of(home, **given)
    with listening(settings.host, settings.port) as taken, only_server(home):
        code = _prepare(home, settings)
        loopback = taken.getsockname()[0] in ("127.0.0.1", "::1")
        supervisor = Supervisor(parts_of(home, settings, taken), tell=_tell)
        address = settings.public_url or address_of(taken)
        announce(Started(address, not loopback, code, supervisor.stop))
        return supervisor.run()


@contextmanager
def only_server(home: Path) -> Iterator[None]:
    """Hold a home on this machine; a killed server holds nothing."""
    home.mkdir(parents=True, exist_ok=True, mode=SHARED)
    taken = UsageError(
        f"a server runs on {home} already; stop it first, or take another folder",
        f"{home} ではすでにサーバーが動いています。先に停止するか、別のフォルダを指定してください",
    )
    with held_alone(home / LOCK, taken):
        yield


def parts_of(home: Path, settings: Settings, taken: socket) -> list[Part]:
    """The processes of a server."""
    child = python_command("tokumei.contest.server.child")
    # Not in the arguments, which everybody on the machine can read.
    environment = {**python_environment(), DATABASE_VARIABLE: settings.database}
    number = taken.fileno()
    web = Part("web", [*child, "web", str(home), str(number)], environment, (number,))
    # A worker started again under its name takes up what it left.
    names = [f"{gethostname()[:40]}-{os.getpid()}-{n}" for n in range(1, settings.workers + 1)]
    workers = [Part(name, [*child, "worker", str(home), name], environment) for name in names]
    return [web, *workers]


def _tell(name: str, code: int) -> None:
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}Z"
    print(
        now,
        Text(
            f"{name} ended ({code}); started again", f"{name} が終了 ({code})。再起動します"
        ).show(),
        file=sys.stderr,
        flush=True,
    )


def _prepare(home: Path, settings: Settings) -> str | None:
    """Make folders and tables; a code for the first organiser if there is none yet."""
    from tokumei.contest.desk.accounts import first_organiser_code
    from tokumei.contest.desk.place import open_place
    from tokumei.contest.store.home import prepare_home

    prepare_home(home, settings)
    with closing(open_place(home, settings=settings)) as place:
        return first_organiser_code(place)
