"""Tasks that are sent to a judge process, and how one is run there.

    task = Task("judge", folder, upload, "A.csv", out=work)
    answer, files = run_task(task, judge)     # plain JSON; {"public": S, "truth": F} or a sketch
    judge_in_fork(task, factory, alive)         # in a fork: limits on itself; never returns

The answer of `check`, `judge`, `check_guess` and `score` has one shape: accepted, judge_version,
utility, safety, total, unsafe, figures, faults, fault_total. For a guess `safety` is what it found.
A fork's answer is put in place by rename; its exit code says how it ended (`JudgeExitCode`), unless
a signal did. Limits are per process; this is no prison for foreign code.
"""

from __future__ import annotations

import errno
import json
import math
import os
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

from tokumei.apps.contest.judge.results import JudgeVerdict, Scorecard, Upload
from tokumei.core.errors import TokumeiError
from tokumei.core.messages import Message, join_messages
from tokumei.core.portable_system_calls import kill_own_process_group
from tokumei.core.process_limits import limit_process
from tokumei.core.progress import AdvanceProgress, set_progress_listener

if TYPE_CHECKING:
    from tokumei.apps.contest.judge.contest_judge import ContestJudge

TaskKind = Literal["describe", "check", "judge", "check_guess", "score"]
JudgeAnswer: TypeAlias = dict[str, Any]
OutputFiles = dict[str, bytes]

SCRATCH_MEGABYTES = 256
"""No file that a judgement writes may be larger."""
ANSWER_FILE, PROGRESS_FILE, LOG_FILE = "answer.json", "progress", "log"
TRACEBACK_FILE, MODULES_FILE, CAUSE_FILE = "where.txt", "modules.txt", "cause.json"
_WRITE_INTERVAL = 0.25
_MOST_VIOLATIONS = 5


@dataclass(frozen=True)
class Task:
    """One question: the contest's folder, the files, and what answering may use.

    With `out` the answer is made in a process of its own and written there.
    """

    what: TaskKind
    folder: str
    upload: str = ""
    name: str = ""
    public: str = ""
    truth: str = ""
    out: str = ""
    cpu_seconds: int = 300
    megabytes: int = 4096

    def line(self) -> bytes:
        """The task as one line."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> Task:
        """The task of a line."""
        return cls(**json.loads(line))


def run_task(task: Task, judge: ContestJudge) -> tuple[JudgeAnswer, OutputFiles]:
    """Ask the judge."""
    if task.what == "describe":
        return {"version": judge.version, "guess_files": list(judge.guess_files())}, {}
    upload = Upload(task.name, Path(task.upload).read_bytes())
    verdict = _run_judge(task, judge, upload)
    files = {"public": verdict.public, "truth": verdict.truth}
    if task.what == "score" and verdict.accepted:
        public, truth = (Path(path).read_bytes() for path in (task.public, task.truth))
        lines = judge.sketch(public, truth, upload)
        files["sketch"] = "\n".join(lines).encode()
    return _verdict_to_json(verdict, judge.version), {
        k: v for k, v in files.items() if v is not None
    }


def _run_judge(task: Task, judge: ContestJudge, upload: Upload) -> JudgeVerdict:
    if task.what in ("check", "judge"):
        return judge.check(upload) if task.what == "check" else judge.judge(upload)
    public = Path(task.public).read_bytes()
    if task.what == "check_guess":
        return judge.check_guess(public, upload)
    return judge.score(public, Path(task.truth).read_bytes(), upload)


def _verdict_to_json(verdict: JudgeVerdict, version: str) -> JudgeAnswer:
    card = verdict.card or Scorecard(None, None, None, False, {})
    return {
        "accepted": verdict.accepted,
        "judge_version": version,
        **to_plain_json(card.as_json()),
        "faults": [fault.as_json() for fault in verdict.faults],
        "fault_total": verdict.total,
    }


def to_plain_json(value: Any) -> Any:
    """JSON that every database takes: no NaN, no infinity, no numbers of other libraries."""
    if isinstance(value, Mapping):
        return {str(key): to_plain_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain_json(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    number = float(value)
    return number if math.isfinite(number) else None


class JudgeExitCode(IntEnum):
    """Exit codes of a judgement."""

    ANSWERED = 0
    EXCEPTION = 41
    MEMORY = 42
    OUTPUT = 43
    DISK = 44
    CONTEST = 45
    """The contest's own files cannot be used."""


def judge_in_fork(task: Task, factory: Callable[[Path], ContestJudge], alive: int) -> NoReturn:
    """Judge and end this process."""
    code: int = JudgeExitCode.EXCEPTION
    try:
        os.setsid()
        _redirect_output(Path(task.out))
        _exit_when_parent_dies(alive)
        limit_process(
            megabytes=task.megabytes, cpu_seconds=task.cpu_seconds, file_megabytes=SCRATCH_MEGABYTES
        )
        set_progress_listener(_ProgressFile(Path(task.out) / PROGRESS_FILE))
        answer, files = run_task(task, _load_judge(task, factory))
        _write_answer(Path(task.out), answer, files)
        code = JudgeExitCode.ANSWERED
    except BaseException as error:  # noqa: BLE001 - whatever it is, the exit code says so
        code = _exit_code_for(error)
        _write_traceback_summary(Path(task.out), error)
    finally:
        os._exit(code)


class _UnusableContestError(Exception):
    """The judge cannot be loaded; why is written down."""


def _load_judge(task: Task, factory: Callable[[Path], ContestJudge]) -> ContestJudge:
    """The judge; what is wrong with the contest's files may be told, it is nothing of an upload."""
    try:
        return factory(Path(task.folder))
    except TokumeiError as error:
        cause = json.dumps(describe_error(error, task.folder).texts(), ensure_ascii=False)
        (Path(task.out) / CAUSE_FILE).write_text(cause, encoding="utf-8")
        raise _UnusableContestError from error


def describe_error(error: TokumeiError, folder: str) -> Message:
    """An error with its first faults in one sentence, without the server's paths."""
    faults = [fault.message for fault in getattr(error, "faults", ())][:_MOST_VIOLATIONS]
    messages = dict.fromkeys([error.message, *faults])
    texts = join_messages(messages, Message.verbatim(": ")).texts()
    return Message.of_texts({lang: text.replace(f"{folder}/", "") for lang, text in texts.items()})


def _redirect_output(out: Path) -> None:
    """Whatever is printed goes to a file, which cannot grow without bound."""
    null_input = os.open(os.devnull, os.O_RDONLY)
    log = os.open(out / LOG_FILE, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(null_input, 0)
    os.dup2(log, 1)
    os.dup2(log, 2)


def _exit_when_parent_dies(pipe_end: int) -> None:
    """Kill this process and all it started when the pipe's other end is gone."""

    def wait() -> None:
        os.read(pipe_end, 1)
        kill_own_process_group()

    threading.Thread(target=wait, daemon=True).start()


def _write_answer(out: Path, answer: JudgeAnswer, files: dict[str, bytes]) -> None:
    """The answer last: where it is, all is complete."""
    for name, data in files.items():
        (out / name).write_bytes(data)
    (out / MODULES_FILE).write_text("\n".join(sys.modules), encoding="utf-8")
    draft = out / f"{ANSWER_FILE}.draft"
    draft.write_text(json.dumps(answer), encoding="utf-8")
    draft.rename(out / ANSWER_FILE)


def _exit_code_for(error: BaseException) -> JudgeExitCode:
    if isinstance(error, _UnusableContestError):
        return JudgeExitCode.CONTEST
    if isinstance(error, MemoryError):
        return JudgeExitCode.MEMORY
    if isinstance(error, OSError) and error.errno == errno.EFBIG:
        return JudgeExitCode.OUTPUT
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return JudgeExitCode.DISK
    return JudgeExitCode.EXCEPTION


def _write_traceback_summary(out: Path, error: BaseException) -> None:
    """What went wrong and where, without the message: that may hold something of the file."""
    frames = traceback.extract_tb(error.__traceback__)[-4:]
    where = " < ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
    try:
        (out / TRACEBACK_FILE).write_text(f"{type(error).__name__} at {where}", encoding="utf-8")
    except (OSError, MemoryError):
        return  # the exit code still tells


class _ProgressFile:
    """Writes how far the outermost piece of work is, now and then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._depth = 0
        self._written_at = 0.0

    @contextmanager
    def __call__(self, what: Message, total: float | None) -> Iterator[AdvanceProgress]:
        self._depth += 1
        outermost, done = self._depth == 1, 0.0

        def advance(more: float) -> None:
            nonlocal done
            done += more
            if outermost and total:
                self._write_progress(min(1.0, done / total))

        try:
            yield advance
        finally:
            self._depth -= 1

    def _write_progress(self, share: float) -> None:
        now = time.monotonic()
        if now - self._written_at >= _WRITE_INTERVAL:
            self._written_at = now
            draft = self._path.with_suffix(".draft")
            draft.write_text(f"{share:.4f}", encoding="ascii")
            draft.rename(self._path)  # whoever reads it sees a whole number
