"""All nearest points of many queries: a k-d tree, or blocks of BLAS when the tree is slow.

Both are exact and find the same ties, so the faster one is chosen by trying both on a sample.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial import cKDTree

from tokumei.attack.line import TIE

BLOCK = 4_000_000
SAMPLE = 256
SMALL = 20_000_000


def nearest_points(points: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs (query, point) of every nearest point, ties within 1e-9 included."""
    if len(points) * len(queries) <= SMALL:
        return by_tree(points, queries)
    probe = queries[:: max(1, len(queries) // SAMPLE)]
    tree = cKDTree(points)
    started = time.perf_counter()
    tree.query(probe, workers=-1)
    tree_time = (time.perf_counter() - started) / len(probe)
    started = time.perf_counter()
    by_blocks(points, probe)
    block_time = (time.perf_counter() - started) / len(probe)
    if tree_time <= block_time:
        return by_tree(points, queries, tree)
    return by_blocks(points, queries)


def by_tree(
    points: np.ndarray, queries: np.ndarray, tree: cKDTree | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Nearest points by a k-d tree."""
    tree = tree or cKDTree(points)
    if len(points) == 1:
        return np.arange(len(queries)), np.zeros(len(queries), dtype=np.int64)
    distance, near = tree.query(queries, k=2, workers=-1)
    reach = distance[:, 0] * (1 + TIE)
    tied = np.flatnonzero(distance[:, 1] <= reach)
    alone = np.flatnonzero(distance[:, 1] > reach)
    if not len(tied):
        return alone, near[alone, 0]
    balls = tree.query_ball_point(queries[tied], reach[tied], workers=-1)
    sizes = np.array([len(ball) for ball in balls])
    who = np.concatenate([alone, np.repeat(tied, sizes)])
    return who, np.concatenate([near[alone, 0], np.concatenate([np.sort(b) for b in balls])])


def by_blocks(points: np.ndarray, queries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Nearest points by matrix products, in single precision with an exact second look."""
    middle = points.mean(axis=0)
    single = (points - middle).astype(np.float32)
    squares = (single * single).sum(axis=1)
    step = max(1, BLOCK // len(points))
    starts = range(0, len(queries), step)

    def search(begin: int) -> tuple[np.ndarray, np.ndarray]:
        block = queries[begin : begin + step]
        who, near = _block(points, single, squares, block, (block - middle).astype(np.float32))
        return who + begin, near

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(search, starts))
    return np.concatenate([f[0] for f in found]), np.concatenate([f[1] for f in found])


def _block(
    points: np.ndarray,
    single: np.ndarray,
    squares: np.ndarray,
    block: np.ndarray,
    block_single: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Everything that rounding may hide the minimum in, then exact distances on that."""
    half = block_single @ (-2.0 * single).T
    half += squares
    norm = np.sqrt((block_single.astype(np.float64) ** 2).sum(axis=1))
    low = half.min(axis=1)
    reach = np.sqrt(np.maximum(low + norm**2, 0.0))
    # |p| ≤ |q| + distance for the true nearest p, which bounds the rounding error of its entry.
    slack = 4 * (block.shape[1] + 4) * np.finfo(np.float32).eps * (2 * norm + reach + 1e-30) ** 2
    who, near = np.nonzero(half <= (low + slack).astype(np.float32)[:, None])
    exact = ((block[who] - points[near]) ** 2).sum(axis=1)
    best = np.full(len(block), np.inf)
    np.minimum.at(best, who, exact)
    keep = exact <= best[who] * (1 + TIE) ** 2
    return who[keep], near[keep]
