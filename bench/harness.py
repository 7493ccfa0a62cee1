"""Timing, memory and the table of results."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Result:
    """One line of RESULTS.md."""

    what: str
    ours: float
    floor: float | None
    floor_name: str
    target: str
    peak_mb: float | None = None

    @property
    def ratio(self) -> float | None:
        return None if self.floor is None else self.ours / self.floor


def best_of(
    times: int, work: Callable[[], object], *, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The fastest of some runs: noise only ever adds."""
    best = float("inf")
    for _ in range(times):
        started = clock()
        work()
        best = min(best, clock() - started)
    return best


def apart(work: Callable[..., Any], *args: Any) -> tuple[Any, float]:
    """Run `work` in a process of its own: what it returns, and its peak memory in MB."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(_with_peak, (work, args))


def _with_peak(work: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, float]:
    found = work(*args)
    return found, peak_mb()


def peak_mb() -> float:
    """This process's highest resident memory; ru_maxrss would include its parent's."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    (line,) = (row for row in status.read_text().splitlines() if row.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


RESULTS = Path(__file__).with_name("RESULTS.md")


def write_results(text: str) -> None:
    """All results anew, but for the sections that other runs wrote below them."""
    below = RESULTS.read_text(encoding="utf-8").partition("\n## ")[1:] if RESULTS.exists() else ()
    RESULTS.write_text(text + "".join(below), encoding="utf-8")


def write_section(title: str, text: str) -> None:
    """A section below the results, in place of an earlier one of its title."""
    first, *sections = RESULTS.read_text(encoding="utf-8").split("\n## ")
    others = [one for one in sections if one.partition("\n")[0] != title]
    RESULTS.write_text("\n## ".join([first, *others, f"{title}\n\n{text}"]), encoding="utf-8")


def as_markdown(results: list[Result]) -> str:
    lines = [
        "| what | ours (s) | floor (s) | floor | ratio | peak MB | target |",
        "|---|---|---|---|---|---|---|",
    ]
    for r in results:
        floor = "" if r.floor is None else f"{r.floor:.3f}"
        ratio = "" if r.ratio is None else f"**{r.ratio:.2f}**"
        peak = "" if r.peak_mb is None else f"{r.peak_mb:.0f}"
        cells = [r.what, f"{r.ours:.3f}", floor, r.floor_name, ratio, peak, r.target]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
