from __future__ import annotations

import threading
from pathlib import Path

import pytest

from support.obedient_judge import FACTORY
from support.waiting import HUNG_SECONDS, join
from tokumei.apps.contest.jobs import judge_process
from tokumei.apps.contest.jobs.upload_checker import UploadChecker
from tokumei.core.errors import InputError


@pytest.fixture
def checker(tmp_path):
    (tmp_path / "small").mkdir()
    checker = UploadChecker(tmp_path, processes=2, seconds=2 * HUNG_SECONDS, factory=FACTORY)
    yield checker
    checker.close()


def upload(tmp_path: Path, content: str) -> Path:
    path = tmp_path / f"upload-{content.replace(' ', '-')}"
    path.write_text(content)
    return path


def test_rules_are_told_at_once(checker, tmp_path):
    good = checker.check("small", upload(tmp_path, "score 1"), "A.csv")
    assert (good.accepted, good.faults, good.total, good.judge_version) == (True, [], 0, "1")
    bad = checker.check("small", upload(tmp_path, "refuse 3"), "A.csv")
    assert (bad.accepted, bad.total) == (False, 3)
    assert bad.faults[1]["message_ja"] == "不可"
    public = tmp_path / "public"
    public.write_bytes(b"S")
    guess = checker.check("small", upload(tmp_path, "refuse 1"), "F.csv", public=public)
    assert guess.total == 1


@pytest.mark.parametrize("content", ["raise", "crash", "exit", "allocate"])
def test_no_answer_is_none_and_the_next_is_answered(checker, tmp_path, content):
    assert checker.check("small", upload(tmp_path, content), "A.csv") is None
    for _ in range(2):
        assert checker.check("small", upload(tmp_path, "score 1"), "A.csv").accepted


def test_a_check_that_takes_too_long_is_given_up(tmp_path, monkeypatch):
    (tmp_path / "small").mkdir()
    checker = UploadChecker(tmp_path, processes=1, seconds=2 * HUNG_SECONDS, factory=FACTORY)
    try:
        assert checker.describe_judge("small").version == "1"
        process = checker._processes[0]._process
        assert process.poll() is None
        monkeypatch.setattr(judge_process, "_wait_readable", lambda descriptor, seconds: False)
        assert checker.check("small", upload(tmp_path, "sleep 9"), "A.csv") is None
        assert process.poll() is not None
    finally:
        checker.close()


class OneProcess:
    """Stands for the free processes: one, after the others before had so many seconds of it."""

    def __init__(self, waits: float, clock: list[float]) -> None:
        self.waits, self.clock, self.asked = waits, clock, []

    def take(self, team: int | None, *, seconds: float) -> OneProcess | None:
        self.clock[0] += min(self.waits, seconds)
        return None if self.waits > seconds else self

    def give(self, process: OneProcess, team: int | None, *, spent: float) -> None:
        assert process is self

    def ask(self, task: object, *, seconds: float) -> None:
        self.asked.append(seconds)


@pytest.mark.parametrize(
    ("waits", "given"), [(0, [20]), (4, [16]), (9.9, [10.1]), (10.1, []), (19.9, [])]
)
def test_who_waited_long_asks_with_time_enough_or_not_at_all(tmp_path, monkeypatch, waits, given):
    clock = [0.0]
    monkeypatch.setattr("tokumei.apps.contest.jobs.upload_checker.time.monotonic", lambda: clock[0])
    checker = UploadChecker(tmp_path, seconds=20, factory=FACTORY)
    checker._pool = process = OneProcess(waits, clock)
    assert checker.check("small", tmp_path, "A.csv") is None
    assert process.asked == pytest.approx(given)


def test_what_a_judge_prints_is_not_an_answer(checker, tmp_path):
    assert checker.check("small", upload(tmp_path, "print score 1"), "A.csv").accepted


def test_a_folder_that_changed_is_loaded_again(checker, tmp_path):
    assert checker.describe_judge("small").version == "1"
    assert checker.describe_judge("small").guess_files == ("F.csv",)
    (tmp_path / "small" / "version").write_text("2")
    assert checker.describe_judge("small").version == "2"


def test_an_unusable_folder_is_told(checker, tmp_path):
    (tmp_path / "small" / "broken").touch()
    with pytest.raises(InputError, match="this contest is broken"):
        checker.describe_judge("small")
    with pytest.raises(InputError, match="could not be loaded"):
        checker.describe_judge("absent")
    assert checker.check("small", upload(tmp_path, "score 1"), "A.csv") is None


def test_many_threads_may_ask(checker, tmp_path):
    checker.warm(["small"])
    answers = []
    path = upload(tmp_path, "score 1")
    threads = [
        threading.Thread(target=lambda: answers.append(checker.check("small", path, "A.csv")))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        join(thread)
    assert [answer.accepted for answer in answers] == [True] * 8
