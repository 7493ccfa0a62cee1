"""Strict Mondrian on code arrays: cut the tuples until no cut leaves k rows on both sides."""

from __future__ import annotations

import numpy as np

from tokumei.progress import meter
from tokumei.text import Text


def partition(
    codes: np.ndarray, counts: np.ndarray, positions: list[np.ndarray], k: int
) -> np.ndarray:
    """A class number per tuple.

    `positions[j][c]` is where code c of column j lies on a line from 0 to 1; the column with the
    widest span is cut first, at the median of its rows (LeFevre et al. 2006).
    """
    classes = np.zeros(len(codes), dtype=np.int64)
    open_groups = [np.arange(len(codes))]
    number = 0
    with meter(Text("cutting", "分割中"), total=len(codes)) as advance:
        while open_groups:
            group = open_groups.pop()
            halves = _cut(codes[group], counts[group], positions, k)
            if halves is None:
                classes[group] = number
                number += 1
                advance(len(group))
            else:
                open_groups += [group[~halves], group[halves]]
    return classes


def _cut(
    codes: np.ndarray, counts: np.ndarray, positions: list[np.ndarray], k: int
) -> np.ndarray | None:
    """Which tuples go to the lower half, or None if no column can be cut."""
    if counts.sum() < 2 * k:
        return None
    low, high = codes.min(axis=0), codes.max(axis=0)
    widths = np.array([p[b] - p[a] for p, a, b in zip(positions, low, high, strict=True)])
    for column in np.argsort(-widths, kind="stable"):
        if low[column] == high[column]:
            continue
        border = _median(codes[:, column], counts, k)
        if border is not None:
            return np.asarray(codes[:, column] <= border)
    return None


def _median(column: np.ndarray, counts: np.ndarray, k: int) -> int | None:
    """The code nearest to the median that leaves k rows on either side."""
    order = np.argsort(column, kind="stable")
    sorted_codes = column[order]
    below = np.cumsum(counts[order])
    total = below[-1]
    ends = np.flatnonzero(np.diff(sorted_codes) > 0)
    ends = ends[(below[ends] >= k) & (total - below[ends] >= k)]
    if not len(ends):
        return None
    best = ends[np.argmin(np.abs(2 * below[ends] - total))]
    return int(sorted_codes[best])
