"""The supervisor: what dies is started again, all end together."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.waiting import process_is_alive, wait_until
from tokumei.apps.contest.server import supervisor
from tokumei.apps.contest.server.supervisor import ManagedProcess, Supervisor

LIVE = """
import os, sys, time
sys.path.insert(0, {source!r})
from tokumei.apps.contest.server.process_main import exit_with_parent
exit_with_parent()
open({log!r}, 'a').write(f'{{os.getpid()}}\\n')
{then}
"""
SOURCE = str(Path(__file__).parents[4] / "src")


def part(log: Path, then: str) -> ManagedProcess:
    return ManagedProcess(
        "part", [sys.executable, "-c", LIVE.format(source=SOURCE, log=str(log), then=then)]
    )


def pids(log: Path) -> list[int]:
    return [int(line) for line in log.read_text().split()] if log.exists() else []


def in_background(supervisor: Supervisor, play: Callable[[], None]) -> list[BaseException]:
    """Play beside the supervisor, which needs the main thread for its signals, then stop it."""
    failed: list[BaseException] = []

    def run() -> None:
        try:
            play()
        except BaseException as error:  # noqa: BLE001 - told to the test below
            failed.append(error)
        supervisor.stop()

    threading.Thread(target=run).start()
    return failed


def test_what_is_killed_is_started_again_and_all_end_together(tmp_path: Path) -> None:
    log, told = tmp_path / "log", []
    supervisor = Supervisor(
        [part(log, "time.sleep(3600)")], tell=lambda name, code: told.append((name, code))
    )

    def play() -> None:
        wait_until(lambda: len(pids(log)) == 1)
        os.kill(pids(log)[0], signal.SIGKILL)
        wait_until(lambda: len(pids(log)) == 2)

    failed = in_background(supervisor, play)
    assert supervisor.run() == 0
    assert not failed
    assert told == [("part", -signal.SIGKILL)]
    assert not any(process_is_alive(pid) for pid in pids(log))


def test_what_dies_at_once_is_started_again(tmp_path: Path) -> None:
    log = tmp_path / "log"
    supervisor = Supervisor([part(log, "sys.exit(1)")])
    failed = in_background(supervisor, lambda: wait_until(lambda: len(pids(log)) >= 4))
    assert supervisor.run() == 0
    assert not failed


def test_what_dies_at_once_waits_longer_and_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(supervisor, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    quick = ManagedProcess("quick", [sys.executable, "-c", "raise SystemExit(1)"])
    delays = []
    for _ in range(9):
        quick.start()
        assert quick.process is not None
        quick.process.wait()
        assert quick.ended() == 1
        delays.append(quick.due - clock[0])
    assert delays == [0, 0.25, 0.5, 1, 2, 4, 8, 10, 10]
    quick.start()
    assert quick.process is not None
    quick.process.wait()
    clock[0] += supervisor.HEALTHY_SECONDS
    assert (quick.ended(), quick.due) == (1, clock[0])


def test_wrong_input_ends_all(tmp_path: Path) -> None:
    log, other = tmp_path / "log", tmp_path / "other"
    when_both_run = f"while not os.path.exists({str(other)!r}): time.sleep(0.01)\nsys.exit(2)"
    parts = [part(other, "time.sleep(3600)"), part(log, when_both_run)]
    assert Supervisor(parts).run() == 2
    assert len(pids(log)) == 1
    assert not any(process_is_alive(pid) for pid in pids(other))


def test_a_part_that_does_not_end_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    ready = tmp_path / "ready"
    deaf = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"open({str(ready)!r}, 'w'); time.sleep(3600)"
    )
    supervisor = Supervisor([part(log, deaf)], patience=0.3)
    failed = in_background(supervisor, lambda: wait_until(ready.exists))
    assert supervisor.run() == 0
    assert not failed
    assert not any(process_is_alive(pid) for pid in pids(log))


def test_parts_end_when_the_supervisor_is_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    inner = LIVE.format(source=SOURCE, log=str(log), then="time.sleep(3600)")
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r})\n"
        "from tokumei.apps.contest.server.supervisor import ManagedProcess, Supervisor\n"
        f"Supervisor([ManagedProcess('part', [sys.executable, '-c', {inner!r}])]).run()"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as process:
        wait_until(lambda: pids(log))
        process.kill()
    wait_until(lambda: not process_is_alive(pids(log)[0]))


def test_a_signal_ends_it(tmp_path: Path) -> None:
    log = tmp_path / "log"
    supervisor = Supervisor([part(log, "time.sleep(3600)")])

    def play() -> None:
        wait_until(lambda: pids(log))
        os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    failed = in_background(supervisor, play)
    assert supervisor.run() == 0
    assert not failed
    assert signal.getsignal(signal.SIGTERM) == before
    assert not any(process_is_alive(pid) for pid in pids(log))
