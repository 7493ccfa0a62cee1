"""How a test waits: for something that happens, never for a span of time.

    wait_until(lambda: log.exists())
    job = wait_until(lambda: first_running(queue))      # returns what the condition gave
    join(thread)

A slow or busy machine only makes the wait longer. `HUNG_SECONDS` is far beyond what any machine
needs: it ends a test that hangs, and no test asserts on it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

HUNG_SECONDS = 300.0
LOOK_SECONDS = 0.01
Outcome = TypeVar("Outcome")


def wait_until(condition: Callable[[], Outcome], *, what: str = "it") -> Outcome:
    """Ask again and again until the condition is true; return what it gave."""
    end = time.monotonic() + HUNG_SECONDS
    while not (outcome := condition()):
        assert time.monotonic() < end, f"{what} did not happen within {HUNG_SECONDS:.0f} s"
        time.sleep(LOOK_SECONDS)
    return outcome


def join(thread: threading.Thread) -> None:
    """Wait until a thread has ended."""
    thread.join(HUNG_SECONDS)
    assert not thread.is_alive(), f"{thread.name} did not end within {HUNG_SECONDS:.0f} s"


def process_is_alive(pid: int) -> bool:
    """Return whether a process runs; one that ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
