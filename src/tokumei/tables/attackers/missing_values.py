"""Distances between rows with missing cells (NaN), after Gower.

Gaps on both sides count nothing, a gap on one side what `cost` (a square) says of its column; what
attacks say is the square of the column's range, so that no two values are farther apart.
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.neighbour_search import BLOCK, TIE_TOLERANCE, nearest_points

MAX_PATTERN_PAIRS = 64
"""Up to so many pairs of kinds of rows (by the columns that are missing) are compared by kind."""


def fill_gap_costs(
    squared: np.ndarray, points: np.ndarray, low: np.ndarray, cost: np.ndarray
) -> np.ndarray:
    """Squares of differences per column; where a side has a gap its cost or, if both have, 0.

    What may stand for anything (from −∞) may stand for a gap.
    """
    is_one_sided = (np.isnan(points) != np.isnan(low)) & (low != -np.inf)
    gap_costs = np.where(is_one_sided, cost, 0.0)
    return np.where(np.isnan(squared), gap_costs, squared)


def known_column_means(values: np.ndarray) -> np.ndarray:
    """The mean of each column without its gaps; 0 where there is nothing else."""
    is_known = ~np.isnan(values)
    if is_known.all() and len(values):
        return np.asarray(values.mean(axis=0))
    return np.asarray(values.sum(axis=0, where=is_known) / np.maximum(is_known.sum(axis=0), 1))


def fill_gaps_with_mean(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The values with the known mean of their column in place of gaps."""
    is_gap = np.isnan(values)
    return np.where(is_gap, known_column_means(known), values) if is_gap.any() else values


def append_gap_indicators(values: np.ndarray, mean: np.ndarray, cost: np.ndarray) -> np.ndarray:
    """Gaps as the mean, and a column beside each that marks them: near rows stay near."""
    is_gap = np.isnan(values)
    return np.column_stack([np.where(is_gap, mean, values), is_gap * np.sqrt(cost)])


def nearest_points_with_gaps(
    known: np.ndarray, queries: np.ndarray, cost: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (row of `asked`, row of `known`) that are nearest, all ties.

    Rows with gaps in the same columns are compared at once, by the columns that both kinds have; if
    there are too many such kinds, all rows are compared with all.
    """
    query_gaps, known_gaps = np.isnan(queries), np.isnan(known)
    if not query_gaps.any() and not known_gaps.any():
        return nearest_points(known, queries)
    patterns = _pattern_pairs(query_gaps, known_gaps, cost)
    if len(patterns) > MAX_PATTERN_PAIRS:
        return _search_all_pairs(known, queries, cost)
    best = np.full(len(queries), np.inf)
    query_parts, point_parts, distance_parts = (list[np.ndarray]() for _ in range(3))
    for query_pattern, known_pattern in patterns:
        rows = np.flatnonzero((query_gaps == query_pattern).all(axis=1))
        points = np.flatnonzero((known_gaps == known_pattern).all(axis=1))
        gap_cost = float(cost[query_pattern != known_pattern].sum())
        rows = rows[best[rows] * (1 + TIE_TOLERANCE) ** 2 >= gap_cost]
        query_index, point_index, squared = _nearest_by_columns(
            known[points], queries[rows], ~(query_pattern | known_pattern)
        )
        np.minimum.at(best, rows[query_index], squared + gap_cost)
        query_parts.append(rows[query_index])
        point_parts.append(points[point_index])
        distance_parts.append(squared + gap_cost)
    rows, points, squared = (
        np.concatenate(parts) for parts in (query_parts, point_parts, distance_parts)
    )
    is_nearest = squared <= best[rows] * (1 + TIE_TOLERANCE) ** 2
    return rows[is_nearest], points[is_nearest]


def _pattern_pairs(
    query_gaps: np.ndarray, known_gaps: np.ndarray, cost: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Which columns are missing on either side, the most alike first."""
    query_patterns, known_patterns = np.unique(query_gaps, axis=0), np.unique(known_gaps, axis=0)
    pairs = [
        (query_pattern, known_pattern)
        for query_pattern in query_patterns
        for known_pattern in known_patterns
    ][: MAX_PATTERN_PAIRS + 1]
    return sorted(pairs, key=lambda pair: float(cost[pair[0] != pair[1]].sum()))


def _search_all_pairs(
    known: np.ndarray, queries: np.ndarray, cost: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same by looking at every pair, a block at a time.

    The squares of a block are one product of matrices, which rounds; what may be the least is then
    computed column by column.
    """
    column_means = known_column_means(known)
    query_factors, known_factors = (
        _distance_factors(queries - column_means, cost)[0],
        _distance_factors(known - column_means, cost)[1],
    )
    size = (
        np.abs(query_factors).max(axis=0, initial=0.0)
        * np.abs(known_factors).max(axis=0, initial=0.0)
    ).sum()
    slack = 8 * query_factors.shape[1] * np.finfo(np.float64).eps * size
    step = max(1, BLOCK // len(known))
    pair_blocks = []
    for begin in range(0, len(queries), step):
        squared = query_factors[begin : begin + step] @ known_factors.T
        query_index, point_index = np.nonzero(
            squared <= squared.min(axis=1, keepdims=True) + 2 * slack
        )
        query_points, known_points = queries[begin + query_index], known[point_index]
        exact = fill_gap_costs(
            (query_points - known_points) ** 2, known_points, query_points, cost
        ).sum(axis=1)
        best = np.full(len(squared), np.inf)
        np.minimum.at(best, query_index, exact)
        is_nearest = exact <= best[query_index] * (1 + TIE_TOLERANCE) ** 2
        pair_blocks.append((query_index[is_nearest] + begin, point_index[is_nearest]))
    query_index, point_index = (np.concatenate(parts) for parts in zip(*pair_blocks, strict=True))
    return query_index, point_index


def _distance_factors(values: np.ndarray, cost: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose products with the others' are the squares, gaps at their cost included."""
    is_gap = np.isnan(values)
    is_present, filled_values = (~is_gap).astype(np.float64), np.where(is_gap, 0.0, values)
    query_factors = np.column_stack(
        [filled_values**2, -2 * filled_values, is_present, is_gap * cost, is_present * cost]
    )
    known_factors = np.column_stack(
        [is_present, filled_values, filled_values**2, is_present, is_gap]
    )
    return query_factors, known_factors


def _nearest_by_columns(
    known: np.ndarray, queries: np.ndarray, columns: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nearest pairs by some columns, which nobody lacks, and their squared distances."""
    if not len(queries) or not columns.any():
        query_index = np.repeat(np.arange(len(queries)), len(known))
        return query_index, np.tile(np.arange(len(known)), len(queries)), np.zeros(len(query_index))
    query_index, point_index = nearest_points(known[:, columns], queries[:, columns])
    differences = known[point_index][:, columns] - queries[query_index][:, columns]
    return query_index, point_index, np.asarray((differences * differences).sum(axis=1))
