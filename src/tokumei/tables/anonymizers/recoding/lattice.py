"""Full-domain (global) recoding: one level per column, the provably best node of the lattice.

    found = best_levels(problem, k=5, suppression=0.02)
    found.levels, found.loss, found.optimal

Lattices of up to a million nodes are searched until the answer is proven (or the budget of nodes is
used up); larger ones give the best node found, with a bound of what might be missed.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.errors import UnknownNameError
from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.lattice_board import ENUMERABLE, Board, nodes_of
from tokumei.tables.anonymizers.recoding.lattice_large import search_large
from tokumei.tables.anonymizers.recoding.lattice_node import Allowed, Levels
from tokumei.tables.anonymizers.recoding.lattice_objective import Wanted
from tokumei.tables.anonymizers.recoding.lattice_task import FullDomain, LatticeTask, Question
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def flash(board: Board) -> None:
    """Close every node of the board, or use up the budget: chains up the lattice, bisected.

    After Kohlmayer, Prasser et al. (2012), with bounds of the loss besides the tags.
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


def ola(board: Board) -> None:
    """Close every node of the board, or use up the budget: layers in the order of bisection.

    After El Emam et al. (2009): the middle layer first, then the middles of both halves, and so on.
    A node that is not feasible decides all below it, one that loses nothing avoidable all above it.
    Their method stops at the lowest feasible nodes; as suppression may make a higher one better,
    the nodes that are left and may still be the best are visited too.
    """
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


STRATEGIES = {"flash": flash, "ola": ola}
SEARCHING = Text("searching levels", "一般化レベルを探索中")


def best_levels(
    problem: RecodingProblem,
    k: int,
    *,
    suppression: float = 0.0,
    objective: Wanted = "ncp",
    budget: int | None = None,
    allowed: Allowed | None = None,
    monotone: bool = True,
    strategy: str = "flash",
) -> FullDomain:
    """The node with the least loss whose suppressed rows are at most this share of all.

    `budget` counts nodes. `allowed` is asked for every class besides its size, `monotone` says that
    unions of allowed classes are allowed. Both strategies give the same answer. Ties go to the node
    with more classes, then to the first in lexicographic order.
    """
    if strategy not in STRATEGIES:
        raise UnknownNameError(Text("strategy", "探索法"), strategy, STRATEGIES)
    question = Question(
        k=k,
        suppression=suppression,
        objective=objective,
        budget=budget,
        allowed=allowed,
        monotone=monotone,
    )
    with meter(SEARCHING) as advance:
        task = LatticeTask(problem, question, advance)
        if nodes_of(problem.heights) > ENUMERABLE:
            return search_large(task)
        board = Board(task)
        STRATEGIES[strategy](board)
        return board.answer()
