"""Which classes of two releases may hold one person, and how often that finds the right row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse

from tokumei.ledger.contribution import Fits
from tokumei.ledger.linked import dense, joint
from tokumei.ledger.together import Together

MOST = 50_000_000
"""More pairs of classes are not looked at: then only the shared columns are used."""


def expected_links(
    all_: Together, pair: tuple[int, int], people: np.ndarray, places: Sequence[tuple[int, int]]
) -> tuple[float, bool]:
    """The expected share of people whose row in the second file is guessed from the first.

    A guess is drawn from the rows with the same cells in all shared columns, in a class that may
    hold whom the first class may hold. Also whether classes were looked at.
    """
    vector, right, later = _vectors(all_, pair, people, places)
    of_second = all_.classes[all_.place[:, pair[1]] >= 0, pair[1]]
    allowed = compatible(all_, pair, people)
    if allowed is None:
        rows = np.bincount(right, minlength=int(vector.max(initial=0)) + 1)[vector]
    else:
        size = max(int(vector.max(initial=0)), int(right.max(initial=0))) + 1
        counts = _counted(of_second, right, (allowed.shape[1], size))
        reach = (allowed @ counts).tocsr()
        rows = np.asarray(reach[all_.classes[people, pair[0]], vector]).ravel()
    return float(((later == vector) / np.maximum(rows, 1)).mean()), allowed is not None


def compatible(
    all_: Together, pair: tuple[int, int], people: np.ndarray
) -> sparse.csr_array | None:
    """Classes × classes: whether somebody fits both; None where that is unknown, or too many."""
    fits = [all_.releases[one].patterns for one in pair]
    of = [all_.taken("fit", one, people) for one in pair]
    if any((one < 0).any() for one in of):
        return None
    grouped = joint(of)
    first = np.zeros(len(grouped.sizes), dtype=np.int64)
    first[grouped.group] = np.arange(len(people))
    patterns = [one[first] for one in of]
    sizes = [np.diff(one.start)[p] for one, p in zip(fits, patterns, strict=True)]
    if float((sizes[0].astype(float) * sizes[1]).sum()) > MOST:
        return None
    wide = [int(all_.classes[:, one].max(initial=0)) + 1 for one in pair]
    left, right = (
        _spread(one, chosen, size, width)
        for one, chosen, size, width in zip(fits, patterns, sizes, wide, strict=True)
    )
    found: sparse.csr_array = (left.T @ right).tocsr()
    found.data[:] = 1
    return found


def _spread(fits: Fits, patterns: np.ndarray, sizes: np.ndarray, width: int) -> sparse.csr_array:
    """Patterns × classes."""
    start = np.concatenate([[0], np.cumsum(sizes)])
    within = np.arange(start[-1]) - np.repeat(start[:-1], sizes)
    classes = fits.classes[np.repeat(fits.start[patterns], sizes) + within]
    width = max(width, int(classes.max(initial=-1)) + 1)
    ones = np.ones(len(classes), dtype=np.int32)
    return sparse.csr_array((ones, classes, start), shape=(len(sizes), width))


def _counted(classes: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    ones = np.ones(len(classes), dtype=np.int32)
    wide = (max(shape[0], int(classes.max(initial=-1)) + 1), shape[1])
    return sparse.coo_array((ones, (classes, values)), shape=wide).tocsr()[: shape[0]]


def _vectors(
    all_: Together, pair: tuple[int, int], people: np.ndarray, places: Sequence[tuple[int, int]]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The shared cells as numbers: of the people in the first, of everyone in the second, and of
    the same people in the second."""
    everyone = np.flatnonzero(all_.place[:, pair[1]] >= 0)
    left, right = np.zeros(len(people), np.int64), np.zeros(len(everyone), np.int64)
    for first, second in places:
        both = np.concatenate(
            [all_.cell(first, pair[0], people), all_.cell(second, pair[1], everyone)]
        )
        _, codes = np.unique(both, return_inverse=True)
        keys = np.concatenate([left, right]) * (int(codes.max(initial=0)) + 1) + codes
        mixed, _ = dense(keys, 2**62)
        left, right = mixed[: len(people)], mixed[len(people) :]
    return left, right, right[np.searchsorted(everyone, people)]
