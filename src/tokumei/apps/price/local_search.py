"""Upper bounds for prefixes, and a good candidate for searches that may not finish.

A prefix is worth its own patterns and the best that open attributes may add. k people per group
leave about log2(rows / k) bits to tell people apart by. A pattern spends the entropy of its words;
the most valuable candidates for every number of bits (a knapsack) are tried from the richest down
until one holds, and then improved one attribute at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log2

import numpy as np

from tokumei.apps.price.problem import DELETE_INDEX, Candidate, PriceProblem

CandidateRank = tuple[int, int, int]
"""Value and words, negative, and the order of names: the least is the best.

Ranks add up over attributes, and the sum of the least ranks is a bound on any sum.
"""
STEPS_PER_BIT = 4
"""Parts of a bit."""
Feasibility = Callable[[Candidate], bool]


class PrefixRanks:
    """Ranks of prefixes in search order; `holds` tells whether a candidate's groups suffice."""

    def __init__(
        self,
        problem: PriceProblem,
        allowed: list[list[int]],
        order: list[int],
        holds: Callable[[Candidate], bool],
    ) -> None:
        self._order, self._is_feasible, self._size = order, holds, len(order)
        self.allowed = [
            [
                pattern
                for pattern in places
                if pattern == DELETE_INDEX
                or holds(self._delete_all_but({attribute_index: pattern}))
            ]
            for attribute_index, places in enumerate(allowed)
        ]
        self._pattern_ranks = [
            {pattern: _pattern_rank(problem, attribute_index, pattern) for pattern in places}
            for attribute_index, places in enumerate(self.allowed)
        ]
        self._patterns_by_rank = [
            sorted(places, key=ranks.__getitem__)
            for ranks, places in zip(self._pattern_ranks, self.allowed, strict=True)
        ]
        self._feasible_pairs: dict[tuple[tuple[int, int], ...], bool] = {}
        self._best_open_cache: dict[tuple[int, ...], tuple[int, ...] | None] = {}

    def of(self, chosen: tuple[int, ...]) -> CandidateRank | None:
        """The best rank below a prefix; None if an open attribute has no pattern left."""
        best = self._best_fitting_ranks(chosen)
        if best is None:
            return None
        open_patterns = zip(self._order[len(chosen) :], best, strict=True)
        return self.rank_of_prefix(
            (
                *chosen,
                *(
                    self._patterns_by_rank[attribute_index][rank_index]
                    for attribute_index, rank_index in open_patterns
                ),
            )
        )

    def rank_of_prefix(self, chosen: tuple[int, ...]) -> CandidateRank:
        """The rank of a prefix alone."""
        value = words = names = 0
        for attribute_index, pattern in zip(self._order, chosen, strict=False):
            rank = self._pattern_ranks[attribute_index][pattern]
            value, words, names = value + rank[0], words + rank[1], names + rank[2]
        return value, words, names

    def fits(self, place: int, pattern: int, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether a pattern holds with every one and every two of the patterns taken."""
        return all(
            self._fits_with_last(place, pattern, taken[:end]) for end in range(1, len(taken) + 1)
        )

    def taken(self, chosen: tuple[int, ...]) -> list[tuple[int, int]]:
        """Attributes and patterns of a prefix, but for those that are deleted."""
        pairs = zip(self._order, chosen, strict=False)
        return [
            (attribute_index, pattern)
            for attribute_index, pattern in pairs
            if pattern != DELETE_INDEX
        ]

    def _fits_with_last(self, place: int, pattern: int, taken: Sequence[tuple[int, int]]) -> bool:
        """Whether a pattern holds with the last that was taken, alone and beside each other one."""
        if pattern == DELETE_INDEX:
            return True
        own, last = (place, pattern), taken[-1]
        if not self._is_feasible_together(last, own):
            return False
        return all(self._is_feasible_together(other, last, own) for other in taken[:-1])

    def _is_feasible_together(self, *chosen: tuple[int, int]) -> bool:
        feasible = self._feasible_pairs.get(chosen)
        if feasible is None:
            feasible = self._feasible_pairs[chosen] = self._is_feasible(
                self._delete_all_but(dict(chosen))
            )
        return feasible

    def _best_fitting_ranks(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        """For every open attribute the place, in order of rank, of its best pattern that fits."""
        if chosen not in self._best_open_cache:
            self._best_open_cache[chosen] = self._find_best_fitting_ranks(chosen)
        return self._best_open_cache[chosen]

    def _find_best_fitting_ranks(self, chosen: tuple[int, ...]) -> tuple[int, ...] | None:
        if not chosen:
            return (0,) * self._size if all(self._patterns_by_rank) else None
        parent_patterns = self._best_fitting_ranks(chosen[:-1])
        if parent_patterns is None or chosen[-1] == DELETE_INDEX:
            return None if parent_patterns is None else parent_patterns[1:]
        taken = self.taken(chosen)
        open_patterns = []
        # What did not fit the shorter prefix does not fit this one either.
        for attribute_index, rank_index in zip(
            self._order[len(chosen) :], parent_patterns[1:], strict=True
        ):
            ranked = self._patterns_by_rank[attribute_index]
            if not self._fits_with_last(attribute_index, ranked[rank_index], taken):
                later_indexes = range(rank_index + 1, len(ranked))
                rank_index = next(
                    (n for n in later_indexes if self.fits(attribute_index, ranked[n], taken)), -1
                )
                if rank_index < 0:
                    return None
            open_patterns.append(rank_index)
        return tuple(open_patterns)

    def _delete_all_but(self, chosen: dict[int, int]) -> Candidate:
        return tuple(chosen.get(place, DELETE_INDEX) for place in range(self._size))


def _pattern_rank(problem: PriceProblem, place: int, pattern: int) -> CandidateRank:
    attribute = problem.attributes[place]
    names = sorted([*(other_pattern.name for other_pattern in attribute.patterns), "delete"])
    name = "delete" if pattern == DELETE_INDEX else attribute.patterns[pattern].name
    # Earlier attributes weigh more than all later ones together.
    weight = 1
    for later in problem.attributes[place + 1 :]:
        weight *= len(later.patterns) + 2
    if pattern == DELETE_INDEX:
        return (0, 0, names.index(name) * weight)
    return (-attribute.worth[pattern], -attribute.word_counts[pattern], names.index(name) * weight)


def improve_greedily(
    problem: PriceProblem, allowed: list[list[int]], k: int, holds: Feasibility
) -> Iterator[Candidate]:
    """Candidates that hold, each better than the one before; the last no single change improves."""
    budget = round(STEPS_PER_BIT * (log2(problem.rows / k) + 2))
    richest = _richest_candidates(problem, allowed, budget)
    candidate = next((rich_candidate for rich_candidate in richest if holds(rich_candidate)), None)
    while candidate is not None:
        yield candidate
        candidate = _improve_once(problem, allowed, candidate, holds)


def _richest_candidates(
    problem: PriceProblem, allowed: list[list[int]], budget: int
) -> Iterator[Candidate]:
    best = np.zeros(budget + 1)
    choices = []
    for j, places in enumerate(allowed):
        tables = [_best_with_pattern(problem, best, j, p) for p in places]
        if not tables:
            return
        choices.append(np.argmax(tables, axis=0))
        best = np.max(tables, axis=0)
    last = None
    for bits in range(budget, -1, -1):
        if best[bits] == -np.inf:
            return
        candidate = _backtrack_choices(problem, allowed, choices, bits)
        if candidate != last:
            yield candidate
        last = candidate


def _best_with_pattern(
    problem: PriceProblem, best: np.ndarray, attribute_index: int, pattern: int
) -> np.ndarray:
    """The best value for every budget if attribute j takes pattern p."""
    bits, worth = _entropy_and_value(problem, attribute_index, pattern)
    values = np.full(len(best), -np.inf)
    values[bits:] = best[: len(best) - bits] + worth if bits else best + worth
    return values


def _backtrack_choices(
    problem: PriceProblem, allowed: list[list[int]], choices: list[np.ndarray], bits: int
) -> Candidate:
    chosen = []
    for j in reversed(range(len(allowed))):
        chosen.append(allowed[j][int(choices[j][bits])])
        bits -= _entropy_and_value(problem, j, chosen[-1])[0]
    return tuple(reversed(chosen))


def _entropy_and_value(
    problem: PriceProblem, attribute_index: int, pattern: int
) -> tuple[int, int]:
    """Entropy in steps, and value."""
    if pattern == DELETE_INDEX:
        return 0, 0
    attribute = problem.attributes[attribute_index]
    return round(STEPS_PER_BIT * attribute.entropies[pattern]), attribute.worth[pattern]


def _improve_once(
    problem: PriceProblem, allowed: list[list[int]], candidate: Candidate, holds: Feasibility
) -> Candidate | None:
    """The dearest change of one attribute that holds."""
    gains = sorted(
        (
            (
                _entropy_and_value(problem, attribute_index, pattern)[1]
                - _entropy_and_value(problem, attribute_index, candidate[attribute_index])[1],
                attribute_index,
                pattern,
            )
            for attribute_index, places in enumerate(allowed)
            for pattern in places
        ),
        reverse=True,
    )
    changed_candidates = (
        (*candidate[:attribute_index], pattern, *candidate[attribute_index + 1 :])
        for gain, attribute_index, pattern in gains
        if gain > 0
    )
    return next(
        (changed_candidate for changed_candidate in changed_candidates if holds(changed_candidate)),
        None,
    )
