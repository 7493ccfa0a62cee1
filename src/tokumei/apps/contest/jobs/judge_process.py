"""Runs judges in child processes.

    judging = JudgeProcess(factory)
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

from tokumei.apps.contest.jobs.judge_tasks import (
    ANSWER_FILE,
    CAUSE_FILE,
    LOG_FILE,
    PROGRESS_FILE,
    TRACEBACK_FILE,
    JudgeAnswer,
    JudgeExitCode,
    Task,
)
from tokumei.core.messages import Message
from tokumei.core.portable_system_calls import (
    kill_process_group,
    require_server_platform,
    was_ended_by_signal,
)
from tokumei.core.python_processes import child_environment, python_command

JUDGE_FACTORY = "tokumei.apps.contest.judge.contest_judge:load_judge_from_folder"
CHILD_MODULE = "tokumei.apps.contest.jobs.judge_process_main"
START_SECONDS = 120.0
TICK_SECONDS = 0.25
_THREAD_VARIABLES = ("POLARS_MAX", "OMP_NUM", "OPENBLAS_NUM", "MKL_NUM", "NUMEXPR_NUM")
_LOG_BYTES = 1 << 16
_OUT_OF_MEMORY = (b"memory allocation", b"bad_alloc", b"MemoryError")

FailureKind = Literal[
    "time", "cpu", "memory", "output", "disk", "exception", "contest", "crash", "stopped"
]


@dataclass(frozen=True)
class JudgementOutcome:
    """How a judgement ended: with an answer, or `why` not."""

    answer: JudgeAnswer | None = None
    why: FailureKind | None = None
    where: str = ""
    """For the organiser: what was thrown and where; nothing from a file."""
    files: dict[str, bytes] = field(default_factory=dict, repr=False)
    cause: Message | None = None
    """What is wrong with the contest's own files."""


class JudgeProcess:
    """A process that judges, started when needed and again when it is gone."""

    def __init__(self, factory: str = JUDGE_FACTORY, *, megabytes: int = 0) -> None:
        self._factory = factory
        self._megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None
        self._unread_bytes = b""

    def start(self) -> None:
        """Start the process if none runs; it is ready when its modules are loaded."""
        if self._process is not None and self._process.poll() is None:
            return
        require_server_platform()
        self.close()
        self._process = subprocess.Popen(
            python_command(CHILD_MODULE, self._factory, str(self._megabytes)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_single_thread_environment(),
            start_new_session=True,
        )
        if self._read_answer(time.monotonic() + START_SECONDS) is None:
            self.close()
            raise RuntimeError("the judging process did not start")

    def ask(self, task: Task, *, seconds: float) -> JudgeAnswer | None:
        """The answer to a quick question; None if there is none in time."""
        until = time.monotonic() + seconds
        try:
            self.start()
            if time.monotonic() >= until - seconds / 2:  # the next question finds it ready
                return None
            self._send_line(task.line())
            answer = self._read_answer(until)
        except (OSError, RuntimeError):
            answer = None
        if answer is None:
            self.close()
        return answer

    def run(
        self, task: Task, *, wall_seconds: float, tick: Callable[[float], bool] = lambda share: True
    ) -> JudgementOutcome:
        """Judge into the folder `task.out`, which is new; `tick(progress)` may end it."""
        out = Path(task.out)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(mode=0o700)
        try:
            self.start()
            self._send_line(task.line())
            return self._await_outcome(out, time.monotonic() + wall_seconds, tick)
        except OSError:
            return JudgementOutcome(why="crash")
        finally:
            shutil.rmtree(out, ignore_errors=True)

    def close(self) -> None:
        """End the process; whatever it judges ends with it."""
        process, self._process, self._unread_bytes = self._process, None, b""
        if process is None or process.stdin is None or process.stdout is None:
            return
        with suppress(OSError):
            process.stdin.close()
        with suppress(ProcessLookupError):
            kill_process_group(process.pid)
        process.wait()
        process.stdout.close()

    def _await_outcome(
        self, out: Path, until: float, tick: Callable[[float], bool]
    ) -> JudgementOutcome:
        while time.monotonic() < until:
            answer = self._read_answer(min(until, time.monotonic() + TICK_SECONDS))
            if answer is not None:
                return _read_outcome(out, answer["status"])
            if self._process is None or self._process.poll() is not None:
                self.close()
                return JudgementOutcome(why="crash")
            if not tick(_read_progress(out)):
                return self._kill_judgement("stopped")
        return self._kill_judgement("time")

    def _kill_judgement(self, why: FailureKind) -> JudgementOutcome:
        self._send_line(b"kill\n")
        if self._read_answer(time.monotonic() + START_SECONDS / 10) is None:
            self.close()
        return JudgementOutcome(why=why)

    def _send_line(self, line: bytes) -> None:
        if self._process is None or self._process.stdin is None:
            raise BrokenPipeError
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def _read_answer(self, until: float) -> JudgeAnswer | None:
        """The next line; None if none comes in time or the process is gone."""
        if self._process is None or self._process.stdout is None:
            return None
        stdout = self._process.stdout.fileno()
        while b"\n" not in self._unread_bytes:
            left = until - time.monotonic()
            if left <= 0 or not _wait_readable(stdout, left):
                return None
            more = os.read(stdout, 1 << 20)
            if not more:
                return None
            self._unread_bytes += more
        line, _, self._unread_bytes = self._unread_bytes.partition(b"\n")
        answer: JudgeAnswer = json.loads(line)
        return answer


def _wait_readable(descriptor: int, seconds: float) -> bool:
    """Whether something comes in time; `select` knows no descriptor above 1023."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(math.ceil(1000 * seconds)))


def _single_thread_environment() -> dict[str, str]:
    """One thread per library, and the modules of this process."""
    return child_environment() | {f"{library}_THREADS": "1" for library in _THREAD_VARIABLES}


def _read_progress(out: Path) -> float:
    try:
        return float((out / PROGRESS_FILE).read_text(encoding="ascii") or 0)
    except (OSError, ValueError):
        return 0.0


def _read_outcome(out: Path, status: int) -> JudgementOutcome:
    if status == JudgeExitCode.ANSWERED:
        answer = json.loads((out / ANSWER_FILE).read_text(encoding="utf-8"))
        paths = (out / name for name in ("public", "truth", "sketch"))
        return JudgementOutcome(
            answer, files={path.name: path.read_bytes() for path in paths if path.exists()}
        )
    if status == JudgeExitCode.CONTEST:
        return JudgementOutcome(
            why="contest",
            cause=Message.of_texts(json.loads((out / CAUSE_FILE).read_text(encoding="utf-8"))),
        )
    where = (
        (out / TRACEBACK_FILE).read_text(encoding="utf-8")
        if (out / TRACEBACK_FILE).exists()
        else ""
    )
    return JudgementOutcome(why=_failure_kind(out, status), where=where or f"exit status {status}")


def _failure_kind(out: Path, status: int) -> FailureKind:
    failure_kinds: dict[int, FailureKind] = {
        JudgeExitCode.EXCEPTION: "exception",
        JudgeExitCode.MEMORY: "memory",
        JudgeExitCode.OUTPUT: "output",
        JudgeExitCode.DISK: "disk",
    }
    signals: dict[str, FailureKind] = {"SIGXCPU": "cpu", "SIGXFSZ": "output"}
    for name, why in signals.items():
        if was_ended_by_signal(status, name):
            return why
    if status in failure_kinds:
        return failure_kinds[status]
    return "memory" if any(word in _read_log_tail(out) for word in _OUT_OF_MEMORY) else "crash"


def _read_log_tail(out: Path) -> bytes:
    try:
        with (out / LOG_FILE).open("rb") as stream:
            stream.seek(max(0, (out / LOG_FILE).stat().st_size - _LOG_BYTES))
            return stream.read()
    except FileNotFoundError:
        return b""
