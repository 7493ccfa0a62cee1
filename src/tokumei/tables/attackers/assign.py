"""One-to-one answers: the cheapest assignment of released rows to known rows inside each set."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from scipy.spatial import cKDTree

from tokumei.tables.attackers.nearest import box_distances
from tokumei.tables.data.guess import ABSTAIN, Guess

DENSE = 1_000_000
SPARSE = 100_000_000
NEIGHBOURS = 30


def assign_in_sets(
    found: Guess, known: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """A known row per released row, none twice inside a set; ABSTAIN where none is left.

    The sum of distances is minimized, not of their squares: heavy-tailed noise upsets it less.
    Sets up to a million pairs are solved exactly, up to a hundred million on each row's 30
    nearest. Beyond that the matching would take minutes to gain a percent or two over the nearest
    row, and there is no answer; nor is there without SA, which leave nothing to assign by.
    """
    answers = np.full(len(low), ABSTAIN, dtype=np.int64)
    asked = np.flatnonzero(found.group != ABSTAIN)
    if not len(asked) or not known.shape[1]:
        return answers
    asked = asked[np.argsort(found.group[asked], kind="stable")]
    numbers, begin = np.unique(found.group[asked], return_index=True)
    for number, members in zip(numbers, np.split(asked, begin[1:]), strict=True):
        rows = found.rows[found.start[number] : found.start[number + 1]]
        answers[members] = _assign(rows, known, members, low, high)
    return answers


def _assign(
    rows: np.ndarray, known: np.ndarray, members: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    if len(rows) == 1 and len(members) == 1:
        return rows
    if len(rows) * len(members) <= DENSE:
        return _dense(rows, known[rows], low[members], high[members])
    if len(rows) * len(members) <= SPARSE:
        return _sparse(rows, known[rows], low[members], high[members])
    return np.full(len(members), ABSTAIN)


def _dense(rows: np.ndarray, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    left = np.repeat(np.arange(len(low)), len(rows))
    right = np.tile(np.arange(len(rows)), len(low))
    cost = np.sqrt(box_distances(known[right], low[left], high[left]))
    who, what = linear_sum_assignment(cost.reshape(len(low), len(rows)))
    answers = np.full(len(low), ABSTAIN, dtype=np.int64)
    answers[who] = rows[what]
    return answers


def _sparse(rows: np.ndarray, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Assignment on the nearest neighbours; a private way out for rows crowded off them."""
    with np.errstate(invalid="ignore"):  # a suppressed cell, from −∞ to ∞, has no middle
        middle = (low + high) / 2
    middle = np.where(np.isfinite(middle), middle, known.mean(axis=0))
    count = min(NEIGHBOURS, len(rows))
    distance, near = map(np.asarray, cKDTree(known).query(middle, k=count, workers=-1))
    n = len(low)
    # Sparse graphs take a zero for a missing edge, hence + 1.
    cost = np.append(distance.reshape(n, count), np.full((n, 1), 0.0), axis=1) + 1.0
    cost[:, -1] += 4 * cost[:, -2].max()
    columns = np.append(near.reshape(n, count), len(rows) + np.arange(n)[:, None], axis=1)
    start = np.arange(n + 1) * (count + 1)
    graph = csr_array((cost.ravel(), columns.ravel(), start), shape=(n, len(rows) + n))
    who, what = min_weight_full_bipartite_matching(graph)
    answers = np.full(n, ABSTAIN, dtype=np.int64)
    inside = what < len(rows)
    answers[who[inside]] = rows[what[inside]]
    return answers
