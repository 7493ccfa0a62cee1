"""How good a prefix can become: its own patterns, and the best that open attributes may add."""

from __future__ import annotations

from collections.abc import Callable

from tokumei.price.problem import DELETE, Candidate, PriceProblem

Rank = tuple[int, int, int]
"""Value and words, negative, and the order of names: the least is the best.

Ranks add up over attributes, and the sum of the least ranks is a bound on any sum.
"""


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
        self._pairs: dict[tuple[int, int, int, int], bool] = {}

    def of(self, chosen: tuple[int, ...]) -> Rank | None:
        """The best rank below a prefix; None if an open attribute has no pattern left."""
        ranks = [self._rank[place][p] for place, p in zip(self._order, chosen, strict=False)]
        taken = list(zip(self._order, chosen, strict=False))
        for place in self._order[len(chosen) :]:
            best = next((p for p in self._sorted[place] if self._fits(place, p, taken)), None)
            if best is None:
                return None
            ranks.append(self._rank[place][best])
        return (sum(r[0] for r in ranks), sum(r[1] for r in ranks), sum(r[2] for r in ranks))

    def _fits(self, place: int, pattern: int, taken: list[tuple[int, int]]) -> bool:
        if pattern == DELETE:
            return True
        return all(q == DELETE or self._pair(place, pattern, other, q) for other, q in taken)

    def _pair(self, place: int, pattern: int, other: int, another: int) -> bool:
        key = (place, pattern, other, another)
        if key not in self._pairs:
            self._pairs[key] = self._holds(self._only({place: pattern, other: another}))
        return self._pairs[key]

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
