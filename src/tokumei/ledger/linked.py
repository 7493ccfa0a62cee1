"""What a coalition learns that can tell which rows are of one person.

Joint k of p: |{p′ : c_i(p′) = c_i(p) for all i}|, over the people who are in all releases. A value
is certain if all people with the same classes have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.ledger.entry import Entry
from tokumei.ledger.together import Figures, Together

SMALL = 4_000_000
"""So many possible numbers are counted in a table instead of being sorted."""


@dataclass(frozen=True, eq=False)
class Joint:
    """People grouped by all their classes: the number of everyone's group, and its size."""

    group: np.ndarray
    sizes: np.ndarray

    @property
    def k(self) -> np.ndarray:
        """Everyone's joint k."""
        return np.asarray(self.sizes[self.group])


@dataclass(frozen=True)
class Linked(Figures):
    """The figures of linked releases; shares are of the people in all of them."""

    people: int
    k_min: int | None
    k_median: float | None
    below: float
    below_people: int
    unique: float
    certain: float


NOBODY = Linked(0, None, None, 0.0, 0, 0.0, 0.0)
"""The figures of nobody."""


def joint(columns: Sequence[np.ndarray]) -> Joint:
    """People grouped by several class numbers, which may be −1 (absent) as well."""
    group, count = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        size = int(column.max(initial=-1)) + 2
        group, count = dense(group * size + (column + 1), count * size)
    return Joint(group, np.bincount(group, minlength=count))


def dense(keys: np.ndarray, size: int) -> tuple[np.ndarray, int]:
    """The numbers 0, 1, … for keys below `size`, and how many there are."""
    if size <= max(SMALL, 2 * len(keys)):
        table = np.zeros(size, dtype=bool)
        table[keys] = True
        places = np.cumsum(table, dtype=np.int64) - 1
        return places[keys], int(places[-1]) + 1 if size else 0
    order = np.argsort(keys)
    ordered = keys[order]
    new = np.ones(len(keys), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    found = np.empty(len(keys), dtype=np.int64)
    found[order] = np.cumsum(new) - 1
    return found, int(new.sum())


def same_value(found: Joint, values: np.ndarray) -> np.ndarray:
    """For everyone, whether all of the group have one value."""
    first = np.zeros(len(found.sizes), dtype=values.dtype)
    first[found.group] = values
    other = np.zeros(len(found.sizes), dtype=bool)
    other[found.group[first[found.group] != values]] = True
    return np.asarray(~other[found.group])


def linked_figures(all_: Together, chosen: Sequence[int], k: int | None, sensitive: int) -> Linked:
    """Of the people in all of the chosen releases; `sensitive`: how many columns are."""
    people = np.flatnonzero(all_.present(chosen))
    if not len(people):
        return NOBODY
    found = joint([all_.classes[people, one] for one in chosen])
    certain = np.zeros(len(people), dtype=bool)
    for column in range(sensitive):
        certain |= same_value(found, all_.own(column, chosen[-1], people))
    return figures_of(found, k, certain)


def figures_of(found: Joint, k: int | None, certain: np.ndarray) -> Linked:
    """The figures of people who are grouped."""
    if not len(found.group):
        return NOBODY
    sizes = found.k
    below = int((sizes < (k or 2)).sum())
    return Linked(
        len(sizes),
        int(found.sizes.min()),
        float(np.median(sizes)),
        below / len(sizes),
        below,
        float((sizes == 1).mean()),
        float(certain.mean()),
    )


@dataclass(frozen=True)
class Step:
    """The releases up to one: of the people in all of them, and of everyone in any."""

    name: str
    everywhere: Linked
    anyone: Linked

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "release": self.name,
            "everywhere": self.everywhere.as_json(),
            "anyone": self.anyone.as_json(),
        }


def growth(
    all_: Together, entries: Sequence[Entry], known: Sequence[int], k: int | None, sensitive: int
) -> list[Step]:
    """A step for every release whose link is known."""
    return [
        Step(
            entries[last].name,
            linked_figures(all_, known[: place + 1], k, sensitive),
            anyone(all_, known[: place + 1], k),
        )
        for place, last in enumerate(known)
    ]


def anyone(all_: Together, chosen: Sequence[int], k: int | None) -> Linked:
    """Everyone in any of the releases; not to be in one is told, too."""
    people = np.flatnonzero((all_.place[:, list(chosen)] >= 0).any(axis=1))
    found = joint([all_.classes[people, one] for one in chosen])
    return figures_of(found, k, np.zeros(len(people), dtype=bool))


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
