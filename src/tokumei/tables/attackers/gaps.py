"""Distances where cells are missing (NaN), after Gower: by the columns that both rows have.

Gaps on both sides count nothing, a gap on one side what `cost` (a square) says of its column; what
attacks say is the square of the column's range, so that no two values are farther apart.
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.neighbours import BLOCK, TIE, nearest_points

PATTERNS = 64
"""Up to so many pairs of kinds of rows (by the columns that are missing) are compared by kind."""


def with_gaps(
    squared: np.ndarray, points: np.ndarray, low: np.ndarray, cost: np.ndarray
) -> np.ndarray:
    """Squares of differences per column; where a side has a gap its cost or, if both have, 0.

    What may stand for anything (from −∞) may stand for a gap.
    """
    differ = (np.isnan(points) != np.isnan(low)) & (low != -np.inf)
    one_sided = np.where(differ, cost, 0.0)
    return np.where(np.isnan(squared), one_sided, squared)


def known_means(values: np.ndarray) -> np.ndarray:
    """The mean of each column without its gaps; 0 where there is nothing else."""
    known = ~np.isnan(values)
    if known.all() and len(values):
        return np.asarray(values.mean(axis=0))
    return np.asarray(values.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1))


def filled(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The values with the known mean of their column in place of gaps."""
    gaps = np.isnan(values)
    return np.where(gaps, known_means(known), values) if gaps.any() else values


def marked(values: np.ndarray, mean: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Gaps as the mean, and a column beside each that marks them: near rows stay near."""
    gaps = np.isnan(values)
    return np.column_stack([np.where(gaps, mean, values), gaps * np.sqrt(cost)])


def nearest_points_with_gaps(
    known: np.ndarray, asked: np.ndarray, cost: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (row of `asked`, row of `known`) that are nearest, all ties.

    Rows with gaps in the same columns are compared at once, by the columns that both kinds have; if
    there are too many such kinds, all rows are compared with all.
    """
    left, right = np.isnan(asked), np.isnan(known)
    if not left.any() and not right.any():
        return nearest_points(known, asked)
    patterns = _pairs_of_patterns(left, right, cost)
    if len(patterns) > PATTERNS:
        return _all_pairs(known, asked, cost)
    best = np.full(len(asked), np.inf)
    who, near, far = (list[np.ndarray]() for _ in range(3))
    for mine, theirs in patterns:
        rows = np.flatnonzero((left == mine).all(axis=1))
        points = np.flatnonzero((right == theirs).all(axis=1))
        apart = float(cost[mine != theirs].sum())
        rows = rows[best[rows] * (1 + TIE) ** 2 >= apart]
        one, other, squared = _among(known[points], asked[rows], ~(mine | theirs))
        np.minimum.at(best, rows[one], squared + apart)
        who.append(rows[one])
        near.append(points[other])
        far.append(squared + apart)
    rows, points, squared = (np.concatenate(parts) for parts in (who, near, far))
    keep = squared <= best[rows] * (1 + TIE) ** 2
    return rows[keep], points[keep]


def _pairs_of_patterns(
    left: np.ndarray, right: np.ndarray, cost: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Which columns are missing on either side, the most alike first."""
    mine, theirs = np.unique(left, axis=0), np.unique(right, axis=0)
    pairs = [(one, other) for one in mine for other in theirs][: PATTERNS + 1]
    return sorted(pairs, key=lambda pair: float(cost[pair[0] != pair[1]].sum()))


def _all_pairs(
    known: np.ndarray, asked: np.ndarray, cost: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same by looking at every pair, a block at a time.

    The squares of a block are one product of matrices, which rounds; what may be the least is then
    computed column by column.
    """
    middle = known_means(known)
    left, right = _factors(asked - middle, cost)[0], _factors(known - middle, cost)[1]
    size = (np.abs(left).max(axis=0, initial=0.0) * np.abs(right).max(axis=0, initial=0.0)).sum()
    slack = 8 * left.shape[1] * np.finfo(np.float64).eps * size
    step = max(1, BLOCK // len(known))
    found = []
    for begin in range(0, len(asked), step):
        squared = left[begin : begin + step] @ right.T
        who, near = np.nonzero(squared <= squared.min(axis=1, keepdims=True) + 2 * slack)
        one, other = asked[begin + who], known[near]
        exact = with_gaps((one - other) ** 2, other, one, cost).sum(axis=1)
        best = np.full(len(squared), np.inf)
        np.minimum.at(best, who, exact)
        keep = exact <= best[who] * (1 + TIE) ** 2
        found.append((who[keep] + begin, near[keep]))
    who, near = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return who, near


def _factors(values: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose products with the others' are the squares, gaps at their cost included."""
    gaps = np.isnan(values)
    there, plain = (~gaps).astype(np.float64), np.where(gaps, 0.0, values)
    mine = np.column_stack([plain**2, -2 * plain, there, gaps * cost, there * cost])
    theirs = np.column_stack([there, plain, plain**2, there, gaps])
    return mine, theirs


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
