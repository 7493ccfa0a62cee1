"""What a candidate is really worth when people in too small groups are left out."""

from __future__ import annotations

import numpy as np

from tokumei.price.groups import GroupView
from tokumei.price.problem import DELETE, Candidate, PriceProblem


def real_worth(
    problem: PriceProblem, groups: GroupView, candidate: Candidate, k: int
) -> tuple[int, ...]:
    """The value of every attribute without the people in groups smaller than k."""
    chosen = list(zip(problem.attributes, candidate, strict=True))
    worth = [0 if place == DELETE else one.worth[place] for one, place in chosen]
    if not groups.sizes(candidate).rows_below(k):
        return tuple(worth)
    every, counts = groups.words(candidate)
    small = np.flatnonzero(counts < k)
    for j, ((one, place), words) in enumerate(zip(chosen, every, strict=True)):
        if place != DELETE and words is not None:
            lost = counts[small] @ one.patterns[place].first_prices[words[small]]
            worth[j] -= int(lost)
    return tuple(worth)
