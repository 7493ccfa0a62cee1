"""Risk from a coalition that can link the rows of one person.

Joint k of p: |{p′ : c_i(p′) = c_i(p) for all i}|, over the people who are in all releases. A value
is certain if all people with the same classes have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tokumei.core.json_types import JsonObject
from tokumei.core.randomness import Randomness
from tokumei.ledger.class_membership import ClassMembership, JsonFigures
from tokumei.ledger.entry import LedgerEntry

MAX_TABLE_SIZE = 4_000_000
"""So many possible numbers are counted in a table instead of being sorted."""


@dataclass(frozen=True, eq=False)
class JointClasses:
    """People grouped by all their classes: the number of everyone's group, and its size."""

    group: np.ndarray
    sizes: np.ndarray

    @property
    def k(self) -> np.ndarray:
        """Everyone's joint k."""
        return np.asarray(self.sizes[self.group])


@dataclass(frozen=True)
class LinkedRisk(JsonFigures):
    """The figures of linked releases; shares are of the people in all of them."""

    people: int
    k_min: int | None
    k_median: float | None
    below: float
    below_people: int
    unique: float
    certain: float


NO_PEOPLE = LinkedRisk(0, None, None, 0.0, 0, 0.0, 0.0)
"""The figures of nobody."""


def group_by_classes(columns: Sequence[np.ndarray]) -> JointClasses:
    """People grouped by several class numbers, which may be −1 (absent) as well."""
    group, count = np.zeros(len(columns[0]), dtype=np.int64), 1
    for column in columns:
        size = int(column.max(initial=-1)) + 2
        group, count = to_dense_codes(group * size + (column + 1), count * size)
    return JointClasses(group, np.bincount(group, minlength=count))


def to_dense_codes(keys: np.ndarray, size: int) -> tuple[np.ndarray, int]:
    """The numbers 0, 1, … for keys below `size`, and how many there are."""
    if size <= max(MAX_TABLE_SIZE, 2 * len(keys)):
        table = np.zeros(size, dtype=bool)
        table[keys] = True
        code_by_key = np.cumsum(table, dtype=np.int64) - 1
        return code_by_key[keys], int(code_by_key[-1]) + 1 if size else 0
    order = np.argsort(keys)
    ordered = keys[order]
    is_first = np.ones(len(keys), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    dense_codes = np.empty(len(keys), dtype=np.int64)
    dense_codes[order] = np.cumsum(is_first) - 1
    return dense_codes, int(is_first.sum())


def is_value_shared(groups: JointClasses, values: np.ndarray) -> np.ndarray:
    """For everyone, whether all of the group have one value."""
    group_value = np.zeros(len(groups.sizes), dtype=values.dtype)
    group_value[groups.group] = values
    has_other_value = np.zeros(len(groups.sizes), dtype=bool)
    has_other_value[groups.group[group_value[groups.group] != values]] = True
    return np.asarray(~has_other_value[groups.group])


def linked_risk(
    membership: ClassMembership, chosen: Sequence[int], k: int | None, sensitive: int
) -> LinkedRisk:
    """Of the people in all of the chosen releases; `sensitive`: how many columns are."""
    people = np.flatnonzero(membership.present(chosen))
    if not len(people):
        return NO_PEOPLE
    groups = group_by_classes([membership.classes[people, release] for release in chosen])
    is_certain = np.zeros(len(people), dtype=bool)
    for column in range(sensitive):
        is_certain |= is_value_shared(groups, membership.own(column, chosen[-1], people))
    return summarize_joint_classes(groups, k, is_certain)


def summarize_joint_classes(groups: JointClasses, k: int | None, certain: np.ndarray) -> LinkedRisk:
    """The figures of people who are grouped."""
    if not len(groups.group):
        return NO_PEOPLE
    sizes = groups.k
    below = int((sizes < (k or 2)).sum())
    return LinkedRisk(
        len(sizes),
        int(groups.sizes.min()),
        float(np.median(sizes)),
        below / len(sizes),
        below,
        float((sizes == 1).mean()),
        float(certain.mean()),
    )


@dataclass(frozen=True)
class GrowthStep:
    """The releases up to one: of the people in all of them, and of everyone in any."""

    name: str
    everywhere: LinkedRisk
    anyone: LinkedRisk

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {
            "release": self.name,
            "everywhere": self.everywhere.as_json(),
            "anyone": self.anyone.as_json(),
        }


def risk_growth(
    membership: ClassMembership,
    entries: Sequence[LedgerEntry],
    linked_releases: Sequence[int],
    k: int | None,
    sensitive: int,
) -> list[GrowthStep]:
    """A step for every release whose link is known."""
    return [
        GrowthStep(
            entries[last].name,
            linked_risk(membership, linked_releases[: index + 1], k, sensitive),
            linked_risk_of_anyone(membership, linked_releases[: index + 1], k),
        )
        for index, last in enumerate(linked_releases)
    ]


def linked_risk_of_anyone(
    membership: ClassMembership, chosen: Sequence[int], k: int | None
) -> LinkedRisk:
    """Everyone in any of the releases; not to be in one is told, too."""
    people = np.flatnonzero((membership.place[:, list(chosen)] >= 0).any(axis=1))
    groups = group_by_classes([membership.classes[people, release] for release in chosen])
    return summarize_joint_classes(groups, k, np.zeros(len(people), dtype=bool))


MAX_COALITIONS = 1500
"""More are sampled, and it is said so: all of up to 3 among 20 releases are 1,350."""


@dataclass(frozen=True)
class CoalitionRisk:
    """Some releases, the people in all of them, and how many of these are below k or unique."""

    releases: tuple[int, ...]
    people: int
    k_min: int | None
    below: float
    unique: float

    def as_json(self, names: Sequence[str]) -> JsonObject:
        """Plain data, with the names of the releases."""
        return {**vars(self), "releases": [names[release] for release in self.releases]}


def coalition_risks(
    membership: ClassMembership, linked: Sequence[int], k: int | None, *, most: int = 3
) -> tuple[list[CoalitionRisk], bool]:
    """Every coalition of 2 to `most` of the releases, and whether all were looked at."""
    coalition_members = [
        members for size in range(2, most + 1) for members in combinations(linked, size)
    ]
    is_complete = len(coalition_members) <= MAX_COALITIONS
    if not is_complete:
        pairs = [members for members in coalition_members if len(members) == 2][:MAX_COALITIONS]
        larger = [members for members in coalition_members if len(members) > 2]
        sampled = Randomness(0).generator.permutation(len(larger))[: MAX_COALITIONS - len(pairs)]
        coalition_members = [*pairs, *(larger[members] for members in sorted(sampled))]
    group_cache: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]] = {}
    return [
        _coalition_risk(membership, members, k, group_cache) for members in coalition_members
    ], is_complete


def worst_coalition(candidates: Sequence[CoalitionRisk], size: int = 2) -> CoalitionRisk | None:
    """The coalition of a size with the largest share below k."""
    of_size = [
        coalition
        for coalition in candidates
        if len(coalition.releases) == size and coalition.people
    ]
    return max(of_size, key=lambda coalition: (coalition.below, coalition.unique), default=None)


def _coalition_risk(
    membership: ClassMembership,
    chosen: tuple[int, ...],
    k: int | None,
    group_cache: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]],
) -> CoalitionRisk:
    people, group, count = _group_people(membership, chosen, group_cache)
    if not len(people):
        return CoalitionRisk(chosen, 0, None, 0.0, 0.0)
    sizes = np.bincount(group, minlength=count)
    n = len(people)
    below = int(sizes[sizes < (k or 2)].sum()) / n
    return CoalitionRisk(chosen, n, int(sizes.min()), below, int((sizes == 1).sum()) / n)


def _group_people(
    membership: ClassMembership,
    chosen: tuple[int, ...],
    group_cache: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray, int]],
) -> tuple[np.ndarray, np.ndarray, int]:
    if chosen in group_cache:
        return group_cache[chosen]
    *before, last = chosen
    column = membership.classes[:, last]
    if not before:
        people = np.flatnonzero(membership.place[:, last] >= 0)
        group = column[people].astype(np.int64)
        grouped = people, group, int(group.max(initial=-1)) + 1
    else:
        earlier_people, earlier_groups, count = _group_people(
            membership, tuple(before), group_cache
        )
        stay = membership.place[earlier_people, last] >= 0
        people = earlier_people[stay]
        size = int(column.max(initial=0)) + 1
        group, number = to_dense_codes(earlier_groups[stay] * size + column[people], count * size)
        grouped = people, group, number
    if len(chosen) < 3:
        group_cache[chosen] = grouped
    return grouped
