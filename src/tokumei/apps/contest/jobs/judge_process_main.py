"""Entry point of the judge's child process.

    python -m tokumei.apps.contest.jobs.judge_process_main MODULE:FUNCTION MEGABYTES

It reads a task per line. FUNCTION(folder) gives the judge of a contest's folder. A task with `out`
is judged in a fork of this process under limits. What modules a fork needed is loaded here after
it, so the next one starts at once. This process only loads the libraries, it never uses them:
their threads would not survive the fork. Other tasks are answered here, within MEGABYTES (0: no
limit) and the task's seconds, and their judges kept. The end of stdin ends everything.
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tokumei.apps.contest.jobs.judge_tasks import (
    MODULES_FILE,
    JudgeAnswer,
    Task,
    describe_error,
    judge_in_fork,
    run_task,
)
from tokumei.core.errors import TokumeiError
from tokumei.core.lazy_imports import load_object
from tokumei.core.portable_system_calls import kill_process_group
from tokumei.core.process_limits import limit_address_space

if TYPE_CHECKING:
    from tokumei.apps.contest.judge.contest_judge import ContestJudge

JudgeFactory = Callable[[Path], "ContestJudge"]
POLL_SECONDS = 0.02
JUDGES_KEPT = 4


def cached_judges(factory: JudgeFactory) -> Callable[[str], ContestJudge]:
    """The judges of some contests are kept; one is loaded again when its folder changed."""

    @lru_cache(maxsize=JUDGES_KEPT)
    def kept(folder: Path, stamp: object) -> ContestJudge:
        return factory(folder)

    def judge_of(folder: str) -> ContestJudge:
        file_stats = ((path.name, path.stat()) for path in sorted(Path(folder).iterdir()))
        stamp = tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in file_stats)
        return kept(Path(folder), stamp)

    return judge_of


def main(name: str, megabytes: int) -> None:
    """Answer tasks until stdin ends."""
    stdin, stdout = sys.stdin.buffer, _reserve_stdout()
    if megabytes:
        limit_address_space(megabytes)
    factory: JudgeFactory = load_object(name)  # and its module's imports
    judge_of = cached_judges(factory)
    _send_answer(stdout, {"ready": True})
    while line := stdin.readline():
        if line == b"kill\n":  # came too late: what it was about has ended
            continue
        task = Task.from_line(line)
        if not task.out:
            _send_answer(stdout, _answer_task(task, judge_of))
            continue
        status = _run_in_fork(task, factory)
        needed = _missing_modules(Path(task.out))
        _send_answer(stdout, status)
        for module in needed:
            with suppress(ImportError):  # an organiser's own file is loaded by each fork
                import_module(module)


def _missing_modules(out: Path) -> list[str]:
    try:
        module_names = (out / MODULES_FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [name for name in module_names if name not in sys.modules]


def _reserve_stdout() -> BinaryIO:
    """Answers go out here; what others print goes to stderr and cannot be taken for one."""
    stdout = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(stdout, "wb")


def _send_answer(stdout: BinaryIO, answer: JudgeAnswer) -> None:
    stdout.write(json.dumps(answer).encode() + b"\n")
    stdout.flush()


def _answer_task(task: Task, judge_of: Callable[[str], ContestJudge]) -> JudgeAnswer:
    signal.alarm(task.cpu_seconds)  # whoever asked may be gone: never work on for nobody
    try:
        return run_task(task, judge_of(task.folder))[0]
    except TokumeiError as error:
        message = describe_error(error, task.folder)
        return {"error": error.as_json() | message.as_json("message")}
    except Exception as error:  # noqa: BLE001 - its message may hold something of the file
        return {"exception": type(error).__name__}
    finally:
        signal.alarm(0)


def _run_in_fork(task: Task, factory: JudgeFactory) -> JudgeAnswer:
    """Judge in a fork; its exit status. Its whole group is gone when this returns."""
    read_end, write_end = (
        os.pipe()
    )  # the fork reads its end: at the end of it, this process is gone
    process = _fork_quietly()
    if not process:
        os.close(write_end)
        judge_in_fork(task, factory, read_end)
    os.close(read_end)
    try:
        status = _wait_for_fork(process)
    finally:
        os.close(write_end)
        _kill_group(process)
    return {"status": os.waitstatus_to_exitcode(status)}


def _fork_quietly() -> int:
    """A fork without the warning of Python 3.12: no thread of a library was ever given work."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*multi-threaded.*fork", DeprecationWarning)
        return os.fork()


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        kill_process_group(leader)


def _wait_for_fork(process: int) -> int:
    stdin = sys.stdin.fileno()
    while True:
        ended_pid, status = os.waitpid(process, os.WNOHANG)
        if ended_pid:
            return status
        if select.select([stdin], [], [], POLL_SECONDS)[0]:
            command = os.read(stdin, 16)
            os.kill(process, signal.SIGKILL)  # it may not lead its group yet
            _kill_group(process)
            if not command:  # nobody is there any more
                os._exit(1)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked is gone
        main(sys.argv[1], int(sys.argv[2]))
