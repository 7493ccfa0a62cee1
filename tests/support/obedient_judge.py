"""A judge that does what an upload tells it: to accept, to refuse, or to misbehave.

`score 0.25` is accepted with U = 0.25, S = 0.5 (a guess: value 0.25); `refuse 3` has three faults;
`sleep 9`, `loop`, `allocate`, `flood`, `print`, `raise`, `crash`, `exit`, `spawn 7` are what a
judge must never do. `halfway` reports progress up to a half of its work and never ends.
"""

from __future__ import annotations

import importlib
import itertools
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from tokumei.apps.contest.judge.results import JudgeVerdict, Scorecard, Upload
from tokumei.core.errors import InputError, Violation
from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar

FACTORY = "support.obedient_judge:judge_of_folder"
SPEC = {
    "slug": "small",
    "title": {"en": "Small", "ja": "小"},
    "format": "table",
    "data": {"original": "T.csv"},
    "phases": [
        {
            "kind": "anonymize",
            "starts": "2026-01-01T00:00:00+09:00",
            "ends": "2027-01-01T00:00:00+09:00",
        }
    ],
}


class ObedientJudge:
    contest = None

    def __init__(self, version: str = "1") -> None:
        self.version = version

    def check(self, upload: Upload) -> JudgeVerdict:
        faults = obey(upload.data.decode().split())
        return JudgeVerdict(faults[:2], len(faults))

    def judge(self, upload: Upload) -> JudgeVerdict:
        checked = self.check(upload)
        if not checked.accepted:
            return checked
        value = float(upload.data.split()[-1])
        card = Scorecard(
            value, 0.5, (value + 0.5) / 2, False, {"utility": {"u": value, "odd": float("nan")}}
        )
        return JudgeVerdict(card=card, public=b"S" + upload.data, truth=b"F" + upload.data)

    def check_guess(self, public: bytes, guess: Upload) -> JudgeVerdict:
        assert public.startswith(b"S")
        faults = obey(guess.data.decode().split())
        return JudgeVerdict(faults[:2], len(faults))

    def score(self, public: bytes, truth: bytes, guess: Upload) -> JudgeVerdict:
        checked = self.check_guess(public, guess)
        if not checked.accepted:
            return checked
        assert truth == b"F" + public[1:]
        found = float(guess.data.split()[-1])
        return JudgeVerdict(card=Scorecard(None, found, None, False, {"hits": 1}))

    def sketch(self, public: bytes, truth: bytes, guess: Upload) -> list[str]:
        assert truth == b"F" + public[1:]
        return [guess.data.hex()]

    def guess_files(self) -> list[str]:
        return ["F.csv"]


def judge_of_folder(folder: Path) -> ObedientJudge:
    if (folder / "broken").exists():
        raise InputError(
            Message.of_texts({"en": "this contest is broken", "ja": "壊れたコンテスト"})
        )
    version = folder / "version"
    return ObedientJudge(version.read_text() if version.exists() else "1")


def obey(words: list[str]) -> list[Violation]:
    match words:
        case ["score", _]:
            return []
        case ["refuse", count]:
            line = Message.of_texts({"en": "refused", "ja": "不可"})
            return [Violation(rule="r", message=line, line=n) for n in range(int(count))]
        case ["halfway"]:
            stay_halfway()
        case ["warm", _]:
            known = "wave" in sys.modules
            importlib.import_module("wave")
            return (
                []
                if known
                else [Violation(rule="cold", message=Message.of_texts({"en": "cold", "ja": "冷"}))]
            )
        case ["print", *rest]:
            print('{"status": 0}', flush=True)
            return obey(rest)
        case ["spawn", number]:
            leave_a_process(number)
        case [what, *_]:
            return misbehave(what)
    raise AssertionError(words)


def stay_halfway() -> None:
    """Say again and again how far the work is: a listener hears it only now and then."""
    with progress_bar(Message.of_texts({"en": "slow", "ja": "遅い"}), total=10) as advance:
        for step in itertools.count():
            advance(step < 5)
            time.sleep(0.05)


def use_up_computing_time() -> None:
    """Compute until the limit of this process, lowered to the next second, ends it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    assert soft != resource.RLIM_INFINITY, "computing time is not limited"
    resource.setrlimit(resource.RLIMIT_CPU, (min(soft, int(time.process_time()) + 1), hard))
    while True:
        pass


def leave_a_process(number: str) -> None:
    """Start a process that can be told by a number, and fail."""
    code = f"import time; spawned = {number}; time.sleep(3600)"
    child = subprocess.Popen([sys.executable, "-c", code])
    raise RuntimeError(f"left {child.pid}")


def misbehave(what: str) -> list[Violation]:
    if what == "sleep":
        time.sleep(3600)
    if what == "loop":
        use_up_computing_time()
    if what == "allocate":
        bytearray(1 << 40)
    if what == "flood":
        for _ in range(1 << 12):
            print("x" * (1 << 20), flush=True)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "exit":
        os._exit(7)
    raise ValueError("a secret of the file")
