"""A contest's server as a process of its own, started by its command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.waiting import HUNG_SECONDS


@dataclass
class Served:
    """A running server and what it announced."""

    process: subprocess.Popen[str]
    address: str
    code: str | None

    def children(self) -> dict[str, int]:
        """The supervised processes: web or the worker's name → pid."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                command = (folder / "cmdline").read_text().split("\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == self.process.pid and "tokumei.apps.contest.server.process_main" in command:
                at = command.index("tokumei.apps.contest.server.process_main")
                kind, _, last = command[at + 1 : at + 4]
                found["web" if kind == "web" else last] = int(folder.name)
        return found


@contextmanager
def served(home: Path, *options: str, **environment: str) -> Iterator[Served]:
    """The server of a home on a free port; it must end cleanly with the block."""
    command = [sys.executable, "-m", "tokumei", "contest", "serve", str(home)]
    command += ["--port", "0", "--json", *options]
    env = {**os.environ, "LANG": "C.UTF-8", **environment}
    with started(command, home.parent / f"{home.name}.log", env=env) as server:
        yield server


@contextmanager
def started(
    command: list[str],
    told_in: Path,
    *,
    env: Mapping[str, str] | None = None,
    **process_options: Any,
) -> Iterator[Served]:
    """The server that a command with `--json` starts; it must end cleanly with the block."""
    with (
        told_in.open("w+") as log,
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=env or {**os.environ, "LANG": "C.UTF-8"},
            **process_options,
        ) as process,
    ):
        try:
            found = document(process)
            yield Served(process, found["address"], found["organiser_code"])
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(HUNG_SECONDS)
            log.seek(0)
            told = log.read()
    assert code == 0, told
    assert "Traceback" not in told, told


def document(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The one JSON document, which ends with a closing bracket of its own."""
    assert process.stdout is not None
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith("}"):
            return dict(json.loads(text))
    raise AssertionError("the server did not start")
