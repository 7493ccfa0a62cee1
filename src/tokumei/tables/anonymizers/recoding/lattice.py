"""Full-domain recoding: finds the provably best node of the generalization lattice.

    best = find_best_levels(problem, Question(k=5, suppression=0.02))
    best.levels, best.loss, best.optimal

Lattices of up to a million nodes are searched until the answer is proven (or the budget of nodes is
used up); larger ones give the best node found, with a bound of what might be missed.
"""

from __future__ import annotations

import math

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.tables.anonymizers.recoding.lattice_large import search_large
from tokumei.tables.anonymizers.recoding.lattice_task import (
    FullDomainResult,
    LatticeNode,
    LatticeQuery,
    LatticeTask,
    NodeLevels,
    infeasible_error,
)
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem

ENUMERABLE = 1 << 20
"""Nodes a board may have."""


def count_nodes(heights: np.ndarray) -> int:
    """How many nodes the lattice has, exactly."""
    return math.prod(int(height) + 1 for height in heights)


class LatticeBoard:
    """A lattice held whole: which nodes are open, and a bound for each; a visit closes others."""

    def __init__(self, task: LatticeTask) -> None:
        self.task = task
        self.shape = tuple(height + 1 for height in task.top)
        self.levels = np.indices(self.shape, dtype=np.uint16).reshape(len(self.shape), -1).T
        self.open = np.ones(self.shape, dtype=bool)
        self._floors = task.objective.least(self.levels).reshape(self.shape)
        self._surcharges = np.zeros(self.shape)
        self.order = np.argsort(self._floors, axis=None, kind="stable")

    def bound(self, levels: NodeLevels) -> float:
        """No more than the loss of this node."""
        return float(self._floors[levels] + self._surcharges[levels])

    def hopeful(self, levels: NodeLevels) -> bool:
        """Whether the node is open and may be the best."""
        return bool(self.open[levels]) and bool(self.task.hopeful(self.bound(levels)))

    def next_candidate(self, position: int) -> int:
        """The first place in the order, not before this one, of a node that is hopeful."""
        step = 64
        while position < len(self.order):
            numbers = self.order[position : position + step]
            bounds = self._floors.ravel()[numbers] + self._surcharges.ravel()[numbers]
            is_hopeful = self.open.ravel()[numbers] & self.task.hopeful(bounds)
            if is_hopeful.any():
                return position + int(is_hopeful.argmax())
            position, step = position + step, 2 * step
        return len(self.order)

    def visit(self, levels: NodeLevels) -> LatticeNode:
        """Evaluate a node, and close all nodes it decides."""
        node = self.task.visit(levels)
        below = tuple(slice(None, level + 1) for level in levels)
        above = tuple(slice(level, None) for level in levels)
        self.open[levels] = False
        if self.task.rules_out_below(node):
            self.open[below] = False
        elif self.task.shrinking:
            surcharge = self._surcharges[below]
            np.maximum(surcharge, self.task.objective.surcharge(node), out=surcharge)
        floor, floors = self.task.objective.floor(node), self._floors[above]
        if not node.suppressed and self.task.objective.loss(node) <= floor:
            # It loses nothing avoidable: no node above is better, not even in a tie.
            self.open[above] = False
        else:
            np.maximum(floors, floor, out=floors)
        return node

    def build_result(self) -> FullDomainResult:
        """The best node, with the least bound of those left open."""
        open_bounds = (self._floors + self._surcharges)[self.open]
        return self.task.build_result(
            bound=float(open_bounds.min()) if len(open_bounds) else np.inf
        )


def search_flash(board: LatticeBoard) -> None:
    """Close every node of the board, or use up the budget: chains up the lattice, bisected.

    After Kohlmayer, Prasser et al. (2012), with bounds of the loss besides the tags.
    Nodes are taken in the order of their bound. From each, a chain climbs through open nodes; its
    end is visited first (if that is not feasible, the whole chain is decided), then it is bisected.
    """
    position = -1
    while (position := board.next_candidate(position + 1)) < len(
        board.order
    ) and not board.task.spent:
        start = tuple(board.levels[board.order[position]].tolist())
        _bisect_chain(board, _climb_chain(board, start))
        # A condition that is not monotone may leave the start open.
        if board.hopeful(start) and not board.task.spent:
            board.visit(start)


def _climb_chain(board: LatticeBoard, start: NodeLevels) -> list[NodeLevels]:
    """From the start always to the open neighbour above with the least bound.

    It goes on where no neighbour is hopeful: a node up there that is not feasible decides more.
    """
    chain = [start]
    while open_neighbours := [
        levels for levels in _upper_neighbours(board, chain[-1]) if board.open[levels]
    ]:
        hopeful_nodes = [levels for levels in open_neighbours if board.hopeful(levels)]
        chain.append(
            min(hopeful_nodes or open_neighbours, key=lambda levels: (board.bound(levels), levels))
        )
    return chain


def _upper_neighbours(board: LatticeBoard, levels: NodeLevels) -> list[NodeLevels]:
    return [
        (*levels[:j], levels[j] + 1, *levels[j + 1 :])
        for j in range(len(levels))
        if levels[j] + 1 < board.shape[j]
    ]


def _bisect_chain(board: LatticeBoard, chain: list[NodeLevels]) -> None:
    """Find where the chain becomes feasible."""
    low, high, middle = 0, len(chain) - 1, len(chain) - 1
    while low <= high and not board.task.spent:
        if board.open[chain[middle]]:
            feasible = board.task.feasible(board.visit(chain[middle]))
        else:
            feasible = middle == high
        low, high = (low, middle - 1) if feasible else (middle + 1, high)
        middle = (low + high) // 2


def find_best_levels(problem: RecodingProblem, query: LatticeQuery) -> FullDomainResult:
    """The node with the least loss whose suppressed rows are at most the share asked for.

    Ties go to the node with more classes, then to the first in lexicographic order.
    """
    with progress_bar(Message("searching levels")) as advance:
        task = LatticeTask(problem, query, advance)
        if count_nodes(problem.heights) > ENUMERABLE:
            return search_large(task)
        board = LatticeBoard(task)
        search_flash(board)
        return board.build_result()


def search_datafly(problem: RecodingProblem, query: LatticeQuery) -> FullDomainResult:
    """Raise the column with most different values until few rows are left (Sweeney 1998).

    The first node of the climb whose small classes may be suppressed; loss is NCP. Fast and far
    from the best; kept for comparison. Columns with equally many values are raised in their order.
    """
    with progress_bar(Message("generalizing")) as advance:
        task = LatticeTask(problem, query, advance)
        levels = [0] * problem.columns
        while not task.feasible(task.visit(tuple(levels))):
            # The values that each column shows; 0 if it cannot be raised.
            values = [
                len(np.unique(up[level, problem.codes[:, j]])) if level + 1 < len(up) else 0
                for j, (up, level) in enumerate(zip(problem.up, levels, strict=True))
            ]
            if max(values) == 0:
                raise infeasible_error()
            levels[int(np.argmax(values))] += 1
        # Nothing is known of other nodes but that no cell costs less than 0.
        return task.build_result(bound=0.0)
