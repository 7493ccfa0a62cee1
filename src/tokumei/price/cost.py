"""What a search will cost before it runs: recodings, tables to count, seconds and bytes.

    expected_cost(session.problem()).as_json()

A search tests single patterns, pairs and triples, and few larger sets: about half of the possible
triples are counted in practice. A small table costs mostly its overhead, some tables are rolled up
from all distinct tuples. The constants were measured on populations of 1,000 to 1,000,000 people
with 288 to 31,104 recodings; this machine's speed is measured by a few milliseconds of like work.
Above `SOON` recodings the proof may take much longer than what is expected here.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tokumei.price.problem import PriceProblem
from tokumei.price.tables import SOON, candidates, combinations

COUNTED = 0.5
"""The share of single patterns, pairs and triples that a search counts."""
TABLE_SECONDS, TABLE_BYTES = 5.5e-5, 500
"""What a table costs beside its groups; the seconds grow slowly with the tuples."""
LARGE_TABLES, TUPLE_SECONDS = 25, 1.6e-8
"""How many tables are rolled up from all tuples, and what that takes for each tuple."""
TUPLE_BYTES = 32
"""Keys and weights of every tuple while a table is rolled up."""
WORK_SECONDS = 1.35e-3
"""What `_work` took where the constants were measured."""


@dataclass(frozen=True)
class Cost:
    """Recodings to choose from, tables expected to be counted, seconds and bytes of the search.

    `sure` says that there are few enough recodings for the expectation to hold.
    """

    candidates: int
    tables: int
    seconds: float
    bytes: int
    sure: bool

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def expected_cost(problem: PriceProblem, *, speed: float | None = None) -> Cost:
    """The expected cost of a first question; `speed` of this machine, 1 as where it was measured.

    The seconds are CPU seconds after the people were read and counted.
    """
    tuples = len(problem.counts)
    sets = combinations([len(one.patterns) for one in problem.attributes])
    tables = round(COUNTED * sum(sets[:3]))
    found = candidates(problem)
    slow = TABLE_SECONDS * tables * tuples**0.15 + TUPLE_SECONDS * LARGE_TABLES * tuples
    kept = tables * (TABLE_BYTES + 6.5 * tuples**0.6)
    return Cost(
        found,
        tables,
        slow / (machine_speed() if speed is None else speed),
        round(TUPLE_BYTES * tuples + kept),
        found <= SOON,
    )


def machine_speed() -> float:
    """How fast this machine is now; the best of three tries, as one may be interrupted."""
    return WORK_SECONDS / min(_work() for _ in range(3))


def _work() -> float:
    """CPU seconds of counting as a search does it."""
    numbers = np.arange(100_000) * 7919 % 4096
    weights = np.ones(len(numbers))
    began = time.process_time()
    for _ in range(5):
        np.flatnonzero(np.bincount(numbers, weights=weights))
    return max(time.process_time() - began, 1e-9)
