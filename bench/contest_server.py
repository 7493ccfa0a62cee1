"""A contest's server as people run it, its processes in reach: for what kills or loads it.

with ContestServer(home, database) as server:
    server.address, server.processes()        # {"web": 1234, "host-1-1": 1240, …}
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Any

START_SECONDS = 60.0
CHILD = "tokumei.apps.contest.server.process_main"


class ContestServer:
    """`tokumei contest serve`, started again on the same port after it was killed."""

    def __init__(self, home: Path, database: str | None = None, *, workers: int = 2) -> None:
        self._home = home
        self._database = database
        self._workers = workers
        self._port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.organiser_code: str | None = None

    def __enter__(self) -> ContestServer:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it; the port of a killed one may be held for a moment by what it left."""
        until = time.monotonic() + START_SECONDS
        while not self._quasi_steps():
            if time.monotonic() > until:
                raise RuntimeError("the server did not start")
            time.sleep(0.2)

    def _quasi_steps(self) -> bool:
        options = ["--port", str(self._port), "--workers", str(self._workers), "--json"]
        options += ["--database", self._database] if self._database else []
        command = [sys.executable, "-m", "tokumei", "contest", "serve", str(self._home), *options]
        with (self._home.parent / f"{self._home.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, env=_environment()
            )
        assert self._process.stdout is not None
        told = _first_json(self._process.stdout)
        if not told.get("ok"):
            self._process.wait()
            return False
        self.address = told["address"]
        self.organiser_code = told["organiser_code"] or self.organiser_code
        self._port = int(self.address.rpartition(":")[2])
        return True

    def processes(self) -> dict[str, int]:
        """The web process and the workers that run now, by name."""
        assert self._process is not None
        found = {}
        for number in _children(self._process.pid):
            words = _command(number)
            if CHILD in words:
                kind, _, name = words[words.index(CHILD) + 1 :][:3]
                found["web" if kind == "web" else name] = number
        return found

    def kill(self) -> None:
        """Kill the supervisor itself; its processes notice and end."""
        assert self._process is not None
        self._process.kill()
        self._end()

    def stop(self) -> None:
        """End it as a user would."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
        self._end()

    def _end(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.wait()
            self._process.stdout.close()


def _first_json(stream: IO[bytes]) -> dict[str, Any]:
    """The first object that is printed; empty if there is none."""
    text = b""
    while line := stream.readline():
        text += line
        if line.startswith(b"}"):
            break
    found: dict[str, Any] = json.loads(text or b"{}")
    return found


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "LANG": "C.UTF-8"}


def _children(parent: int) -> list[int]:
    try:
        listed = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in listed.split()]


def _command(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8").split("\0")
    except OSError:
        return []
