"""The least work that turns each class's distribution of values into the file's.

All distances lie between 0 and 1. They are computed from the entries alone: a value that a class
lacks costs no time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.tables.verify.class_values import ClassValues


def equal_distance(found: ClassValues) -> np.ndarray:
    """Every move costs 1: ½ Σ |p − q| of each class."""
    return _differences(found, np.arange(len(found.values))) / 2


def hierarchical_distance(found: ClassValues, levels: Sequence[np.ndarray]) -> np.ndarray:
    """A move costs level(lowest common ancestor)/H; `levels` as `value_levels` gives them.

    Going up from a leaf to level h and down again uses 2h edges, so each edge costs 1/(2H), and
    over the edge above a node flows exactly the node's surplus |p − q|.
    """
    edges = [_differences(found, nodes) for nodes in levels[:-1]]
    distance: np.ndarray = np.sum(edges, axis=0) / (2 * (len(levels) - 1))
    return distance


def ordered_distance(found: ClassValues, places: np.ndarray) -> np.ndarray:
    """A move over i of the m − 1 steps costs i/(m − 1): the area between the cumulated shares.

    Between two values of a class its cumulated share is level while the file's rises, so the two
    cross at most once; prefix sums give the area on both sides of the crossing.
    """
    steps = len(places) - 1
    if steps < 1:
        return np.zeros(len(found.first))
    rising = np.cumsum(found.total[np.argsort(places)])
    area = np.concatenate([[0], np.cumsum(rising)])
    order = np.lexsort((places[found.value], found.owner))
    owner, begin = found.owner[order], places[found.value[order]]
    is_first = np.diff(owner, prepend=-1) > 0
    end = np.where(np.roll(is_first, -1), steps + 1, np.roll(begin, -1))
    level = _cumulated(found.count[order], is_first) * found.rows / found.size[owner]
    cross = np.clip(np.searchsorted(rising, level), begin, end)
    above = level * (cross - begin) - (area[cross] - area[begin])
    below = (area[end] - area[cross]) - level * (end - cross)
    before = area[begin[is_first]]
    between: np.ndarray = before + np.bincount(owner, above + below)
    return between / (found.rows * steps)


def _differences(found: ClassValues, nodes: np.ndarray) -> np.ndarray:
    """Σ |p − q| over nodes, each holding the values with its number, for every class.

    In whole numbers, so that equal shares differ by exactly 0. Nodes that a class lacks differ by
    their q: all q sum to 1, so those of the nodes present are taken off.
    """
    width = int(nodes.max(initial=0)) + 1
    keys, entry = np.unique(found.owner * width + nodes[found.value], return_inverse=True)
    owner, node = np.divmod(keys, width)
    count = np.bincount(entry, found.count, len(keys)).astype(np.int64)
    total = np.bincount(nodes, found.total, width).astype(np.int64)
    expected = found.size[owner] * total[node]
    surplus = np.abs(count * found.rows - expected) - expected
    whole = found.size * found.rows
    differences: np.ndarray = (np.bincount(owner, surplus, len(found.size)) + whole) / whole
    return differences


def _cumulated(count: np.ndarray, is_first: np.ndarray) -> np.ndarray:
    """Running sums that start anew at each first entry."""
    running = np.cumsum(count)
    before = (running - count)[is_first]
    anew: np.ndarray = running - before[np.cumsum(is_first) - 1]
    return anew
