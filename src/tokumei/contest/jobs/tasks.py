"""What a judge is asked, in a form that crosses to another process.

    task = Task("judge", folder, upload, "A.csv", out=work)
    answer, files = perform(task, judge)      # plain JSON; {"public": S, "truth": F}

The answer of `check`, `judge`, `check_guess` and `score` has one shape: accepted, judge_version,
utility, safety, total, unsafe, figures, faults, fault_total. For a guess `safety` is what it found.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tokumei.contest.judge.protocol import GuessVerdict, Judge, Upload, Verdict

What = Literal["describe", "check", "judge", "check_guess", "score"]
Answer = dict[str, Any]
Files = dict[str, bytes]

SCRATCH_MEGABYTES = 256
"""No file that a judgement writes may be larger."""


@dataclass(frozen=True)
class Task:
    """One question: the contest's folder, the files, and what answering may use.

    With `out` the answer is made in a process of its own and written there.
    """

    what: What
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
    def of_line(cls, line: bytes) -> Task:
        """The task of a line."""
        return cls(**json.loads(line))


def perform(task: Task, judge: Judge) -> tuple[Answer, Files]:
    """Ask the judge."""
    if task.what == "describe":
        return {"version": judge.version, "guess_files": list(judge.guess_files())}, {}
    upload = Upload(task.name, Path(task.upload).read_bytes())
    if task.what in ("check", "judge"):
        verdict = judge.check(upload) if task.what == "check" else judge.judge(upload)
        return _of_release(verdict, judge.version), _files(verdict)
    public = Path(task.public).read_bytes()
    if task.what == "check_guess":
        return _of_guess(judge.check_guess(public, upload), judge.version), {}
    found = judge.score(public, Path(task.truth).read_bytes(), upload)
    return _of_guess(found, judge.version), {}


def _of_release(verdict: Verdict, version: str) -> Answer:
    card = verdict.card.as_json() if verdict.card else {}
    return _answer(verdict, version, card)


def _of_guess(verdict: GuessVerdict, version: str) -> Answer:
    found = {"safety": verdict.value, "unsafe": verdict.unsafe, "figures": verdict.figures}
    return _answer(verdict, version, found)


def _answer(verdict: Verdict | GuessVerdict, version: str, found: Mapping[str, Any]) -> Answer:
    return {
        "accepted": verdict.accepted,
        "judge_version": version,
        "utility": plain(found.get("utility")),
        "safety": plain(found.get("safety")),
        "total": plain(found.get("total")),
        "unsafe": bool(found.get("unsafe")),
        "figures": plain(found.get("figures", {})),
        "faults": [fault.as_json() for fault in verdict.faults],
        "fault_total": verdict.total,
    }


def _files(verdict: Verdict) -> Files:
    found = {"public": verdict.public, "truth": verdict.truth}
    return {name: data for name, data in found.items() if data is not None}


def plain(value: Any) -> Any:
    """JSON that every database takes: no NaN, no infinity, no numbers of other libraries."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    number = float(value)
    return number if math.isfinite(number) else None
