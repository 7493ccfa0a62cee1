"""Who is in several releases, and who left: joint presence, leavers and joiners.

δ of a class is n_c / N_c, its rows over the people of the source who fit it (Nergiz et al. 2007);
of several releases, the product of a person's δ: how surely who fits the classes of all is in them.
Fewer than k leavers in a class whose rows are linked tell who left (critical absence); a person
whose class kept fewer than k people cannot be saved by any recoding: their joint class is no
larger than what is left of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

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
