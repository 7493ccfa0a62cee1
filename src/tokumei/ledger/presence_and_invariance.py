"""Compares people's classes across releases: presence, leavers, joiners, m-invariance.

δ of a class is n_c / N_c, its rows over the people of the source who fit it (Nergiz et al. 2007);
of several releases, the product of a person's δ: how surely who fits the classes of all is in them.
Fewer than k leavers in a class whose rows are linked tell who left (critical absence); a person
whose class kept fewer than k people cannot be saved by any recoding: their joint class is no
larger than what is left of it.

m-invariance (Xiao & Tao 2007): a person's class shows the same set of values in every release. Then
the intersection of what releases show never shrinks. It is verified between consecutive releases
of people who are in both: the set (signature) is equal, and has at least m values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from tokumei.core.json_types import JsonObject
from tokumei.ledger.class_membership import ClassMembership, JsonFigures
from tokumei.ledger.contribution import UNKNOWN
from tokumei.ledger.recorded_classes import RecordedClasses


@dataclass(frozen=True)
class MembershipChange(JsonFigures):
    """Between two releases: people who left and joined, how many of them stand out."""

    first: int
    second: int
    leavers: int
    leavers_exposed: int
    """In a class that fewer than k left."""
    joiners: int
    joiners_exposed: int
    stranded: int
    """People in both whose first class kept fewer than k."""


def compare_membership(
    all_: ClassMembership, first: int, second: int, k: int | None
) -> MembershipChange:
    """Who left and who joined, between two releases."""
    before, after = all_.classes[:, first], all_.classes[:, second]
    in_first, in_second = (all_.place[:, release] != UNKNOWN for release in (first, second))
    min_size = k or 2
    leavers, joiners = in_first & ~in_second, in_second & ~in_first
    remaining_counts = np.bincount(
        before[in_first & in_second] + 1, minlength=int(before.max(initial=0)) + 2
    )
    remaining_classes = before[in_first & in_second] + 1
    return MembershipChange(
        first,
        second,
        int(leavers.sum()),
        _count_in_small_classes(before[leavers], min_size),
        int(joiners.sum()),
        _count_in_small_classes(after[joiners], min_size),
        int((remaining_counts[remaining_classes] < min_size).sum()),
    )


def count_remaining_in_class(before: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """For everyone of a release, how many of the class stay."""
    remaining_counts = np.bincount(before[stays] + 1, minlength=int(before.max(initial=0)) + 2)
    return np.asarray(remaining_counts[before + 1])


def _count_in_small_classes(classes: np.ndarray, k: int) -> int:
    """How many of these people share their class with fewer than k of them."""
    sizes = np.bincount(classes + 1)
    return int((sizes[classes + 1] < k).sum())


SURE_PRESENCE = 0.9


@dataclass(frozen=True)
class Presence(JsonFigures):
    """The product of the people's δ: mean, largest, and the share of people at .9 or more."""

    mean: float
    largest: float
    sure: float


def delta_presence(all_: ClassMembership, chosen: Sequence[int]) -> Presence | None:
    """Of the people in all of the chosen releases; None where it is not known who else fits."""
    people = np.flatnonzero(all_.present(chosen))
    if not len(people) or any("covered" not in all_.releases[i].people.columns for i in chosen):
        return None
    joint_delta = np.ones(len(people))
    for release in chosen:
        classes = all_.releases[release].people_column("class")
        sizes = np.bincount(classes + 1)
        covered = np.maximum(all_.taken("covered", release, people), 1)
        joint_delta *= np.minimum(sizes[all_.classes[people, release] + 1] / covered, 1.0)
    return Presence(
        float(joint_delta.mean()),
        float(joint_delta.max()),
        float((joint_delta >= SURE_PRESENCE).mean()),
    )


@dataclass(frozen=True)
class MInvariance:
    """The share of people whose set of values stayed the same, and the smallest set."""

    people: int
    kept: float
    m: int

    @property
    def holds(self) -> bool:
        """Whether every signature stayed, with two values at least."""
        return self.people > 0 and self.kept == 1.0 and self.m > 1

    def as_json(self) -> JsonObject:
        """Plain data."""
        return {**vars(self), "holds": self.holds}


def class_signatures(release: RecordedClasses, column: int) -> tuple[np.ndarray, np.ndarray]:
    """For every class, a number that only the same set of values gives, and the set's size."""
    column_values = release.values.filter(pl.col("column") == column)
    classes, values = column_values["class"].to_numpy(), column_values["value"].to_numpy()
    number = 1 + int(max(classes.max(initial=-1), release.people_column("class").max(initial=-1)))
    # Values are 64 keyed bits each, so that their sum (modulo 2^64) tells the set.
    sums = np.zeros(number, dtype=np.uint64)
    np.add.at(sums, classes, values)
    return sums, np.bincount(classes, minlength=number)


def m_invariance(
    all_: ClassMembership, chosen: Sequence[int], sensitive: int
) -> MInvariance | None:
    """Between each two consecutive releases; the column that keeps it least."""
    by_column = [
        result
        for column in range(sensitive)
        if (result := _column_invariance(all_, chosen, column)) is not None
    ]
    return min(by_column, key=lambda result: (result.kept, result.m), default=None)


def _column_invariance(
    all_: ClassMembership, chosen: Sequence[int], column: int
) -> MInvariance | None:
    signatures_by_release = {
        first_signatures: class_signatures(all_.releases[first_signatures], column)
        for first_signatures in chosen
    }
    people, kept_count, smallest = 0, 0, np.inf
    for before, after in pairwise(chosen):
        common_people = np.flatnonzero(all_.present((before, after)))
        (first_signatures, first_sizes), (second_signatures, second_sizes) = (
            signatures_by_release[before],
            signatures_by_release[after],
        )
        first, second = all_.classes[common_people, before], all_.classes[common_people, after]
        same = first_signatures[first] == second_signatures[second]
        people, kept_count = people + len(common_people), kept_count + int(same.sum())
        sizes = np.minimum(first_sizes[first], second_sizes[second])
        smallest = min(smallest, sizes.min(initial=2**31))
    return MInvariance(people, kept_count / people, int(smallest)) if people else None
