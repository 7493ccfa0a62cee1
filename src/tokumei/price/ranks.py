"""How good a prefix can become, and a good candidate at once for searches that may not end in time.

A prefix is worth its own patterns and the best that open attributes may add. k people per group
leave about log2(rows / k) bits to tell people apart by. A pattern spends the entropy of its words;
the most valuable candidates for every number of bits (a knapsack) are tried from the richest down
until one holds, and then improved one attribute at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log2

import numpy as np

from tokumei.price.problem import DELETE, Candidate, PriceProblem

Rank = tuple[int, int, int]
"""Value and words, negative, and the order of names: the least is the best.

Ranks add up over attributes, and the sum of the least ranks is a bound on any sum.
"""
STEPS = 4
"""Parts of a bit."""
Holds = Callable[[Candidate], bool]


class Ranks:
    """Ranks of prefixes in search order; `holds` tells whether a candidate's groups suffice."""

    def __init__(
        self,
        problem: PriceProblem,
        allowed: list[list[int]],
        order: list[int],
        holds: Callable[[Candidate], bool],
    ) -> None:
        self._order, self._holds, self._size = order, holds, len(order)
        self.allowed = [
            [p for p in places if p == DELETE or holds(self._only({j: p}))]
            for j, places in enumerate(allowed)
        ]
        self._rank = [
            {p: _pattern_rank(problem, j, p) for p in places}
            for j, places in enumerate(self.allowed)
        ]
        self._sorted = [
            sorted(places, key=lambda p, j=j: self._rank[j][p])  # type: ignore[misc]
            for j, places in enumerate(self.allowed)
        ]
        self._known: dict[tuple[tuple[int, int], ...], bool] = {}
        self._best: dict[tuple[int, ...], tuple[int, ...] | None] = {}

    def of(self, chosen: tuple[int, ...]) -> Rank | None:
        """The best rank below a prefix; None if an open attribute has no pattern left."""
        best = self._best_open(chosen)
        if best is None:
            return None
        rest = zip(self._order[len(chosen) :], best, strict=True)
        return self.so_far((*chosen, *(self._sorted[place][at] for place, at in rest)))

    def so_far(self, chosen: tuple[int, ...]) -> Rank:
        """The rank of a prefix alone."""
        value = words = names = 0
        for place, p in zip(self._order, chosen, strict=False):
            rank = self._rank[place][p]
            value, words, names = value + rank[0], words + rank[1], names + rank[2]
        return value, words, names

    def fits(self, place: int, pattern: int, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether a pattern holds with every one and every two of the patterns taken."""
        return all(self._joins(place, pattern, taken[:end]) for end in range(1, len(taken) + 1))

    def taken(self, chosen: tuple[int, ...]) -> list[tuple[int, int]]:
        """Attributes and patterns of a prefix, but for those that are deleted."""
        pairs = zip(self._order, chosen, strict=False)
        return [(place, p) for place, p in pairs if p != DELETE]

    def _joins(self, place: int, pattern: int, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether a pattern holds with the last that was taken, alone and beside each other one."""
        if pattern == DELETE:
            return True
        own, last = (place, pattern), taken[-1]
        if not self._hold(last, own):
            return False
        return all(self._hold(other, last, own) for other in taken[:-1])

    def _hold(self, *chosen: tuple[int, int]) -> bool:
        known = self._known.get(chosen)
        if known is None:
            known = self._known[chosen] = self._holds(self._only(dict(chosen)))
        return known

    def _best_open(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        """For every open attribute the place, in order of rank, of its best pattern that fits."""
        if chosen not in self._best:
            self._best[chosen] = self._found_open(chosen)
        return self._best[chosen]

    def _found_open(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        if not chosen:
            return (0,) * self._size if all(self._sorted) else None
        before = self._best_open(chosen[:-1])
        if before is None or chosen[-1] == DELETE:
            return None if before is None else before[1:]
        taken = self.taken(chosen)
        found = []
        # What did not fit the shorter prefix does not fit this one either.
        for place, at in zip(self._order[len(chosen) :], before[1:], strict=True):
            ranked = self._sorted[place]
            if not self._joins(place, ranked[at], taken):
                rest = range(at + 1, len(ranked))
                at = next((n for n in rest if self.fits(place, ranked[n], taken)), -1)
                if at < 0:
                    return None
            found.append(at)
        return tuple(found)

    def _only(self, chosen: dict[int, int]) -> Candidate:
        return tuple(chosen.get(place, DELETE) for place in range(self._size))


def _pattern_rank(problem: PriceProblem, place: int, pattern: int) -> Rank:
    one = problem.attributes[place]
    names = sorted([*(found.name for found in one.patterns), "delete"])
    name = "delete" if pattern == DELETE else one.patterns[pattern].name
    # Earlier attributes weigh more than all later ones together.
    weight = 1
    for later in problem.attributes[place + 1 :]:
        weight *= len(later.patterns) + 2
    if pattern == DELETE:
        return (0, 0, names.index(name) * weight)
    return (-one.worth[pattern], -one.words[pattern], names.index(name) * weight)


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
