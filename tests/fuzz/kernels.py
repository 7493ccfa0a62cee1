"""Compiled kernels, as shipped and with every index checked, against their sources run by Python.

python -m fuzz.kernels --problems 20000
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

os.environ.setdefault("POLARS_MAX_THREADS", "1")

from support.both_kernels import both
from support.kernel_problems import PROBLEMS

WAYS = ("uncompiled", "compiled", "checked")


def differing(name: str, seeds: Iterable[int], *ways: str) -> list[int]:
    """The seeds of the problems whose answers are not the same bytes in all ways."""
    wrong = []
    for seed in seeds:
        first, *others = both(lambda seed=seed: PROBLEMS[name](seed), *ways)
        if any(other != first for other in others):
            wrong.append(seed)
    return wrong


def _one(number: int) -> tuple[str, list[int]]:
    name = list(PROBLEMS)[number % len(PROBLEMS)]
    return name, differing(name, [number // len(PROBLEMS)], *WAYS)


def main() -> int:
    """Print how many problems of each kind were alike; 1 if one was not."""
    asked = argparse.ArgumentParser(prog="fuzz.kernels")
    asked.add_argument("--problems", type=int, default=2000)
    asked.add_argument("--start", type=int, default=0)
    asked.add_argument("--workers", type=int, default=2)
    given = asked.parse_args()
    numbers = range(given.start, given.start + given.problems)
    alike, wrong = Counter[str](), []
    with ProcessPoolExecutor(given.workers, mp_context=get_context("spawn")) as pool:
        for name, seeds in pool.map(_one, numbers, chunksize=20):
            alike[name] += not seeds
            wrong += [(name, seed) for seed in seeds]
    for name, count in alike.items():
        print(f"{name:<14}{count:>8} alike")
    print(f"{sum(alike.values())} problems alike, {len(wrong)} not: {wrong[:20]}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
