"""Assigns known rows one-to-one to released rows at the least sum of distances."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from scipy.spatial import cKDTree

from tokumei.tables.attackers.missing_values import append_gap_indicators, known_column_means
from tokumei.tables.attackers.nearest_rows import ReleasedBoxes
from tokumei.tables.data.guess import ABSTAIN, Guess

DENSE = 1_000_000
MAX_SPARSE_PAIRS = 100_000_000
NEIGHBOUR_COUNT = 30


def assign_in_sets(candidates: Guess, boxes: ReleasedBoxes) -> np.ndarray:
    """A known row per released row, none twice inside a set; ABSTAIN where none is left.

    The sum of distances is minimized, not of their squares: heavy-tailed noise upsets it less.
    Sets up to a million pairs are solved exactly, up to a hundred million on each row's 30
    nearest. Beyond that the matching would take minutes to gain a percent or two over the nearest
    row, and there is no answer; nor is there without SA, which leave nothing to assign by.
    """
    answers = np.full(len(boxes.low), ABSTAIN, dtype=np.int64)
    answered_rows = np.flatnonzero(candidates.answered)
    if not len(answered_rows) or not (boxes.known.shape[1] or boxes.uneven.texts):
        return answers
    answered_rows = answered_rows[np.argsort(candidates.group[answered_rows], kind="stable")]
    set_numbers, begin = np.unique(candidates.group[answered_rows], return_index=True)
    for set_number, members in zip(set_numbers, np.split(answered_rows, begin[1:]), strict=True):
        rows = candidates.rows[candidates.start[set_number] : candidates.start[set_number + 1]]
        answers[members] = _assign_set(boxes, rows, members)
    return answers


def assign_or_nearest(candidates: Guess, boxes: ReleasedBoxes) -> Guess:
    """The assigned row of every released row; where none is left, the nearest of its set."""
    answers = assign_in_sets(candidates, boxes)
    group = np.where(answers == ABSTAIN, candidates.group, ABSTAIN)
    return boxes.nearest(Guess(group, candidates.start, candidates.rows)).overridden_by(answers)


def _assign_set(boxes: ReleasedBoxes, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
    if len(rows) == 1 and len(members) == 1:
        return rows
    if len(rows) * len(members) <= DENSE:
        return _assign_exactly(boxes, rows, members)
    if len(rows) * len(members) <= MAX_SPARSE_PAIRS:
        return _assign_by_neighbours(boxes, rows, members)
    return np.full(len(members), ABSTAIN)


def _assign_exactly(boxes: ReleasedBoxes, rows: np.ndarray, members: np.ndarray) -> np.ndarray:
    left, right = np.repeat(members, len(rows)), np.tile(rows, len(members))
    cost = np.sqrt(boxes.squares(left, right))
    member_index, row_index = linear_sum_assignment(cost.reshape(len(members), len(rows)))
    answers = np.full(len(members), ABSTAIN, dtype=np.int64)
    answers[member_index] = rows[row_index]
    return answers


def _assign_by_neighbours(
    boxes: ReleasedBoxes, rows: np.ndarray, members: np.ndarray
) -> np.ndarray:
    """Assignment on the nearest neighbours; a private way out for rows crowded off them."""
    count, n = min(NEIGHBOUR_COUNT, len(rows)), len(members)
    known_points, released_points, is_exact = assignment_points(boxes, rows, members)
    distance, neighbours = map(
        np.asarray, cKDTree(known_points).query(released_points, k=count, workers=-1)
    )
    if not is_exact:
        distance = np.sqrt(boxes.squares(np.repeat(members, count), rows[neighbours.ravel()]))
    # Sparse graphs take a zero for a missing edge, hence + 1.
    cost = np.append(distance.reshape(n, count), np.full((n, 1), 0.0), axis=1) + 1.0
    cost[:, -1] += 4 * cost[:, :-1].max()
    columns = np.append(neighbours.reshape(n, count), len(rows) + np.arange(n)[:, None], axis=1)
    start = np.arange(n + 1) * (count + 1)
    graph = csr_array((cost.ravel(), columns.ravel(), start), shape=(n, len(rows) + n))
    member_index, row_index = min_weight_full_bipartite_matching(graph)
    answers = np.full(n, ABSTAIN, dtype=np.int64)
    is_assigned = row_index < len(rows)
    answers[member_index[is_assigned]] = rows[row_index[is_assigned]]
    return answers


def assignment_points(
    boxes: ReleasedBoxes, rows: np.ndarray, members: np.ndarray
) -> tuple[np.ndarray, np.ndarray, bool]:
    """Points among which near rows are sought, and whether their distances are those meant."""
    known, low, high = boxes.known[rows], boxes.low[members], boxes.high[members]
    with np.errstate(invalid="ignore"):  # a suppressed cell, from −∞ to ∞, has no middle
        midpoints = (low + high) / 2
    has_gaps = np.isnan(known).any() or np.isnan(low).any()
    if not has_gaps and not boxes.uneven.texts:
        return known, np.where(np.isfinite(midpoints), midpoints, known.mean(axis=0)), True
    mean = known_column_means(known)
    midpoints = np.where(np.isinf(low) | np.isinf(high), mean, midpoints)
    texts = [text.places() for text in boxes.uneven.texts]
    cost = boxes.uneven.cost
    known_points = np.column_stack(
        [append_gap_indicators(known, mean, cost), *(text_points[rows] for text_points, _ in texts)]
    )
    released_points = np.column_stack(
        [
            append_gap_indicators(midpoints, mean, cost),
            *(text_points[members] for _, text_points in texts),
        ]
    )
    return known_points, released_points, False
