"""Run many cases and count what came of them, per method and container."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("POLARS_MAX_THREADS", "1")

from fuzz.cases import Case, make_case
from fuzz.history_cases import HistoryCase, judge_history, make_history_case
from fuzz.judged import KINDS, Outcome, judge

MEMORY = Path("/dev/shm")
"""Where files are made: nothing of a case need be there after a power failure."""
SHOWN = 3
"""How many examples of a class of failures are printed."""


def run_case(number: int, keep: str | None = None) -> tuple[Case, Outcome]:
    """One case in a folder of its own."""
    case = make_case(number)
    with _folder(keep) as folder:
        return case, judge(case, folder)


def run_history(number: int, keep: str | None = None) -> tuple[HistoryCase, Outcome]:
    """One case of a history in a folder of its own."""
    case = make_history_case(number)
    with _folder(keep) as folder:
        return case, judge_history(case, folder)


@contextmanager
def _folder(keep: str | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as made:
            yield Path(made)
    else:
        shutil.rmtree(keep, ignore_errors=True)
        Path(keep).mkdir(parents=True)
        yield Path(keep)


def _counted(number: int) -> tuple[int, str, str, Outcome]:
    case, outcome = run_case(number)
    return number, case.method, f"{case.engine} {case.source}>{case.out}", outcome


def _counted_history(number: int) -> tuple[int, str, str, Outcome]:
    case, outcome = run_history(number)
    return number, case.method, case.format, outcome


class Counts:
    """How often each thing came of each method and container; examples of defects."""

    def __init__(self) -> None:
        self.by_method: dict[str, Counter[str]] = defaultdict(Counter)
        self.by_container: dict[str, Counter[str]] = defaultdict(Counter)
        self.examples: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        self.total: Counter[str] = Counter()

    def add(self, number: int, method: str, container: str, outcome: Outcome) -> None:
        for counter in (self.by_method[method], self.by_container[container], self.total):
            counter[outcome.kind] += 1
        if outcome.is_defect or outcome.kind == "claims unmet":
            self.examples[outcome.kind, outcome.sign].append((number, outcome.words))

    @property
    def defects(self) -> int:
        return sum(n for kind, n in self.total.items() if kind in KINDS[3:])

    def text(self) -> str:
        lines = []
        for title, counters in (("method", self.by_method), ("container", self.by_container)):
            lines.append("  ".join([f"{title:<28}", *(f"{kind:>14}" for kind in KINDS)]))
            for name, counter in sorted(counters.items()):
                figures = (f"{counter[kind]:>14}" for kind in KINDS)
                lines.append("  ".join([f"{name:<28}", *figures]))
        lines.append("  ".join([f"{'all':<28}", *(f"{self.total[kind]:>14}" for kind in KINDS)]))
        for (kind, sign), found in sorted(self.examples.items(), key=lambda one: -len(one[1])):
            lines.append(f"\n{kind}: {sign} ({len(found)})")
            lines += [f"  case {number}: {words[-500:]}" for number, words in found[:SHOWN]]
        return "\n".join(lines)


def count_tables(numbers: range, workers: int = 1) -> Counts:
    """Run the cases of these numbers."""
    return _count(_counted, numbers, workers)


def count_histories(numbers: range, workers: int = 1) -> Counts:
    """The same of histories."""
    return _count(_counted_history, numbers, workers)


def _count(one: Callable[[int], Any], numbers: range, workers: int) -> Counts:
    counts = Counts()
    if workers == 1:
        for number in numbers:
            counts.add(*one(number))
        return counts
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for found in pool.map(one, numbers, chunksize=20):
            counts.add(*found)
    return counts


def main() -> int:
    asked = argparse.ArgumentParser(prog="fuzz")
    asked.add_argument("--tables", type=int, default=3000)
    asked.add_argument("--histories", type=int, default=500)
    asked.add_argument("--start", type=int, default=0)
    asked.add_argument("--workers", type=int, default=2)
    asked.add_argument("--only", type=int, help="one case; with --keep its files stay")
    asked.add_argument("--history", action="store_true", help="--only is a history")
    asked.add_argument("--keep")
    given = asked.parse_args()
    if given.only is not None:
        one = run_history if given.history else run_case
        case, outcome = one(given.only, given.keep)
        print(" ".join(case.args(Path(given.keep or "."))))
        print(outcome.kind, outcome.sign, outcome.words, sep="\n")
        return int(outcome.is_defect)
    tables = range(given.start, given.start + given.tables)
    histories = range(given.start, given.start + given.histories)
    counts = [count_tables(tables, given.workers), count_histories(histories, given.workers)]
    for found in counts:
        print(found.text(), end="\n\n")
    return int(any(found.defects for found in counts))


if __name__ == "__main__":
    from fuzz.__main__ import main as run  # under its own name, by which workers find what they do

    sys.exit(run())
