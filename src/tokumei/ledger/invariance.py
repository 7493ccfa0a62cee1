"""m-invariance (Xiao & Tao 2007): a person's class shows the same set of values in every release.

Then the intersection of what releases show never shrinks. It is verified between consecutive
releases of people who are in both: the set (signature) is equal, and has at least m values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from tokumei.ledger.classes import Recorded
from tokumei.ledger.together import Together


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
