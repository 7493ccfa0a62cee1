"""A good candidate at once, for searches that may not end in time.

k people per group leave about log2(rows / k) bits to tell people apart by. A pattern spends the
entropy of its words; the most valuable candidates for every number of bits (a knapsack) are tried
from the richest down until one holds, and then improved one attribute at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log2

import numpy as np

from tokumei.price.problem import DELETE, Candidate, PriceProblem

STEPS = 4
"""Parts of a bit."""
Holds = Callable[[Candidate], bool]


def guesses(
    problem: PriceProblem, allowed: list[list[int]], k: int, holds: Holds
) -> Iterator[Candidate]:
    """Candidates that hold, each better than the one before; the last no single change improves."""
    budget = round(STEPS * (log2(problem.rows / k) + 2))
    richest = _richest_first(problem, allowed, budget)
    candidate = next((one for one in richest if holds(one)), None)
    while candidate is not None:
        yield candidate
        candidate = _improved(problem, allowed, candidate, holds)


def _richest_first(
    problem: PriceProblem, allowed: list[list[int]], budget: int
) -> Iterator[Candidate]:
    best = np.zeros(budget + 1)
    choices = []
    for j, places in enumerate(allowed):
        tables = [_spent(problem, best, j, p) for p in places]
        if not tables:
            return
        choices.append(np.argmax(tables, axis=0))
        best = np.max(tables, axis=0)
    last = None
    for bits in range(budget, -1, -1):
        if best[bits] == -np.inf:
            return
        candidate = _traced(problem, allowed, choices, bits)
        if candidate != last:
            yield candidate
        last = candidate


def _spent(problem: PriceProblem, best: np.ndarray, j: int, p: int) -> np.ndarray:
    """The best value for every budget if attribute j takes pattern p."""
    bits, worth = _cost(problem, j, p)
    found = np.full(len(best), -np.inf)
    found[bits:] = best[: len(best) - bits] + worth if bits else best + worth
    return found


def _traced(
    problem: PriceProblem, allowed: list[list[int]], choices: list[np.ndarray], bits: int
) -> Candidate:
    chosen = []
    for j in reversed(range(len(allowed))):
        chosen.append(allowed[j][int(choices[j][bits])])
        bits -= _cost(problem, j, chosen[-1])[0]
    return tuple(reversed(chosen))


def _cost(problem: PriceProblem, j: int, p: int) -> tuple[int, int]:
    """Entropy in steps, and value."""
    if p == DELETE:
        return 0, 0
    one = problem.attributes[j]
    return round(STEPS * one.entropies[p]), one.worth[p]


def _improved(
    problem: PriceProblem, allowed: list[list[int]], candidate: Candidate, holds: Holds
) -> Candidate | None:
    """The dearest change of one attribute that holds."""
    gains = sorted(
        (
            (_cost(problem, j, p)[1] - _cost(problem, j, candidate[j])[1], j, p)
            for j, places in enumerate(allowed)
            for p in places
        ),
        reverse=True,
    )
    changed = ((*candidate[:j], p, *candidate[j + 1 :]) for gain, j, p in gains if gain > 0)
    return next((new for new in changed if holds(new)), None)
