"""A command with all the processes it starts, as a Spark driver does: seconds and memory.

    spent = run_family(["tokumei", "anonymize", …], env={"PYSPARK_SUBMIT_ARGS": …})
    spent.wall, spent.peak_mb       # the peaks of all its processes, added up

Linux only: it looks into /proc ten times a second.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FamilySpent:
    """What a command and its processes took."""

    wall: float
    peak_mb: float


def run_family(command: Sequence[str], *, env: Mapping[str, str] | None = None) -> FamilySpent:
    """Run a command that must succeed."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, **(env or {})},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    peaks: dict[int, float] = {}
    ended = threading.Event()
    watch = threading.Thread(target=_watch, args=(process.pid, peaks, ended))
    watch.start()
    _, said = process.communicate()
    wall = time.perf_counter() - started
    ended.set()
    watch.join()
    if process.returncode:
        raise RuntimeError(f"{command} failed with {process.returncode}: {said[-2000:]}")
    return FamilySpent(wall, sum(peaks.values()))


def _watch(first: int, peaks: dict[int, float], ended: threading.Event) -> None:
    while not ended.wait(0.1):
        for process in _family(first):
            peaks[process] = max(peaks.get(process, 0.0), _peak_mb(process))


def _family(first: int) -> list[int]:
    """A process and those it started, and so on."""
    found = [first]
    for process in found:
        for thread in Path(f"/proc/{process}/task").glob("*/children"):
            found += [int(child) for child in _text(thread).split()]
    return found


def _peak_mb(process: int) -> float:
    lines = _text(Path(f"/proc/{process}/status")).splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def _text(path: Path) -> str:
    """What stands there; nothing of a process that has just ended."""
    try:
        return path.read_text()
    except OSError:
        return ""
