"""Nearest points with all ties: on a line inside candidate sets, in space for many queries.

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

TIE = 1e-9


def nearest_on_line(found: Guess, known: np.ndarray, released: np.ndarray) -> Guess:
    """For each released value the nearest known values of its set.

    Known rows are sorted by (set, value); equal values form one shared candidate set, so that a
    column full of zeros costs no more than any other.
    """
    owner = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
    order = np.lexsort((found.rows, known[found.rows], owner))
    rows, owner = found.rows[order], owner[order]
    values = known[rows]
    new = np.flatnonzero((np.diff(owner) != 0) | (np.diff(values) != 0)) + 1
    runs = np.concatenate([[0], new, [len(rows)]]) if len(rows) else np.zeros(1, dtype=np.int64)
    points = values[runs[:-1]]
    first = np.searchsorted(runs[:-1], found.start)
    asked = found.group != ABSTAIN
    group = np.full(len(released), ABSTAIN, dtype=np.int64)
    low, high = first[found.group[asked]], first[found.group[asked] + 1]
    near, tied = _nearest(points, low, high, released[asked])
    pairs, which = np.unique(near[tied], return_inverse=True)
    near[tied] = len(points) + which
    group[asked] = near
    return _with_pairs(group, runs, rows, pairs)


def _nearest(
    points: np.ndarray, low: np.ndarray, high: np.ndarray, asked: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest point between low and high; `tied`: the next point is as near."""
    place = _bisect(points, low, high, asked)
    left, right = np.maximum(place - 1, low), np.minimum(place, high - 1)
    to_left, to_right = np.abs(asked - points[left]), np.abs(points[right] - asked)
    slack = TIE * np.maximum(to_left, to_right)
    tied = (left != right) & (np.abs(to_left - to_right) <= slack)
    return np.where(tied | (to_left <= to_right), left, right), tied


def _bisect(points: np.ndarray, low: np.ndarray, high: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """First place in [low, high] whose point is not below the value asked for."""
    low, high = low.copy(), high.copy()
    while (wide := low < high).any():
        middle = (low + high) // 2
        below = wide & (points[np.minimum(middle, len(points) - 1)] < asked)
        low = np.where(below, middle + 1, low)
        high = np.where(wide & ~below, middle, high)
    return low


def _with_pairs(group: np.ndarray, runs: np.ndarray, rows: np.ndarray, pairs: np.ndarray) -> Guess:
    """Sets of single points, followed by sets of two neighbouring points."""
    extra = [rows[runs[p] : runs[p + 2]] for p in pairs]
    sizes = np.array([len(part) for part in extra], dtype=np.int64)
    start = np.concatenate([runs, runs[-1] + np.cumsum(sizes)])
    return Guess(group, start, np.concatenate([rows, *extra]))


Pairs = tuple[np.ndarray, np.ndarray]

BLOCK = 4_000_000
FAR = 1e15
UNDERFLOW = 1e-30
LEAF = 32
SAMPLE = 256
SMALL = 20_000_000


def nearest_points(points: np.ndarray, queries: np.ndarray) -> Pairs:
    """Pairs (query, point) of every nearest point, ties within 1e-9 included."""
    if len(points) == 1:  # all there is when there are no columns, which a tree refuses
        return np.arange(len(queries)), np.zeros(len(queries), dtype=np.int64)
    tree = cKDTree(points, leafsize=LEAF)
    ways: list[Callable[[np.ndarray], Pairs]] = [
        lambda asked: by_ball(tree, asked),
        lambda asked: by_tree(tree, asked),
        lambda asked: by_blocks(points, asked),
    ]
    if len(points) * len(queries) <= SMALL:
        return ways[0](queries)
    sample = queries[:: max(1, len(queries) // SAMPLE)]
    return min(ways, key=lambda way: _cost(way, sample))(queries)


def _cost(way: Callable[[np.ndarray], Pairs], sample: np.ndarray) -> float:
    """Processor time, which other programs on the machine disturb less than the clock."""
    started = time.process_time()
    way(sample)
    return time.process_time() - started


def by_ball(tree: cKDTree, queries: np.ndarray) -> Pairs:
    """The nearest point, then everything as near. Fast when the nearest is much nearer."""
    distance, near = map(np.asarray, tree.query(queries, workers=-1))
    reach = distance * (1 + TIE)
    ties = tree.query_ball_point(queries, reach, return_length=True, workers=-1)
    return _with_ties(tree, queries, reach, near, ties > 1)


def by_tree(tree: cKDTree, queries: np.ndarray) -> Pairs:
    """The two nearest points at once. Fast when they are about as near."""
    distance, near = map(np.asarray, tree.query(queries, k=2, workers=-1))
    reach = distance[:, 0] * (1 + TIE)
    return _with_ties(tree, queries, reach, near[:, 0], distance[:, 1] <= reach)


def _with_ties(
    tree: cKDTree, queries: np.ndarray, reach: np.ndarray, near: np.ndarray, ties: np.ndarray
) -> Pairs:
    """The nearest point of every query; of those with ties all points within reach."""
    alone, tied = np.flatnonzero(~ties), np.flatnonzero(ties)
    if not len(tied):
        return alone, near[alone]
    balls = tree.query_ball_point(queries[tied], reach[tied], workers=-1, return_sorted=True)
    who = np.repeat(tied, [len(ball) for ball in balls])
    return np.concatenate([alone, who]), np.concatenate([near[alone], *balls]).astype(np.int64)


def by_blocks(points: np.ndarray, queries: np.ndarray) -> Pairs:
    """Nearest points by matrix products, in single precision with an exact second look."""
    middle = points.mean(axis=0)
    # Squares of very large or small numbers do not fit single precision, hence the scale.
    size = float(np.abs(points - middle).max(initial=0.0)) or 1.0
    single = ((points - middle) / size).astype(np.float32)
    squares = (single * single).sum(axis=1)
    step = max(1, BLOCK // len(points))
    starts = range(0, len(queries), step)

    def search(begin: int) -> Pairs:
        block = queries[begin : begin + step]
        shifted = np.clip((block - middle) / size, -FAR, FAR).astype(np.float32)
        who, near = _block(points, single, squares, block, shifted)
        return who + begin, near

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        who, near = zip(*pool.map(search, starts), strict=True)
    return np.concatenate(who), np.concatenate(near)


def _block(
    points: np.ndarray,
    single: np.ndarray,
    squares: np.ndarray,
    block: np.ndarray,
    block_single: np.ndarray,
) -> Pairs:
    """Everything that rounding may hide the minimum in, then exact distances on that."""
    half = block_single @ (-2.0 * single).T
    half += squares
    norm = np.sqrt((block_single.astype(np.float64) ** 2).sum(axis=1))
    low = half.min(axis=1)
    reach = np.sqrt(np.maximum(low + norm**2, 0.0))
    # |p| ≤ |q| + distance for the true nearest p, which bounds the rounding error of its entry.
    slack = 4 * (block.shape[1] + 4) * np.finfo(np.float32).eps * (2 * norm + reach) ** 2
    limit = np.minimum(low + slack + UNDERFLOW, np.finfo(np.float32).max)
    who, near = np.nonzero(half <= limit.astype(np.float32)[:, None])
    exact = ((block[who] - points[near]) ** 2).sum(axis=1)
    best = np.full(len(block), np.inf)
    np.minimum.at(best, who, exact)
    keep = exact <= best[who] * (1 + TIE) ** 2
    return who[keep], near[keep]
