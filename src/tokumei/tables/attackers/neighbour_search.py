"""Finds nearest points with all ties, on a line or in space.

In space a k-d tree, or blocks of BLAS when the tree is slow: all ways are exact and find the same
ties, so the cheapest is chosen by trying each on a sample.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial import cKDTree

from tokumei.tables.data.guess import ABSTAIN, Guess

TIE_TOLERANCE = 1e-9


def nearest_on_line(candidates: Guess, known: np.ndarray, released: np.ndarray) -> Guess:
    """For each released value the nearest known values of its set.

    Known rows are sorted by (set, value); equal values form one shared candidate set, so that a
    column full of zeros costs no more than any other.
    """
    owner = np.repeat(np.arange(len(candidates.start) - 1), np.diff(candidates.start))
    order = np.lexsort((candidates.rows, known[candidates.rows], owner))
    rows, owner = candidates.rows[order], owner[order]
    values = known[rows]
    run_starts = np.flatnonzero((np.diff(owner) != 0) | (np.diff(values) != 0)) + 1
    runs = (
        np.concatenate([[0], run_starts, [len(rows)]]) if len(rows) else np.zeros(1, dtype=np.int64)
    )
    points = values[runs[:-1]]
    first = np.searchsorted(runs[:-1], candidates.start)
    is_answered = candidates.group != ABSTAIN
    group = np.full(len(released), ABSTAIN, dtype=np.int64)
    low, high = first[candidates.group[is_answered]], first[candidates.group[is_answered] + 1]
    nearest_point, is_tied = _nearest_between(points, low, high, released[is_answered])
    pairs, pair_index = np.unique(nearest_point[is_tied], return_inverse=True)
    nearest_point[is_tied] = len(points) + pair_index
    group[is_answered] = nearest_point
    return _append_tied_pairs(group, runs, rows, pairs)


def _nearest_between(
    points: np.ndarray, low: np.ndarray, high: np.ndarray, queries: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest point between low and high; `tied`: the next point is as near."""
    position = _bisect_ranges(points, low, high, queries)
    left, right = np.maximum(position - 1, low), np.minimum(position, high - 1)
    to_left, to_right = np.abs(queries - points[left]), np.abs(points[right] - queries)
    slack = TIE_TOLERANCE * np.maximum(to_left, to_right)
    is_tied = (left != right) & (np.abs(to_left - to_right) <= slack)
    return np.where(is_tied | (to_left <= to_right), left, right), is_tied


def _bisect_ranges(
    points: np.ndarray, low: np.ndarray, high: np.ndarray, queries: np.ndarray
) -> np.ndarray:
    """First place in [low, high] whose point is not below the value asked for."""
    low, high = low.copy(), high.copy()
    while (is_open := low < high).any():
        middle = (low + high) // 2
        below = is_open & (points[np.minimum(middle, len(points) - 1)] < queries)
        low = np.where(below, middle + 1, low)
        high = np.where(is_open & ~below, middle, high)
    return low


def _append_tied_pairs(
    group: np.ndarray, runs: np.ndarray, rows: np.ndarray, pairs: np.ndarray
) -> Guess:
    """Sets of single points, followed by sets of two neighbouring points."""
    extra = [rows[runs[p] : runs[p + 2]] for p in pairs]
    sizes = np.array([len(part) for part in extra], dtype=np.int64)
    start = np.concatenate([runs, runs[-1] + np.cumsum(sizes)])
    return Guess(group, start, np.concatenate([rows, *extra]))


IndexPairs = tuple[np.ndarray, np.ndarray]

BLOCK = 4_000_000
MAX_SCALED = 1e15
UNDERFLOW_SLACK = 1e-30
TREE_LEAF_SIZE = 32
SAMPLE_QUERIES = 256
SMALL = 20_000_000


def nearest_points(points: np.ndarray, queries: np.ndarray) -> IndexPairs:
    """Pairs (query, point) of every nearest point, ties within 1e-9 included."""
    if len(points) == 1:  # all there is when there are no columns, which a tree refuses
        return np.arange(len(queries)), np.zeros(len(queries), dtype=np.int64)
    tree = cKDTree(points, leafsize=TREE_LEAF_SIZE)
    search_methods: list[Callable[[np.ndarray], IndexPairs]] = [
        lambda query_block: search_by_ball(tree, query_block),
        lambda query_block: search_two_nearest(tree, query_block),
        lambda query_block: search_by_blocks(points, query_block),
    ]
    if len(points) * len(queries) <= SMALL:
        return search_methods[0](queries)
    sample = queries[:: max(1, len(queries) // SAMPLE_QUERIES)]
    return min(search_methods, key=lambda search_method: _process_seconds(search_method, sample))(
        queries
    )


def _process_seconds(
    search_method: Callable[[np.ndarray], IndexPairs], sample: np.ndarray
) -> float:
    """Processor time, which other programs on the machine disturb less than the clock."""
    started = time.process_time()
    search_method(sample)
    return time.process_time() - started


def search_by_ball(tree: cKDTree, queries: np.ndarray) -> IndexPairs:
    """The nearest point, then everything as near. Fast when the nearest is much nearer."""
    distance, nearest_index = map(np.asarray, tree.query(queries, workers=-1))
    reach = distance * (1 + TIE_TOLERANCE)
    ties = tree.query_ball_point(queries, reach, return_length=True, workers=-1)
    return _collect_ties(tree, queries, reach, nearest_index, ties > 1)


def search_two_nearest(tree: cKDTree, queries: np.ndarray) -> IndexPairs:
    """The two nearest points at once. Fast when they are about as near."""
    distance, nearest_index = map(np.asarray, tree.query(queries, k=2, workers=-1))
    reach = distance[:, 0] * (1 + TIE_TOLERANCE)
    return _collect_ties(tree, queries, reach, nearest_index[:, 0], distance[:, 1] <= reach)


def _collect_ties(
    tree: cKDTree,
    queries: np.ndarray,
    reach: np.ndarray,
    nearest_index: np.ndarray,
    is_tied: np.ndarray,
) -> IndexPairs:
    """The nearest point of every query; of those with ties all points within reach."""
    untied_queries, tied_queries = np.flatnonzero(~is_tied), np.flatnonzero(is_tied)
    if not len(tied_queries):
        return untied_queries, nearest_index[untied_queries]
    balls = tree.query_ball_point(
        queries[tied_queries], reach[tied_queries], workers=-1, return_sorted=True
    )
    query_index = np.repeat(tied_queries, [len(ball) for ball in balls])
    return np.concatenate([untied_queries, query_index]), np.concatenate(
        [nearest_index[untied_queries], *balls]
    ).astype(np.int64)


def search_by_blocks(points: np.ndarray, queries: np.ndarray) -> IndexPairs:
    """Nearest points by matrix products, in single precision with an exact second look."""
    middle = points.mean(axis=0)
    # Squares of very large or small numbers do not fit single precision, hence the scale.
    size = float(np.abs(points - middle).max(initial=0.0)) or 1.0
    single = ((points - middle) / size).astype(np.float32)
    squares = (single * single).sum(axis=1)
    step = max(1, BLOCK // len(points))
    starts = range(0, len(queries), step)

    def search(begin: int) -> IndexPairs:
        block = queries[begin : begin + step]
        shifted = np.clip((block - middle) / size, -MAX_SCALED, MAX_SCALED).astype(np.float32)
        query_index, point_index = _search_block(points, single, squares, block, shifted)
        return query_index + begin, point_index

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        query_index, point_index = zip(*pool.map(search, starts), strict=True)
    return np.concatenate(query_index), np.concatenate(point_index)


def _search_block(
    points: np.ndarray,
    single: np.ndarray,
    squares: np.ndarray,
    block: np.ndarray,
    block_single: np.ndarray,
) -> IndexPairs:
    """Everything that rounding may hide the minimum in, then exact distances on that."""
    partial_squares = block_single @ (-2.0 * single).T
    partial_squares += squares
    norm = np.sqrt((block_single.astype(np.float64) ** 2).sum(axis=1))
    low = partial_squares.min(axis=1)
    reach = np.sqrt(np.maximum(low + norm**2, 0.0))
    # |p| ≤ |q| + distance for the true nearest p, which bounds the rounding error of its entry.
    slack = 4 * (block.shape[1] + 4) * np.finfo(np.float32).eps * (2 * norm + reach) ** 2
    limit = np.minimum(low + slack + UNDERFLOW_SLACK, np.finfo(np.float32).max)
    query_index, point_index = np.nonzero(partial_squares <= limit.astype(np.float32)[:, None])
    exact = ((block[query_index] - points[point_index]) ** 2).sum(axis=1)
    best = np.full(len(block), np.inf)
    np.minimum.at(best, query_index, exact)
    is_nearest = exact <= best[query_index] * (1 + TIE_TOLERANCE) ** 2
    return query_index[is_nearest], point_index[is_nearest]
