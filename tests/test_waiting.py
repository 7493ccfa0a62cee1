"""Tests wait for what happens: no clock, no sleep, no timeout of their own (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import waiting
from support.waiting import join, wait_until

TESTS = Path(__file__).parent
CLOCKS = {"monotonic", "perf_counter", "process_time", "sleep"}
WITH_TIMEOUT = {"get", "post", "put", "delete", "request", "stream", "Client"}
OWN_CLOCK = {
    "support/waiting.py": "is the clock of all others",
    "support/served_app.py": "moves the clock of a server until it answers",
    "support/obedient_judge.py": "works until a test ends it",
    "kernels/test_threads.py": "works until the test ends it",
    "histories/spark/test_release_files.py": "holds a task that a test kills",
    "tables/anonymization/test_spark.py": "looks often for a stage at work, and tries again",
    "fuzz/kills.py": "kills at a random moment, whichever",
    "files/test_writing.py": "kills at a random moment, whichever",
}
"""Files that may use a clock, and what for: none asserts on it."""


def faults_of(source: str) -> Iterator[str]:
    """Calls of a clock, and requests and processes without the common timeout."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner, name = node.func.value, node.func.attr
        module = owner.id if isinstance(owner, ast.Name) else ""
        if module in ("time", "asyncio") and name in CLOCKS:
            yield f"line {node.lineno}: {module}.{name}"
        timeouts = [ast.unparse(one.value) for one in node.keywords if one.arg == "timeout"]
        if any("HUNG_SECONDS" not in one for one in timeouts):
            yield f"line {node.lineno}: timeout={timeouts[0]}"
        if module == "httpx" and name in WITH_TIMEOUT and not timeouts:
            yield f"line {node.lineno}: httpx.{name} gives up after 5 s"


def test_no_test_has_a_clock_of_its_own() -> None:
    found = {}
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        faults = list(faults_of(path.read_text(encoding="utf-8")))
        if faults and name not in OWN_CLOCK:
            found[name] = faults
    assert found == {}


def test_every_exception_is_still_needed() -> None:
    needed = {name for name in OWN_CLOCK if list(faults_of((TESTS / name).read_text("utf-8")))}
    assert needed == set(OWN_CLOCK)


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("time.sleep(1)", "time.sleep"),
        ("assert time.monotonic() - began < 3", "time.monotonic"),
        ("run(command); process.run(command, timeout=60)", "timeout=60"),
        ("httpx.get(address)", "httpx.get"),
    ],
)
def test_what_depends_on_speed_is_noticed(source: str, fault: str) -> None:
    (found,) = faults_of(source)
    assert fault in found


def test_waiting_gives_what_the_condition_gave() -> None:
    answers = iter([None, 0, "ready"])
    assert wait_until(lambda: next(answers)) == "ready"


def test_what_never_happens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "HUNG_SECONDS", 0.05)
    with pytest.raises(AssertionError, match="the moon did not happen"):
        wait_until(lambda: False, what="the moon")
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="deaf")
    thread.start()
    with pytest.raises(AssertionError, match="deaf did not end"):
        join(thread)
    stop.set()
    thread.join()
