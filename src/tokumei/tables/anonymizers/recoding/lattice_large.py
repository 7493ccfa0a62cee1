"""Lattices too large to hold (20 columns have billions of nodes): the best found in a budget.

Half of the budget goes down: from all `*`, greedily one level at a time, then again and again from
the best node with a few columns raised. A quarter comes up from the most specific node in the order
of bounds: it can improve the best, tells how far from it the optimum may be, and is a proof if it
runs out of nodes. What is left goes down again.
"""

from __future__ import annotations

import heapq

import numpy as np

from tokumei.tables.anonymizers.recoding.lattice_task import FullDomain, LatticeTask, Levels

BUDGET = 4_000
"""Nodes visited when no budget is given."""
IDLE = 100
"""Descents in a row that meet nothing new, before the way down gives up."""
SKIPS = 20
"""Nodes the way up may pass without a visit, as a multiple of the budget."""


class Seen:
    """Nodes known to be feasible, and nodes that rule out all below them."""

    def __init__(self, task: LatticeTask) -> None:
        self.task = task
        self.feasible: dict[Levels, bool] = {}
        # Columns × nodes: compared node by node it would take three times as long.
        self._blocked = np.zeros((task.problem.columns, 0), dtype=np.int16)

    def ruled_out(self, levels: Levels) -> bool:
        """Whether a node above says that this one is not feasible."""
        return bool((self._blocked >= _column(levels)).all(axis=0).any())

    def test(self, levels: Levels) -> bool:
        """Whether a node is feasible; visits it if nobody knows."""
        if levels not in self.feasible and self.ruled_out(levels):
            return False
        if levels not in self.feasible:
            node = self.task.visit(levels)
            self.feasible[levels] = self.task.feasible(node)
            if self.task.rules_out_below(node):
                lower = (self._blocked <= _column(levels)).all(axis=0)
                self._blocked = np.hstack([self._blocked[:, ~lower], _column(levels)])
        return self.feasible[levels]


def _column(levels: Levels) -> np.ndarray:
    return np.array(levels, dtype=np.int16)[:, None]


def search_large(task: LatticeTask, *, seed: int = 0) -> FullDomain:
    """The best node found, and a bound of all others; equal seeds give equal answers."""
    whole = BUDGET if task.budget is None else task.budget
    seen, rng = Seen(task), np.random.default_rng(seed)
    task.budget = (whole + 1) // 2
    _go_down(task, seen, rng)
    if seen.ruled_out(task.top):
        return task.answer(bound=np.inf)
    task.budget = whole - whole // 4
    bound = _come_up(task, seen, SKIPS * whole)
    task.budget = whole
    if task.hopeful(bound):
        _go_down(task, seen, rng)
    return task.answer(bound=bound)


def _go_down(task: LatticeTask, seen: Seen, rng: np.random.Generator) -> None:
    """Descents from the top, then from around the best node, until the budget is used up.

    While nothing new is met, more and more columns are raised; in the end it gives up.
    """
    start, greed, idle = task.top, np.ones(task.problem.columns), 0
    while not task.spent and idle < IDLE:
        before = task.visited
        if seen.test(start):
            _descend(task, seen, start, greed)
        if task.best is None:
            return
        idle = idle + 1 if task.visited == before else 0
        start = _raised(task, rng, most=3 + idle)
        greed = rng.exponential(size=task.problem.columns)


def _descend(task: LatticeTask, seen: Seen, start: Levels, greed: np.ndarray) -> None:
    """Lower the column that promises most; one that cannot be lowered never can, further down."""
    levels, usable = start, [j for j, level in enumerate(start) if level]
    while usable and not task.spent:
        lower = [(*levels[:j], levels[j] - 1, *levels[j + 1 :]) for j in usable]
        pick = int(np.argmax(_gains(task, levels, lower) * greed[usable]))
        if seen.test(lower[pick]):
            levels = lower[pick]
            usable = [j for j in usable if levels[j]]
        else:
            usable.pop(pick)


def _gains(task: LatticeTask, levels: Levels, lower: list[Levels]) -> np.ndarray:
    """What each lower node promises; all alike where the bounds say nothing."""
    bounds = task.objective.least(np.array([levels, *lower]))
    if not np.isfinite(bounds).all() or bounds[0] <= bounds[1:].min():
        return np.ones(len(lower))
    return np.asarray(bounds[0] - bounds[1:])


def _raised(task: LatticeTask, rng: np.random.Generator, *, most: int) -> Levels:
    """The best node with up to so many columns raised."""
    assert task.best is not None
    levels = np.array(task.best.levels)
    room = np.flatnonzero(levels < task.problem.heights)
    chosen = rng.permutation(room)[: rng.integers(1, most + 1)]
    levels[chosen] = rng.integers(levels[chosen], task.problem.heights[chosen]) + 1
    return tuple(levels.tolist())


def _come_up(task: LatticeTask, seen: Seen, steps: int) -> float:
    """Visit nodes in the order of their bounds; the bound of all that are left.

    Every node has one parent (the last raised column one lower), so each is met once; its bound is
    at least the parent's, so the first in the heap bounds all that are not visited.
    """
    bottom = (0,) * task.problem.columns
    heap = [(float(task.objective.least(np.array([bottom]))[0]), bottom, 0)]
    while heap and task.hopeful(heap[0][0]):
        if task.spent or not steps:
            return heap[0][0]
        bound, levels, first = heapq.heappop(heap)
        steps -= 1
        if not seen.ruled_out(levels) and levels not in seen.feasible:
            seen.test(levels)
        for child_bound, child, j in _children(task, levels, first):
            if task.hopeful(max(bound, child_bound)):
                heapq.heappush(heap, (max(bound, child_bound), child, j))
    return np.inf


def _children(task: LatticeTask, levels: Levels, first: int) -> list[tuple[float, Levels, int]]:
    free = [j for j in range(first, len(levels)) if levels[j] < task.top[j]]
    if not free:
        return []
    raised = [(*levels[:j], levels[j] + 1, *levels[j + 1 :]) for j in free]
    bounds = task.objective.least(np.array(raised)).tolist()
    return list(zip(bounds, raised, free, strict=True))
