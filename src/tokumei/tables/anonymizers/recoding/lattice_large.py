"""Searches lattices that are too large to hold (billions of nodes) within a budget.

Half of the budget goes down: from all `*`, greedily one level at a time, then again and again from
the best node with a few columns raised. A quarter comes up from the most specific node in the order
of bounds: it can improve the best, tells how far from it the optimum may be, and is a proof if it
runs out of nodes. What is left goes down again.
"""

from __future__ import annotations

import heapq

import numpy as np

from tokumei.tables.anonymizers.recoding.lattice_task import (
    FullDomainResult,
    LatticeTask,
    NodeLevels,
)

DEFAULT_BUDGET = 4_000
"""Nodes visited when no budget is given."""
IDLE = 100
"""Descents in a row that meet nothing new, before the way down gives up."""
SKIPS_PER_BUDGET = 20
"""Nodes the way up may pass without a visit, as a multiple of the budget."""


class KnownNodes:
    """Nodes known to be feasible, and nodes that rule out all below them."""

    def __init__(self, task: LatticeTask) -> None:
        self.task = task
        self.feasible: dict[NodeLevels, bool] = {}
        # Columns × nodes: compared node by node it would take three times as long.
        self._infeasible_tops = np.zeros((task.problem.columns, 0), dtype=np.int16)

    def is_ruled_out(self, levels: NodeLevels) -> bool:
        """Whether a node above says that this one is not feasible."""
        return bool((self._infeasible_tops >= _as_column(levels)).all(axis=0).any())

    def test(self, levels: NodeLevels) -> bool:
        """Whether a node is feasible; visits it if nobody knows."""
        if levels not in self.feasible and self.is_ruled_out(levels):
            return False
        if levels not in self.feasible:
            node = self.task.visit(levels)
            self.feasible[levels] = self.task.feasible(node)
            if self.task.rules_out_below(node):
                lower = (self._infeasible_tops <= _as_column(levels)).all(axis=0)
                self._infeasible_tops = np.hstack(
                    [self._infeasible_tops[:, ~lower], _as_column(levels)]
                )
        return self.feasible[levels]


def _as_column(levels: NodeLevels) -> np.ndarray:
    return np.array(levels, dtype=np.int16)[:, None]


def search_large(task: LatticeTask, *, seed: int = 0) -> FullDomainResult:
    """The best node found, and a bound of all others; equal seeds give equal answers."""
    total_budget = DEFAULT_BUDGET if task.budget is None else task.budget
    known_nodes, rng = KnownNodes(task), np.random.default_rng(seed)
    task.budget = (total_budget + 1) // 2
    _search_downward(task, known_nodes, rng)
    if known_nodes.is_ruled_out(task.top):
        return task.build_result(bound=np.inf)
    task.budget = total_budget - total_budget // 4
    bound = _search_upward(task, known_nodes, SKIPS_PER_BUDGET * total_budget)
    task.budget = total_budget
    if task.hopeful(bound):
        _search_downward(task, known_nodes, rng)
    return task.build_result(bound=bound)


def _search_downward(task: LatticeTask, known_nodes: KnownNodes, rng: np.random.Generator) -> None:
    """Descents from the top, then from around the best node, until the budget is used up.

    While nothing new is met, more and more columns are raised; in the end it gives up.
    """
    start, column_weights, idle_descents = task.top, np.ones(task.problem.columns), 0
    while not task.spent and idle_descents < IDLE:
        visited_before = task.visited
        if known_nodes.test(start):
            _descend_greedily(task, known_nodes, start, column_weights)
        if task.best is None:
            return
        idle_descents = idle_descents + 1 if task.visited == visited_before else 0
        start = _raise_columns(task, rng, most=3 + idle_descents)
        column_weights = rng.exponential(size=task.problem.columns)


def _descend_greedily(
    task: LatticeTask, known_nodes: KnownNodes, start: NodeLevels, column_weights: np.ndarray
) -> None:
    """Lower the column that promises most; one that cannot be lowered never can, further down."""
    levels, lowerable = start, [j for j, level in enumerate(start) if level]
    while lowerable and not task.spent:
        lower_nodes = [(*levels[:j], levels[j] - 1, *levels[j + 1 :]) for j in lowerable]
        pick = int(
            np.argmax(_lowering_gains(task, levels, lower_nodes) * column_weights[lowerable])
        )
        if known_nodes.test(lower_nodes[pick]):
            levels = lower_nodes[pick]
            lowerable = [j for j in lowerable if levels[j]]
        else:
            lowerable.pop(pick)


def _lowering_gains(
    task: LatticeTask, levels: NodeLevels, lower_nodes: list[NodeLevels]
) -> np.ndarray:
    """How much each lower node may lower the loss; equal where the bounds do not differ."""
    bounds = task.objective.least(np.array([levels, *lower_nodes]))
    if not np.isfinite(bounds).all() or bounds[0] <= bounds[1:].min():
        return np.ones(len(lower_nodes))
    return np.asarray(bounds[0] - bounds[1:])


def _raise_columns(task: LatticeTask, rng: np.random.Generator, *, most: int) -> NodeLevels:
    """The best node with up to so many columns raised."""
    assert task.best is not None
    levels = np.array(task.best.levels)
    raisable = np.flatnonzero(levels < task.problem.heights)
    raised_columns = rng.permutation(raisable)[: rng.integers(1, most + 1)]
    levels[raised_columns] = (
        rng.integers(levels[raised_columns], task.problem.heights[raised_columns]) + 1
    )
    return tuple(levels.tolist())


def _search_upward(task: LatticeTask, known_nodes: KnownNodes, remaining_steps: int) -> float:
    """Visit nodes in the order of their bounds; the bound of all that are left.

    Every node has one parent (the last raised column one lower), so each is met once; its bound is
    at least the parent's, so the first in the heap bounds all that are not visited.
    """
    bottom = (0,) * task.problem.columns
    heap = [(float(task.objective.least(np.array([bottom]))[0]), bottom, 0)]
    while heap and task.hopeful(heap[0][0]):
        if task.spent or not remaining_steps:
            return heap[0][0]
        bound, levels, first_column = heapq.heappop(heap)
        remaining_steps -= 1
        if not known_nodes.is_ruled_out(levels) and levels not in known_nodes.feasible:
            known_nodes.test(levels)
        for child_bound, child, j in _child_nodes(task, levels, first_column):
            if task.hopeful(max(bound, child_bound)):
                heapq.heappush(heap, (max(bound, child_bound), child, j))
    return np.inf


def _child_nodes(
    task: LatticeTask, levels: NodeLevels, first_column: int
) -> list[tuple[float, NodeLevels, int]]:
    raisable = [j for j in range(first_column, len(levels)) if levels[j] < task.top[j]]
    if not raisable:
        return []
    child_levels = [(*levels[:j], levels[j] + 1, *levels[j + 1 :]) for j in raisable]
    bounds = task.objective.least(np.array(child_levels)).tolist()
    return list(zip(bounds, child_levels, raisable, strict=True))
