"""OLA-style exact search: layers of the lattice in the order of bisection, with predictive tags.

After El Emam et al. (2009): the middle layer first, then the middles of both halves, and so on. A
node that is not feasible decides all below it, one that loses nothing avoidable all above it. Their
method stops at the lowest feasible nodes; as suppression may make a higher one better, the nodes
that are left and may still be the best are visited too.
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.anonymizers.recoding.lattice_board import Board


def ola(board: Board) -> None:
    """Close every node of the board, or use up the budget."""
    height = board.levels.sum(axis=1, dtype=np.int64)
    for layer in _bisection(int(height.max())):
        for number in np.flatnonzero(height == layer).tolist():
            levels = board.place(number)
            if board.task.spent:
                return
            if board.hopeful(levels):
                board.visit(levels)


def _bisection(last: int) -> list[int]:
    """0 … last, the middle of every stretch before its halves; wide stretches first."""
    found: list[int] = []
    stretches = [(0, last)]
    for low, high in stretches:
        if low <= high:
            middle = (low + high) // 2
            found.append(middle)
            stretches += [(low, middle - 1), (middle + 1, high)]
    return found
