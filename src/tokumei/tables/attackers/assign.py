"""One-to-one answers: known rows assigned to released rows at the least sum of distances."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from scipy.spatial import cKDTree

from tokumei.tables.attackers.gaps import known_means, marked
from tokumei.tables.attackers.nearest import Boxes
from tokumei.tables.data.guess import ABSTAIN, Guess

DENSE = 1_000_000
SPARSE = 100_000_000
NEIGHBOURS = 30


def assign_in_sets(found: Guess, boxes: Boxes) -> np.ndarray:
    """A known row per released row, none twice inside a set; ABSTAIN where none is left.

    The sum of distances is minimized, not of their squares: heavy-tailed noise upsets it less.
    Sets up to a million pairs are solved exactly, up to a hundred million on each row's 30
    nearest. Beyond that the matching would take minutes to gain a percent or two over the nearest
    row, and there is no answer; nor is there without SA, which leave nothing to assign by.
    """
    answers = np.full(len(boxes.low), ABSTAIN, dtype=np.int64)
    asked = np.flatnonzero(found.answered)
    if not len(asked) or not (boxes.known.shape[1] or boxes.uneven.texts):
        return answers
    asked = asked[np.argsort(found.group[asked], kind="stable")]
    numbers, begin = np.unique(found.group[asked], return_index=True)
    for number, members in zip(numbers, np.split(asked, begin[1:]), strict=True):
        rows = found.rows[found.start[number] : found.start[number + 1]]
        answers[members] = _assign(boxes, rows, members)
    return answers


def assigned(found: Guess, boxes: Boxes) -> Guess:
    """The assigned row of every released row; where none is left, the nearest of its set."""
    answers = assign_in_sets(found, boxes)
    group = np.where(answers == ABSTAIN, found.group, ABSTAIN)
    return boxes.nearest(Guess(group, found.start, found.rows)).overridden_by(answers)


def _assign(boxes: Boxes, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
    if len(rows) == 1 and len(members) == 1:
        return rows
    if len(rows) * len(members) <= DENSE:
        return _dense(boxes, rows, members)
    if len(rows) * len(members) <= SPARSE:
        return _sparse(boxes, rows, members)
    return np.full(len(members), ABSTAIN)


def _dense(boxes: Boxes, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
    left, right = np.repeat(members, len(rows)), np.tile(rows, len(members))
    cost = np.sqrt(boxes.squares(left, right))
    who, what = linear_sum_assignment(cost.reshape(len(members), len(rows)))
    answers = np.full(len(members), ABSTAIN, dtype=np.int64)
    answers[who] = rows[what]
    return answers


def _sparse(boxes: Boxes, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Assignment on the nearest neighbours; a private way out for rows crowded off them."""
    count, n = min(NEIGHBOURS, len(rows)), len(members)
    places, asked, exact = places_of(boxes, rows, members)
    distance, near = map(np.asarray, cKDTree(places).query(asked, k=count, workers=-1))
    if not exact:
        distance = np.sqrt(boxes.squares(np.repeat(members, count), rows[near.ravel()]))
    # Sparse graphs take a zero for a missing edge, hence + 1.
    cost = np.append(distance.reshape(n, count), np.full((n, 1), 0.0), axis=1) + 1.0
    cost[:, -1] += 4 * cost[:, :-1].max()
    columns = np.append(near.reshape(n, count), len(rows) + np.arange(n)[:, None], axis=1)
    start = np.arange(n + 1) * (count + 1)
    graph = csr_array((cost.ravel(), columns.ravel(), start), shape=(n, len(rows) + n))
    who, what = min_weight_full_bipartite_matching(graph)
    answers = np.full(n, ABSTAIN, dtype=np.int64)
    inside = what < len(rows)
    answers[who[inside]] = rows[what[inside]]
    return answers


def places_of(
    boxes: Boxes, rows: np.ndarray, members: np.ndarray
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Points among which near rows are sought, and whether their distances are those meant."""
    known, low, high = boxes.known[rows], boxes.low[members], boxes.high[members]
    with np.errstate(invalid="ignore"):  # a suppressed cell, from −∞ to ∞, has no middle
        middle = (low + high) / 2
    gaps = np.isnan(known).any() or np.isnan(low).any()
    if not gaps and not boxes.uneven.texts:
        return known, np.where(np.isfinite(middle), middle, known.mean(axis=0)), True
    mean = known_means(known)
    middle = np.where(np.isinf(low) | np.isinf(high), mean, middle)
    texts = [text.places() for text in boxes.uneven.texts]
    cost = boxes.uneven.cost
    places = np.column_stack([marked(known, mean, cost), *(one[rows] for one, _ in texts)])
    asked = np.column_stack([marked(middle, mean, cost), *(one[members] for _, one in texts)])
    return places, asked, False
