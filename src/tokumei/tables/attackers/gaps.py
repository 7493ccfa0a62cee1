"""Distances where cells are missing (NaN), after Gower: by the columns that both rows have.

A gap on one side counts as one standard deviation, gaps on both sides count nothing.
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.neighbours import TIE, nearest_points


def with_gaps(squared: np.ndarray, points: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Squares of differences per column; where a side has a gap, 1 or, if both have, 0."""
    return np.where(np.isnan(squared), np.isnan(points) != np.isnan(low), squared)


def marked(values: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Gaps as the mean, and a column beside each that marks them: near rows stay near."""
    gaps = np.isnan(values)
    return np.column_stack([np.where(gaps, mean, values), gaps])


def nearest_points_with_gaps(known: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (row of `asked`, row of `known`) that are nearest, all ties.

    Rows with gaps in the same columns are compared at once, by the columns that both kinds have.
    """
    left, right = np.isnan(asked), np.isnan(known)
    if not left.any() and not right.any():
        return nearest_points(known, asked)
    best = np.full(len(asked), np.inf)
    who, near, far = (list[np.ndarray]() for _ in range(3))
    for mine, theirs in _pairs_of_patterns(left, right):
        rows = np.flatnonzero((left == mine).all(axis=1))
        points = np.flatnonzero((right == theirs).all(axis=1))
        apart = float((mine != theirs).sum())
        rows = rows[best[rows] >= apart]
        one, other, squared = _among(known[points], asked[rows], ~(mine | theirs))
        np.minimum.at(best, rows[one], squared + apart)
        who.append(rows[one])
        near.append(points[other])
        far.append(squared + apart)
    rows, points, squared = (np.concatenate(parts) for parts in (who, near, far))
    keep = squared <= best[rows] * (1 + TIE) ** 2
    return rows[keep], points[keep]


def _pairs_of_patterns(left: np.ndarray, right: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Which columns are missing on either side, the most alike first."""
    mine, theirs = np.unique(left, axis=0), np.unique(right, axis=0)
    pairs = [(one, other) for one in mine for other in theirs]
    return sorted(pairs, key=lambda pair: int((pair[0] != pair[1]).sum()))


def _among(
    known: np.ndarray, asked: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nearest pairs by some columns, which nobody lacks, and their squared distances."""
    if not len(asked) or not columns.any():
        one = np.repeat(np.arange(len(asked)), len(known))
        return one, np.tile(np.arange(len(known)), len(asked)), np.zeros(len(one))
    one, other = nearest_points(known[:, columns], asked[:, columns])
    apart = known[other][:, columns] - asked[one][:, columns]
    return one, other, np.asarray((apart * apart).sum(axis=1))
