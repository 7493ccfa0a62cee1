"""Finds the tuples that can join a class, so that the search skips the others.

Tuples that are fewer than k together on one level vector are so on every vector below it. So
vectors are split in two again and again; each part is tried once, on the vector above all of it,
and the tuples that fail there are left out for the whole part. What is found stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SMALL_PART = 8
"""Parts of so many vectors are not split: a trial costs as much as a visit."""
MAX_LIST_SHARE = 0.25
"""A list that has more than this share of the waiting tuples is not worth keeping."""
MAX_LIST_FACTOR = 100
"""All lists together have at most so many times the waiting tuples: memory stays small."""

HopefulTuples = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""Of a vector and tuples: the tuples in groups of ≥ k rows there."""


class Shortlists(NamedTuple):
    """`tuples[at[n]:at[n + 1]]` is list n; `of` is the list of each vector, or -1 for none."""

    of: np.ndarray
    at: np.ndarray
    tuples: np.ndarray


def empty_shortlists(vectors: int) -> Shortlists:
    """Every vector looks at all tuples."""
    return Shortlists(np.full(vectors, -1), np.zeros(1, np.int64), np.empty(0, np.int64))


def build_shortlists(
    vectors: np.ndarray, waiting: np.ndarray, hopeful: HopefulTuples
) -> Shortlists:
    """The tuples that vectors have to look at."""
    of, lists = np.full(len(vectors), -1), list[np.ndarray]()
    room = MAX_LIST_FACTOR * len(waiting)
    parts = [(np.arange(len(vectors)), waiting, np.full(vectors.shape[1], -1))]
    while parts:
        part, tuples, tried = parts.pop()
        above = vectors[part].max(axis=0)
        if len(tuples) and (above != tried).any():
            tuples = hopeful(above, tuples)
        if len(part) > SMALL_PART and len(tuples):
            low = _lower_half(vectors[part], above)
            parts += [(part[low], tuples, above), (part[~low], tuples, above)]
        elif len(tuples) <= min(MAX_LIST_SHARE * len(waiting), room):
            of[part], room = len(lists), room - len(tuples)
            lists.append(tuples)
    at = np.cumsum([0, *map(len, lists)])
    return Shortlists(of, at, np.concatenate([*lists, np.empty(0, np.int64)]))


def _lower_half(vectors: np.ndarray, above: np.ndarray) -> np.ndarray:
    """The vectors below the highest level of one column: about half of them."""
    below = vectors < above
    column = np.abs(below.mean(axis=0) - 0.5).argmin()
    return np.asarray(below[:, column])
