"""Judges in other processes, asked from here.

    judging = Judging(factory)
    ended = judging.run(task, wall_seconds=60, tick=still_mine)   # Ended: an answer, or why none
    judging.ask(check, seconds=5)                                 # quick questions: answer or None

One process with its modules loaded; each `run` is judged in a fork of it, under limits. What goes
wrong is told apart: time, cpu, memory, output, disk, exception, contest (its own files cannot be
used), crash, stopped (`tick` said so).
"""

from __future__ import annotations

import json
import math
import os
import select
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tokumei.contest.jobs.tasks import ANSWER, CAUSE, LOG, PROGRESS, WHERE, Answer, Ending, Task
from tokumei.core.platform_support import ended_by, kill_group, require_server_system
from tokumei.core.processes import python_command, python_environment
from tokumei.core.text import Text

FACTORY = "tokumei.contest.judge.contest_judge:judge_of_folder"
CHILD = "tokumei.contest.jobs.child"
START_SECONDS = 120.0
TICK_SECONDS = 0.25
_THREADS = ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMEXPR_NUM")
_LOG_BYTES = 1 << 16
_OUT_OF_MEMORY = (b"memory allocation", b"bad_alloc", b"MemoryError")

Why = Literal["time", "cpu", "memory", "output", "disk", "exception", "contest", "crash", "stopped"]


@dataclass(frozen=True)
class Ended:
    """How a judgement ended: with an answer, or `why` not."""

    answer: Answer | None = None
    why: Why | None = None
    where: str = ""
    """For the organiser: what was thrown and where; nothing from a file."""
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    cause: Text | None = None
    """What is wrong with the contest's own files."""


class Judging:
    """A process that judges, started when needed and again when it is gone."""

    def __init__(self, factory: str = FACTORY, *, megabytes: int = 0) -> None:
        self._factory = factory
        self._megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def start(self) -> None:
        """Start the process if none runs; it is ready when its modules are loaded."""
        if self._process is not None and self._process.poll() is None:
            return
        require_server_system()
        self.close()
        self._process = subprocess.Popen(
            python_command(CHILD, self._factory, str(self._megabytes)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(),
            start_new_session=True,
        )
        if self._line(time.monotonic() + START_SECONDS) is None:
            self.close()
            raise RuntimeError("the judging process did not start")

    def ask(self, task: Task, *, seconds: float) -> Answer | None:
        """The answer to a quick question; None if there is none in time."""
        until = time.monotonic() + seconds
        try:
            self.start()
            if time.monotonic() >= until - seconds / 2:  # the next question finds it ready
                return None
            self._send(task.line())
            answer = self._line(until)
        except (OSError, RuntimeError):
            answer = None
        if answer is None:
            self.close()
        return answer

    def run(
        self, task: Task, *, wall_seconds: float, tick: Callable[[float], bool] = lambda share: True
    ) -> Ended:
        """Judge into the folder `task.out`, which is new; `tick(progress)` may end it."""
        out = Path(task.out)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(mode=0o700)
        try:
            self.start()
            self._send(task.line())
            return self._wait(out, time.monotonic() + wall_seconds, tick)
        except OSError:
            return Ended(why="crash")
        finally:
            shutil.rmtree(out, ignore_errors=True)

    def close(self) -> None:
        """End the process; whatever it judges ends with it."""
        process, self._process, self._rest = self._process, None, b""
        if process is None or process.stdin is None or process.stdout is None:
            return
        with suppress(OSError):
            process.stdin.close()
        with suppress(ProcessLookupError):
            kill_group(process.pid)
        process.wait()
        process.stdout.close()

    def _wait(self, out: Path, until: float, tick: Callable[[float], bool]) -> Ended:
        while time.monotonic() < until:
            answer = self._line(min(until, time.monotonic() + TICK_SECONDS))
            if answer is not None:
                return _ended(out, answer["status"])
            if self._process is None or self._process.poll() is not None:
                self.close()
                return Ended(why="crash")
            if not tick(_progress(out)):
                return self._stop("stopped")
        return self._stop("time")

    def _stop(self, why: Why) -> Ended:
        self._send(b"kill\n")
        if self._line(time.monotonic() + START_SECONDS / 10) is None:
            self.close()
        return Ended(why=why)

    def _send(self, line: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise BrokenPipeError
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _line(self, until: float) -> Answer | None:
        """The next line; None if none comes in time or the process is gone."""
        if self._process is None or self._process.stdout is None:
            return None
        stdout = self._process.stdout.fileno()
        while b"\n" not in self._rest:
            left = until - time.monotonic()
            if left <= 0 or not _readable(stdout, left):
                return None
            more = os.read(stdout, 1 << 20)
            if not more:
                return None
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        answer: Answer = json.loads(line)
        return answer


def _readable(descriptor: int, seconds: float) -> bool:
    """Whether something comes in time; `select` knows no descriptor above 1023."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(math.ceil(1000 * seconds)))


def _environment() -> dict[str, str]:
    """One thread per library, and the modules of this process."""
    return python_environment() | {f"{library}_THREADS": "1" for library in _THREADS}


def _progress(out: Path) -> float:
    try:
        return float((out / PROGRESS).read_text(encoding="ascii") or 0)
    except (OSError, ValueError):
        return 0.0


def _ended(out: Path, status: int) -> Ended:
    if status == Ending.ANSWERED:
        answer = json.loads((out / ANSWER).read_text(encoding="utf-8"))
        paths = (out / name for name in ("public", "truth", "sketch"))
        return Ended(
            answer, files={path.name: path.read_bytes() for path in paths if path.exists()}
        )
    if status == Ending.CONTEST:
        return Ended(
            why="contest", cause=Text(**json.loads((out / CAUSE).read_text(encoding="utf-8")))
        )
    where = (out / WHERE).read_text(encoding="utf-8") if (out / WHERE).exists() else ""
    return Ended(why=_why(out, status), where=where or f"exit status {status}")


def _why(out: Path, status: int) -> Why:
    known: dict[int, Why] = {
        Ending.EXCEPTION: "exception",
        Ending.MEMORY: "memory",
        Ending.OUTPUT: "output",
        Ending.DISK: "disk",
    }
    signals: dict[str, Why] = {"SIGXCPU": "cpu", "SIGXFSZ": "output"}
    for name, why in signals.items():
        if ended_by(status, name):
            return why
    if status in known:
        return known[status]
    return "memory" if any(word in _log_end(out) for word in _OUT_OF_MEMORY) else "crash"


def _log_end(out: Path) -> bytes:
    try:
        with (out / LOG).open("rb") as stream:
            stream.seek(max(0, (out / LOG).stat().st_size - _LOG_BYTES))
            return stream.read()
    except FileNotFoundError:
        return b""
