"""MDAV (maximum distance to average vector): groups of k to 2k − 1 similar rows.

Domingo-Ferrer and Torra (2005): take the row farthest from the mean and the k − 1 rows nearest
to it, then the same from the row farthest from that one; repeat on what is left.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.progress import meter
from tokumei.core.text import Text


def mdav_groups(values: np.ndarray, k: int) -> np.ndarray:
    """A group number per row, on columns scaled to sd 1."""
    sd = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    groups = np.zeros(len(values), dtype=np.int64)
    left = np.arange(len(values))
    number = 0
    with meter(Text("grouping", "グループ化中"), total=len(values)) as advance:
        while len(left) >= 3 * k:
            first = _farthest(scaled[left], scaled[left].mean(axis=0))
            far = scaled[left[first]]
            for pick in (first, None):
                at = pick if pick is not None else _farthest(scaled[left], far)
                left = _take(scaled, left, at, k, groups, number)
                number += 1
            advance(2 * k)
    if len(left) >= 2 * k:
        first = _farthest(scaled[left], scaled[left].mean(axis=0))
        left = _take(scaled, left, first, k, groups, number)
        number += 1
    groups[left] = number
    return groups


def _farthest(points: np.ndarray, center: np.ndarray) -> int:
    return int(np.argmax(((points - center) ** 2).sum(axis=1)))


def _take(
    scaled: np.ndarray, left: np.ndarray, at: int, k: int, groups: np.ndarray, number: int
) -> np.ndarray:
    distance = ((scaled[left] - scaled[left[at]]) ** 2).sum(axis=1)
    distance[at] = -1.0
    near = np.argpartition(distance, k - 1)[:k]
    groups[left[near]] = number
    return np.delete(left, near)
