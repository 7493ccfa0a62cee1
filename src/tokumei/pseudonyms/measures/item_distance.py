"""How far the similarities of items moved: D(W, W′) of two user-item matrices.

    similarity_distance(v, v_released)

W is the cosine of every two columns, D = Σ |w − w′| / Σ w over the pairs where w is not 0, at most
1. Without such a pair there is nothing to lose: 0. An item that nobody bought is like no other.
W is never whole in memory: some rows of both sides at a time, and only right of the diagonal.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

CELLS_AT_ONCE = 2**20


def similarity_distance(
    original: sparse.csr_array, released: sparse.csr_array, *, diagonal: bool = False
) -> float:
    """D(W, W′), over pairs of different items only unless the diagonal is asked for."""
    first, second = unit_columns(original), unit_columns(released)
    changed, total = _sums(first, second)
    if diagonal:
        own, own_released = (np.diff(side.tocsc().indptr) > 0 for side in (first, second))
        # Every pair of different items stands twice in W, the diagonal once, with 1 or 0.
        changed = 2 * changed + np.count_nonzero(own & ~own_released)
        total = 2 * total + np.count_nonzero(own)
    return min(float(changed / total), 1.0) if total else 0.0


def unit_columns(matrix: sparse.csr_array) -> sparse.csr_array:
    """The matrix with every column that is not empty scaled to length 1."""
    squares = np.bincount(matrix.indices, weights=matrix.data**2, minlength=matrix.shape[1])
    found = matrix.copy()
    found.data = matrix.data / np.sqrt(squares)[matrix.indices]
    return found


def _sums(first: sparse.csr_array, second: sparse.csr_array) -> tuple[float, float]:
    """Σ |w − w′| and Σ w over pairs i < j with w ≠ 0."""
    items = first.shape[1]
    step = max(1, CELLS_AT_ONCE // max(items, 1))
    turned, turned_second = first.T.tocsr(), second.T.tocsr()
    changed = total = 0.0
    for start in range(0, items, step):
        some = slice(start, start + step)
        w = turned[some] @ first[:, start:]
        w_released = (turned_second[some] @ second[:, start:]).toarray()
        row = np.repeat(np.arange(w.shape[0]), np.diff(w.indptr))
        above = w.indices > row
        known = w.data[above]
        seen = w_released[row[above], w.indices[above]]
        changed += float(np.abs(known - seen).sum())
        total += float(known.sum())
    return changed, total
