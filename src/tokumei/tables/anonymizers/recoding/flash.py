"""Flash-style exact search: chains up the lattice, bisected; every visit closes many nodes.

After Kohlmayer, Prasser et al. (2012), with bounds of the loss besides the tags.
"""

from __future__ import annotations

from tokumei.tables.anonymizers.recoding.lattice_board import Board
from tokumei.tables.anonymizers.recoding.lattice_node import Levels


def flash(board: Board) -> None:
    """Close every node of the board, or use up the budget.

    Nodes are taken in the order of their bound. From each, a chain climbs through open nodes; its
    end is visited first (if that is not feasible, the whole chain is decided), then it is bisected.
    """
    for number in board.order:
        start = board.place(number)
        if board.hopeful(start):
            _bisect(board, _chain(board, start))
        # A condition that is not monotone may leave the start open.
        if board.task.spent:
            return
        if board.hopeful(start):
            board.visit(start)


def _chain(board: Board, start: Levels) -> list[Levels]:
    """From the start always to the open neighbour above with the least bound."""
    chain = [start]
    while above := [levels for levels in _above(board, chain[-1]) if board.hopeful(levels)]:
        chain.append(min(above, key=lambda levels: (board.bound(levels), levels)))
    return chain


def _above(board: Board, levels: Levels) -> list[Levels]:
    return [
        (*levels[:j], levels[j] + 1, *levels[j + 1 :])
        for j in range(len(levels))
        if levels[j] + 1 < board.shape[j]
    ]


def _bisect(board: Board, chain: list[Levels]) -> None:
    """Find where the chain becomes feasible."""
    low, high, at = 0, len(chain) - 1, len(chain) - 1
    while low <= high and not board.task.spent:
        if board.hopeful(chain[at]):
            feasible = board.task.feasible(board.visit(chain[at]))
        else:
            feasible = at == high
        low, high = (low, at - 1) if feasible else (at + 1, high)
        at = (low + high) // 2
