"""Commands in processes of their own: seconds, CPU seconds and peak memory.

    spent = run([sys.executable, "-c", "pass"])
    spent.wall, spent.cpu, spent.peak_mb

A small process starts the command: started from a large one, the kernel would count that one's
memory as the command's own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

_START = """
import json, os, sys, time
started = time.perf_counter()
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
# Installed packages have their bytecode; so shall ours, after a first run.
env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
process = os.posix_spawn(sys.argv[1], sys.argv[1:], env, file_actions=quiet)
_, status, used = os.wait4(process, 0)
wall = time.perf_counter() - started
# Bytes on macOS, kibibytes elsewhere.
peak = used.ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)
print(json.dumps([os.waitstatus_to_exitcode(status), wall, used.ru_utime + used.ru_stime, peak]))
"""


@dataclass(frozen=True)
class Spent:
    """What a command took."""

    wall: float
    cpu: float
    peak_mb: float

    @classmethod
    def least(cls, rounds: Sequence[Spent]) -> Spent:
        """The least time of some runs (noise only ever adds) and their median peak."""
        peaks = sorted(spent.peak_mb for spent in rounds)
        return cls(
            min(spent.wall for spent in rounds),
            min(spent.cpu for spent in rounds),
            peaks[len(peaks) // 2],
        )


def run(command: Sequence[str]) -> Spent:
    """Run a command that must succeed."""
    start = [sys.executable, "-S", "-E", "-c", _START, *command]
    ran = subprocess.run(start, capture_output=True, text=True, check=True)
    code, wall, cpu, peak = json.loads(ran.stdout.splitlines()[-1])
    if code:
        raise RuntimeError(f"{command} failed with {code}: {ran.stderr}")
    return Spent(wall, cpu, peak)
