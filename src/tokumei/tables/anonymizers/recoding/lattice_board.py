"""A lattice small enough to hold whole: which nodes are still open, and a bound for each."""

from __future__ import annotations

import math

import numpy as np

from tokumei.tables.anonymizers.recoding.lattice_node import Levels, Node
from tokumei.tables.anonymizers.recoding.lattice_task import FullDomain, LatticeTask

ENUMERABLE = 1 << 20
"""Nodes a board may have."""


def nodes_of(heights: np.ndarray) -> int:
    """How many nodes the lattice has, exactly."""
    return math.prod(int(height) + 1 for height in heights)


class Board:
    """Marks what a visited node says about those below and above it."""

    def __init__(self, task: LatticeTask) -> None:
        self.task = task
        self.shape = tuple(height + 1 for height in task.top)
        self.levels = np.indices(self.shape, dtype=np.uint16).reshape(len(self.shape), -1).T
        self.open = np.ones(self.shape, dtype=bool)
        self._floor = task.objective.least(self.levels).reshape(self.shape)
        self._surcharge = np.zeros(self.shape)
        self.order = np.argsort(self._floor, axis=None, kind="stable")

    def bound(self, levels: Levels) -> float:
        """No more than the loss of this node."""
        return float(self._floor[levels] + self._surcharge[levels])

    def hopeful(self, levels: Levels) -> bool:
        """Whether the node is open and may be the best."""
        return bool(self.open[levels]) and bool(self.task.hopeful(self.bound(levels)))

    def visit(self, levels: Levels) -> Node:
        """Evaluate a node, and close all nodes it decides."""
        node = self.task.visit(levels)
        below = tuple(slice(None, level + 1) for level in levels)
        above = tuple(slice(level, None) for level in levels)
        self.open[levels] = False
        if self.task.rules_out_below(node):
            self.open[below] = False
        elif self.task.shrinking:
            self._raise(self._surcharge[below], self.task.objective.surcharge(node))
        if self.task.settles_above(node):
            self.open[above] = False
        else:
            self._raise(self._floor[above], self.task.objective.floor(node))
        return node

    def place(self, number: int) -> Levels:
        """The levels of a node by its number."""
        return tuple(self.levels[number].tolist())

    def answer(self) -> FullDomain:
        """The best node, with the least bound of those left open."""
        left = (self._floor + self._surcharge)[self.open]
        return self.task.answer(bound=float(left.min()) if len(left) else np.inf)

    @staticmethod
    def _raise(bounds: np.ndarray, to: float) -> None:
        if to > -np.inf:
            np.maximum(bounds, to, out=bounds)
