"""Commands in processes of their own: seconds, CPU seconds and peak memory.

    spent = run([sys.executable, "-c", "pass"])
    spent.wall, spent.cpu, spent.peak_mb

A small process starts the command: started from a large one, the kernel would count that one's
memory as the command's own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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


def spent_below(process: int, kind: str = "server") -> dict[str, float]:
    """Processor seconds so far of a contest's server: web, its check, workers and their judges.

    Of processes that ended, what their parents waited for is counted with the parent.
    """
    found: defaultdict[str, float] = defaultdict(float)
    words = Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace")
    if "contest.server.process_main" in words:
        kind = "web" if "\0web\0" in words else "worker"
    elif "contest.jobs.judge_main" in words:
        kind = "check" if kind == "web" else "judge"
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    found[kind] += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text(encoding="ascii").split():
            try:
                for name, spent in spent_below(int(child), kind).items():
                    found[name] += spent
            except FileNotFoundError:
                continue  # ended just now
    return found
