from __future__ import annotations

import fcntl
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from apps.contest.jobs.judge_process_samples import task
from support.obedient_judge import FACTORY
from support.waiting import HUNG_SECONDS, wait_until
from tokumei.apps.contest.jobs.judge_process import _wait_readable


def test_an_answer_comes_with_its_files(judging, tmp_path):
    ended = judging.run(task(tmp_path, "score 0.25"), wall_seconds=HUNG_SECONDS)
    assert ended.why is None
    assert ended.files == {"public": b"Sscore 0.25", "truth": b"Fscore 0.25"}
    assert ended.answer == {
        "accepted": True,
        "judge_version": "1",
        "utility": 0.25,
        "safety": 0.5,
        "total": 0.375,
        "unsafe": False,
        "figures": {"utility": {"u": 0.25, "odd": None}},
        "faults": [],
        "fault_total": 0,
    }
    assert not (tmp_path / "out").exists()


def test_faults_are_told(judging, tmp_path):
    answer = judging.run(task(tmp_path, "refuse 3"), wall_seconds=HUNG_SECONDS).answer
    assert (answer["accepted"], answer["fault_total"]) == (False, 3)
    assert [fault["line"] for fault in answer["faults"]] == [0, 1]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("sleep 9", "time"),
        ("loop", "cpu"),
        ("allocate", "memory"),
        ("flood", "output"),
        ("raise", "exception"),
        ("crash", "crash"),
        ("exit", "crash"),
    ],
)
def test_what_goes_wrong_is_told_apart(judging, tmp_path, content, why):
    wall = 1 if why == "time" else HUNG_SECONDS
    ended = judging.run(task(tmp_path, content), wall_seconds=wall)
    assert (ended.why, ended.answer) == (why, None)
    assert "secret" not in ended.where
    assert judging.run(task(tmp_path, "score 1"), wall_seconds=HUNG_SECONDS).answer["utility"] == 1


def test_what_a_judge_prints_is_not_an_answer(judging, tmp_path):
    assert (
        judging.run(task(tmp_path, "print score 1"), wall_seconds=HUNG_SECONDS).answer["utility"]
        == 1
    )


def test_progress_is_reported_and_may_stop_it(judging, tmp_path):
    seen = []

    def tick(share: float) -> bool:
        seen.append(share)
        return share < 0.3

    ended = judging.run(task(tmp_path, "halfway"), wall_seconds=HUNG_SECONDS, tick=tick)
    assert ended.why == "stopped"
    assert seen[-1] >= 0.3
    assert sorted(seen) == seen


def test_modules_that_a_judgement_needed_are_loaded_for_the_next(judging, tmp_path):
    first = judging.run(task(tmp_path, "warm 1"), wall_seconds=HUNG_SECONDS)
    assert [fault["rule"] for fault in first.answer["faults"]] == ["cold"]
    assert judging.run(task(tmp_path, "warm 1"), wall_seconds=HUNG_SECONDS).answer["accepted"]


def test_a_process_that_is_gone_is_started_again(judging, tmp_path):
    assert judging.run(task(tmp_path, "score 1"), wall_seconds=HUNG_SECONDS).answer
    os.kill(judging._process.pid, 9)
    judging._process.wait()
    assert judging.run(task(tmp_path, "score 1"), wall_seconds=HUNG_SECONDS).answer


def test_a_killed_parent_takes_all_with_it(tmp_path):
    """The judgement of a killed worker ends at once, and what it started too."""
    script = (
        "import sys; from tokumei.apps.contest.jobs.judge_process import JudgeProcess;"
        "from tokumei.apps.contest.jobs.judge_tasks import Task;"
        "task = Task('judge', sys.argv[2], sys.argv[3], 'A', out=sys.argv[4]);"
        f"JudgeProcess(sys.argv[1]).run(task, wall_seconds={HUNG_SECONDS})"
    )
    (tmp_path / "upload").write_text("halfway")
    arguments = [FACTORY, str(tmp_path), str(tmp_path / "upload"), str(tmp_path / "out")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    worker = subprocess.Popen([sys.executable, "-c", script, *arguments], env=environment)
    try:
        wait_until((tmp_path / "out" / "progress").exists)
        assert len(processes_about(tmp_path)) >= 2
        worker.kill()
        worker.wait()
        wait_until(lambda: not processes_about(tmp_path))
    finally:
        worker.kill()


def test_processes_a_judgement_started_end_with_it(judging, tmp_path):
    mark = f"spawned = {os.getpid()};"
    spawn = task(tmp_path, f"spawn {os.getpid()}")
    assert judging.run(spawn, wall_seconds=HUNG_SECONDS).why == "exception"
    wait_until(lambda: not any(mark.encode() in line for _, line in processes()))


def processes_about(folder: Path) -> list[int]:
    """Processes whose output goes below the folder, or that were told of it."""
    found = []
    for number, line in processes():
        try:
            output = str(Path(f"/proc/{number}/fd/1").readlink())
        except OSError:
            output = ""
        if str(folder).encode() in line or output.startswith(str(folder)):
            found.append(number)
    return found


def processes() -> list[tuple[int, bytes]]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            found.append((int(path.name), (path / "cmdline").read_bytes()))
        except OSError:
            continue
    return found


def test_a_process_that_started_slowly_is_kept_for_the_next(judging, tmp_path, monkeypatch):
    judging.start()
    process = judging._process
    quick = task(tmp_path, "score 1", out="")
    with monkeypatch.context() as patched:
        times = iter([0.0, 6.0])
        patched.setattr(
            "tokumei.apps.contest.jobs.judge_process.time.monotonic", lambda: next(times)
        )
        assert judging.ask(quick, seconds=10) is None
    assert judging._process is process
    assert process.poll() is None
    assert judging.ask(quick, seconds=HUNG_SECONDS) is not None


def test_many_open_files_do_not_disturb():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("no more files are allowed here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2048), hard))
    reading, writing = os.pipe()
    high = fcntl.fcntl(reading, fcntl.F_DUPFD, 1500)
    try:
        assert not _wait_readable(high, 0.0)
        os.write(writing, b"x")
        assert _wait_readable(high, HUNG_SECONDS)
    finally:
        for descriptor in (high, reading, writing):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
