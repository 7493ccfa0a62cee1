"""Nearest neighbours in one dimension, inside candidate sets, with all ties."""

from __future__ import annotations

import numpy as np

from tokumei.tables.attackers.candidates import NOBODY, Candidates
from tokumei.tables.data.guess import ABSTAIN, Guess

TIE = 1e-9


def nearest_on_line(found: Candidates, known: np.ndarray, released: np.ndarray) -> Guess:
    """For each released value the nearest known values of its set.

    Known rows are sorted by (set, value); equal values form one shared candidate set, so that a
    column full of zeros costs no more than any other.
    """
    owner = np.repeat(np.arange(len(found.start) - 1), found.size())
    order = np.lexsort((found.rows, known[found.rows], owner))
    rows, owner = found.rows[order], owner[order]
    values = known[rows]
    new = np.flatnonzero((np.diff(owner) != 0) | (np.diff(values) != 0)) + 1
    runs = np.concatenate([[0], new, [len(rows)]]) if len(rows) else np.zeros(1, dtype=np.int64)
    points = values[runs[:-1]]
    first = np.searchsorted(runs[:-1], found.start)
    asked = found.group != NOBODY
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
