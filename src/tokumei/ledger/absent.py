"""What people's classes are from release to release: presence, leavers and joiners, m-invariance.

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
from typing import Any

import numpy as np
import polars as pl

from tokumei.ledger.classes import Recorded
from tokumei.ledger.contribution import UNKNOWN
from tokumei.ledger.together import Figures, Together


@dataclass(frozen=True)
class Absent(Figures):
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


def absent(all_: Together, first: int, second: int, k: int | None) -> Absent:
    """Who left and who joined, between two releases."""
    before, after = all_.classes[:, first], all_.classes[:, second]
    here, there = (all_.place[:, one] != UNKNOWN for one in (first, second))
    least = k or 2
    left, joined = here & ~there, there & ~here
    kept = np.bincount(before[here & there] + 1, minlength=int(before.max(initial=0)) + 2)
    stay = before[here & there] + 1
    return Absent(
        first,
        second,
        int(left.sum()),
        _few(before[left], least),
        int(joined.sum()),
        _few(after[joined], least),
        int((kept[stay] < least).sum()),
    )


def survivors(before: np.ndarray, stays: np.ndarray) -> np.ndarray:
    """For everyone of a release, how many of the class stay."""
    kept = np.bincount(before[stays] + 1, minlength=int(before.max(initial=0)) + 2)
    return np.asarray(kept[before + 1])


def _few(classes: np.ndarray, k: int) -> int:
    """How many of these people share their class with fewer than k of them."""
    sizes = np.bincount(classes + 1)
    return int((sizes[classes + 1] < k).sum())


SURE = 0.9


@dataclass(frozen=True)
class Presence(Figures):
    """The product of the people's δ: mean, largest, and the share of people at .9 or more."""

    mean: float
    largest: float
    sure: float


def presence(all_: Together, chosen: Sequence[int]) -> Presence | None:
    """Of the people in all of the chosen releases; None where it is not known who else fits."""
    people = np.flatnonzero(all_.present(chosen))
    if not len(people) or any("covered" not in all_.releases[i].people.columns for i in chosen):
        return None
    found = np.ones(len(people))
    for one in chosen:
        classes = all_.releases[one].number("class")
        sizes = np.bincount(classes + 1)
        covered = np.maximum(all_.taken("covered", one, people), 1)
        found *= np.minimum(sizes[all_.classes[people, one] + 1] / covered, 1.0)
    return Presence(float(found.mean()), float(found.max()), float((found >= SURE).mean()))


@dataclass(frozen=True)
class Invariance:
    """The share of people whose set of values stayed the same, and the smallest set."""

    people: int
    kept: float
    m: int

    @property
    def holds(self) -> bool:
        """Whether every signature stayed, with two values at least."""
        return self.people > 0 and self.kept == 1.0 and self.m > 1

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**vars(self), "holds": self.holds}


def signatures(release: Recorded, column: int) -> tuple[np.ndarray, np.ndarray]:
    """For every class, a number that only the same set of values gives, and the set's size."""
    of = release.values.filter(pl.col("column") == column)
    classes, values = of["class"].to_numpy(), of["value"].to_numpy()
    number = 1 + int(max(classes.max(initial=-1), release.number("class").max(initial=-1)))
    # Values are 64 keyed bits each, so that their sum (modulo 2^64) tells the set.
    sums = np.zeros(number, dtype=np.uint64)
    np.add.at(sums, classes, values)
    return sums, np.bincount(classes, minlength=number)


def invariance(all_: Together, chosen: Sequence[int], sensitive: int) -> Invariance | None:
    """Between each two consecutive releases; the column that keeps it least."""
    found = [
        one for column in range(sensitive) if (one := _of_column(all_, chosen, column)) is not None
    ]
    return min(found, key=lambda one: (one.kept, one.m), default=None)


def _of_column(all_: Together, chosen: Sequence[int], column: int) -> Invariance | None:
    signed = {one: signatures(all_.releases[one], column) for one in chosen}
    people, kept, least = 0, 0, np.inf
    for before, after in pairwise(chosen):
        both = np.flatnonzero(all_.present((before, after)))
        (one, size), (other, later) = signed[before], signed[after]
        first, second = all_.classes[both, before], all_.classes[both, after]
        same = one[first] == other[second]
        people, kept = people + len(both), kept + int(same.sum())
        sizes = np.minimum(size[first], later[second])
        least = min(least, sizes.min(initial=2**31))
    return Invariance(people, kept / people, int(least)) if people else None
