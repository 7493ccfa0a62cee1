"""How often people of two releases are linked: by cells and classes, or by what they do again.

By cells: a guess is one of the rows that show the same, in a class that may hold the same person.
By profiles, purchases for example: how often a value occurs in a column of a class, log(1 + times)
· √log(classes / classes with the value), of length one. Profiles are compared by their cosines,
added up over the columns; who is guessed is one of the people of the class of the second release
that is most alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.ledger.contribution import Fits
from tokumei.ledger.linked import dense, joint
from tokumei.ledger.together import Together

MOST_PAIRS = 400_000_000
"""More pairs of classes are not compared."""
BLOCK = 512
ALIKE = 1e-9


def profile_links(all_: Together, pair: tuple[int, int], people: np.ndarray) -> float | None:
    """The expected share of people who are found by their profiles; None where there are none."""
    shown = [all_.releases[one].profile for one in pair]
    first, second = shown
    if first is None or second is None:
        return None
    sizes = [int(all_.classes[:, one].max(initial=-1)) + 1 for one in pair]
    if float(sizes[0]) * sizes[1] > MOST_PAIRS:
        return None
    columns = sorted(set(first["column"]) & set(second["column"]))
    parts = [_vectors(first, second, column, sizes) for column in columns]
    known = all_.classes[all_.place[:, pair[1]] >= 0, pair[1]]
    many = np.bincount(known, minlength=sizes[1])
    own = all_.classes[people, pair[0]], all_.classes[people, pair[1]]
    return float(_chances(parts, many, *own).mean())


def _chances(
    parts: list[tuple[sparse.csr_array, sparse.csr_array]],
    many: np.ndarray,
    first: np.ndarray,
    second: np.ndarray,
) -> np.ndarray:
    """For people in classes of both, how likely a guess by profiles is right."""
    found = np.zeros(len(first))
    order = np.argsort(first, kind="stable")
    for begin in range(0, len(order), BLOCK):
        rows = order[begin : begin + BLOCK]
        scores = np.zeros((len(rows), len(many)))
        for left, right in parts:
            scores += (left[first[rows]] @ right.T).toarray()
        scores[:, many == 0] = -1.0
        best = scores >= scores.max(axis=1, keepdims=True) - ALIKE
        inside = best[np.arange(len(rows)), second[rows]]
        found[rows] = inside / (best @ many)
    return found


def _vectors(
    first: pl.DataFrame, second: pl.DataFrame, column: int, sizes: list[int]
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Classes × values of both releases, weighted by rarity, of length one."""
    both = [one.filter(pl.col("column") == column) for one in (first, second)]
    _, place = np.unique(
        np.concatenate([one["value"].to_numpy() for one in both]), return_inverse=True
    )
    width = int(place.max(initial=-1)) + 1
    at = np.split(place, [both[0].height])
    tables = [
        sparse.csr_array(
            (np.log1p(one["rows"].to_numpy()), (one["class"].to_numpy(), where)),
            shape=(size, width),
        )
        for one, where, size in zip(both, at, sizes, strict=True)
    ]
    owners = np.bincount(place, minlength=width)
    rarity = sparse.diags_array(np.sqrt(np.log(max(sum(sizes), 1) / np.maximum(owners, 1))))
    left, right = (_unit(one @ rarity) for one in tables)
    return left, right


def _unit(table: sparse.csr_array) -> sparse.csr_array:
    length = np.sqrt(np.asarray(table.multiply(table).sum(axis=1)).ravel())
    return sparse.csr_array(sparse.diags_array(1 / np.where(length > 0, length, 1.0)) @ table)


MOST = 50_000_000
"""More pairs of classes are not looked at: then only the shared columns are used."""


def expected_links(
    all_: Together, pair: tuple[int, int], people: np.ndarray, places: Sequence[tuple[int, int]]
) -> tuple[float, bool]:
    """The expected share of people whose row in the second file is guessed from the first.

    A guess is drawn from the rows with the same cells in all shared columns, in a class that may
    hold whom the first class may hold. Also whether classes were looked at.
    """
    vector, right, later = _shared_cells(all_, pair, people, places)
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


def _shared_cells(
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
