"""Leavers and joiners: who was in the release before and is not in the next, by class.

Fewer than k leavers in a class whose rows are linked tell who left (critical absence); a person
whose class kept fewer than k people cannot be saved by any recoding: their joint class is no
larger than what is left of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.ledger.contribution import UNKNOWN
from tokumei.ledger.together import Together


@dataclass(frozen=True)
class Absent:
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

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return dict(vars(self))


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
