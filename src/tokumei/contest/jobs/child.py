"""A process that judges: `python -m tokumei.contest.jobs.child MODULE:FUNCTION MEGABYTES`.

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

from tokumei.contest.jobs.tasks import MODULES, Answer, Task, judge_apart, perform, told_of
from tokumei.core.errors import TokumeiError
from tokumei.core.lazy import load
from tokumei.core.limits import limit_addresses
from tokumei.core.platform_support import kill_group

if TYPE_CHECKING:
    from tokumei.contest.judge.contest_judge import ContestJudge

Factory = Callable[[Path], "ContestJudge"]
LOOK_SECONDS = 0.02
JUDGES_KEPT = 4


def judges_of(factory: Factory) -> Callable[[str], ContestJudge]:
    """The judges of some contests are kept; one is loaded again when its folder changed."""

    @lru_cache(maxsize=JUDGES_KEPT)
    def kept(folder: Path, stamp: object) -> ContestJudge:
        return factory(folder)

    def judge_of(folder: str) -> ContestJudge:
        found = ((path.name, path.stat()) for path in sorted(Path(folder).iterdir()))
        stamp = tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in found)
        return kept(Path(folder), stamp)

    return judge_of


def main(name: str, megabytes: int) -> None:
    """Answer tasks until stdin ends."""
    stdin, stdout = sys.stdin.buffer, _own_stdout()
    if megabytes:
        limit_addresses(megabytes)
    factory: Factory = load(name)  # and its module's imports
    judge_of = judges_of(factory)
    _tell(stdout, {"ready": True})
    while line := stdin.readline():
        if line == b"kill\n":  # came too late: what it was about has ended
            continue
        task = Task.of_line(line)
        if not task.out:
            _tell(stdout, _answer(task, judge_of))
            continue
        status = _run_apart(task, factory)
        needed = _needed_modules(Path(task.out))
        _tell(stdout, status)
        for module in needed:
            with suppress(ImportError):  # an organiser's own file is loaded by each fork
                import_module(module)


def _needed_modules(out: Path) -> list[str]:
    try:
        found = (out / MODULES).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [name for name in found if name not in sys.modules]


def _own_stdout() -> BinaryIO:
    """Answers go out here; what others print goes to stderr and cannot be taken for one."""
    stdout = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return os.fdopen(stdout, "wb")


def _tell(stdout: BinaryIO, answer: Answer) -> None:
    stdout.write(json.dumps(answer).encode() + b"\n")
    stdout.flush()


def _answer(task: Task, judge_of: Callable[[str], ContestJudge]) -> Answer:
    signal.alarm(task.cpu_seconds)  # whoever asked may be gone: never work on for nobody
    try:
        return perform(task, judge_of(task.folder))[0]
    except TokumeiError as error:
        told = told_of(error, task.folder)
        return {"error": error.as_json() | {"message_en": told.en, "message_ja": told.ja}}
    except Exception as error:  # noqa: BLE001 - its message may hold something of the file
        return {"exception": type(error).__name__}
    finally:
        signal.alarm(0)


def _run_apart(task: Task, factory: Factory) -> Answer:
    """Judge in a fork; its exit status. Its whole group is gone when this returns."""
    alive, mine = os.pipe()  # the fork reads its end: at the end of it, this process is gone
    process = _fork()
    if not process:
        os.close(mine)
        judge_apart(task, factory, alive)
    os.close(alive)
    try:
        status = _wait(process)
    finally:
        os.close(mine)
        _kill_group(process)
    return {"status": os.waitstatus_to_exitcode(status)}


def _fork() -> int:
    """A fork without the warning of Python 3.12: no thread of a library was ever given work."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r".*multi-threaded.*fork", DeprecationWarning)
        return os.fork()


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        kill_group(leader)


def _wait(process: int) -> int:
    stdin = sys.stdin.fileno()
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status
        if select.select([stdin], [], [], LOOK_SECONDS)[0]:
            asked = os.read(stdin, 16)
            os.kill(process, signal.SIGKILL)  # it may not lead its group yet
            _kill_group(process)
            if not asked:  # nobody is there any more
                os._exit(1)


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # whoever asked is gone
        main(sys.argv[1], int(sys.argv[2]))
