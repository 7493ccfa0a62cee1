"""All coalitions of a few releases: the smallest joint k of each, and which is the worst.

Groups of two are kept while a third is added, so that each coalition costs one more number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.ledger.linked import dense
from tokumei.ledger.together import Together

MOST_COALITIONS = 1500
"""More are sampled, and it is said so: all of up to 3 among 20 releases are 1,350."""


@dataclass(frozen=True)
class Coalition:
    """Some releases, the people in all of them, and how many of these are below k or unique."""

    releases: tuple[int, ...]
    people: int
    k_min: int | None
    below: float
    unique: float

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Plain data, with the names of the releases."""
        return {**vars(self), "releases": [names[one] for one in self.releases]}


def coalitions(
    all_: Together, linked: Sequence[int], k: int | None, *, most: int = 3
) -> tuple[list[Coalition], bool]:
    """Every coalition of 2 to `most` of the releases, and whether all were looked at."""
    chosen = [one for size in range(2, most + 1) for one in combinations(linked, size)]
    whole = len(chosen) <= MOST_COALITIONS
    if not whole:
        pairs = [one for one in chosen if len(one) == 2][:MOST_COALITIONS]
        rest = [one for one in chosen if len(one) > 2]
        drawn = Randomness(0).generator.permutation(len(rest))[: MOST_COALITIONS - len(pairs)]
        chosen = [*pairs, *(rest[one] for one in sorted(drawn))]
    kept: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]] = {}
    return [_figures(all_, one, k, kept) for one in chosen], whole


def worst(found: Sequence[Coalition], size: int = 2) -> Coalition | None:
    """The coalition of a size with the largest share below k."""
    those = [one for one in found if len(one.releases) == size and one.people]
    return max(those, key=lambda one: (one.below, one.unique), default=None)


def _figures(
    all_: Together,
    chosen: tuple[int, ...],
    k: int | None,
    kept: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]],
) -> Coalition:
    people, group, count = _grouped(all_, chosen, kept)
    if not len(people):
        return Coalition(chosen, 0, None, 0.0, 0.0)
    sizes = np.bincount(group, minlength=count)
    n = len(people)
    below = int(sizes[sizes < (k or 2)].sum()) / n
    return Coalition(chosen, n, int(sizes.min()), below, int((sizes == 1).sum()) / n)


def _grouped(
    all_: Together,
    chosen: tuple[int, ...],
    kept: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]],
) -> tuple[np.ndarray, np.ndarray, int]:
    if chosen in kept:
        return kept[chosen]
    *before, last = chosen
    column = all_.classes[:, last]
    if not before:
        people = np.flatnonzero(all_.place[:, last] >= 0)
        group = column[people].astype(np.int64)
        found = people, group, int(group.max(initial=-1)) + 1
    else:
        those, groups, count = _grouped(all_, tuple(before), kept)
        stay = all_.place[those, last] >= 0
        people = those[stay]
        size = int(column.max(initial=0)) + 1
        group, number = dense(groups[stay] * size + column[people], count * size)
        found = people, group, number
    if len(chosen) < 3:
        kept[chosen] = found
    return found
