"""Spherical k-means: groups of directions.

labels = cluster(unit_rows, number=19, randomness=Randomness(0))

Rows are compared by the cosine of their angle. Starting centres are drawn far apart (k-means++),
a few times; the grouping with the greatest total cosine is kept.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.randomness import Randomness

_STARTS = 4
_ROUNDS = 100
_SAME = 1e-12


def cluster(rows: np.ndarray, *, number: int, randomness: Randomness) -> np.ndarray:
    """A group for every row, at most `number` of them (fewer if fewer rows differ)."""
    best, best_total = np.zeros(len(rows), dtype=np.int64), -np.inf
    for start in range(_STARTS if len(rows) else 0):
        centres = first_centres(rows, number, randomness.child("start", start).generator)
        labels, total = settle(rows, centres)
        if total > best_total:
            best, best_total = labels, total
    return best


def first_centres(rows: np.ndarray, number: int, generator: np.random.Generator) -> np.ndarray:
    """Rows drawn with a chance that grows with their distance from those drawn before."""
    chosen = [int(generator.integers(len(rows)))]
    far = np.full(len(rows), np.inf)
    while len(chosen) < number:
        far = np.minimum(far, np.clip(1 - rows @ rows[chosen[-1]], 0, None))
        reach = np.cumsum(np.where(far > _SAME, far, 0))
        if reach[-1] == 0:
            break
        chosen.append(int(np.searchsorted(reach, generator.random() * reach[-1], side="right")))
    return rows[chosen]


def settle(rows: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, float]:
    """Assign rows to centres and move centres to their rows until nothing changes."""
    labels = np.full(len(rows), -1)
    for _ in range(_ROUNDS):
        cosines = rows @ centres.T
        nearest = cosines.argmax(axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        centres = _moved(rows, labels, centres)
    return labels, float(cosines.max(axis=1).sum())


def _moved(rows: np.ndarray, labels: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The mean direction of every group; a group without rows or direction keeps its centre."""
    sums = np.zeros_like(centres)
    np.add.at(sums, labels, rows)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return np.where(lengths > _SAME, sums / np.maximum(lengths, _SAME), centres)
