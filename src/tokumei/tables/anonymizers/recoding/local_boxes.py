"""The boxes of given classes, what they cost, and what widening them would cost.

boxes = Boxes.around(problem, class_of)    # classes 0 … n - 1, each with a tuple; -1: in none
boxes.loss(), boxes.cost_of_joining(t)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


@dataclass(frozen=True, eq=False)
class Boxes:
    """The smallest box around every class: `head` (one of its tuples) at `levels`; its rows."""

    problem: RecodingProblem
    head: np.ndarray
    levels: np.ndarray
    rows: np.ndarray

    @classmethod
    def around(cls, problem: RecodingProblem, class_of: np.ndarray) -> Boxes:
        """From the class of every tuple."""
        members = np.flatnonzero(class_of >= 0)
        members = members[np.argsort(class_of[members], kind="stable")]
        first = np.diff(class_of[members], prepend=-1) != 0
        starts, place = np.flatnonzero(first), np.cumsum(first) - 1
        levels = np.zeros((len(starts), problem.columns), dtype=np.int64)
        later = np.flatnonzero(~first)
        for j, up in enumerate(problem.up):
            # Neighbours in a class that are unlike so far; what is alike stays so further up.
            classes, codes = place[later], problem.codes[:, j]
            one, other = codes[members[later]], codes[members[later - 1]]
            for level, nodes in enumerate(up[:-1], 1):
                unlike = nodes[one] != nodes[other]
                classes, one, other = classes[unlike], one[unlike], other[unlike]
                levels[classes, j] = level
        rows = np.add.reduceat(problem.counts[members], starts)
        return cls(problem, members[starts], levels, rows)

    def cost(self) -> np.ndarray:
        """The mean NCP of one row of every class."""
        return self._cost(self.head, self.levels)

    def loss(self) -> float:
        """Rows × mean NCP, over all classes."""
        return float(self.cost() @ self.rows)

    def nodes(self) -> np.ndarray:
        """The node of every class in every column (numbered within its level), after its level."""
        columns = [
            up[self.levels[:, j], self.problem.codes[self.head, j]]
            for j, up in enumerate(self.problem.up)
        ]
        return np.column_stack([self.levels, *columns])

    def cost_of_joining(self, tuple_: int, levels: np.ndarray, rows: int) -> np.ndarray:
        """For every class, what it and a box of `rows` rows would lose more in one common box."""
        common = np.maximum(self.levels, levels)
        for j, up in enumerate(self.problem.up):
            codes = self.problem.codes[:, j]
            # On how many levels each leaf of the column is apart from the tuple's.
            apart = (up != up[:, [codes[tuple_]]]).sum(axis=0)
            np.maximum(common[:, j], apart[codes[self.head]], out=common[:, j])
        wide = self._cost(self.head, common)
        own = self._cost(np.array([tuple_]), levels[None, :])[0]
        return np.asarray(self.rows * (wide - self.cost()) + rows * (wide - own))

    def add(self, class_: int, tuple_: int) -> None:
        """Widen the box of a class for one more tuple."""
        codes, head = self.problem.codes, self.head[class_]
        for j, up in enumerate(self.problem.up):
            apart = np.count_nonzero(up[:, codes[tuple_, j]] != up[:, codes[head, j]])
            self.levels[class_, j] = max(self.levels[class_, j], apart)
        self.rows[class_] += self.problem.counts[tuple_]

    def _cost(self, tuples: np.ndarray, levels: np.ndarray) -> np.ndarray:
        total = np.zeros(len(tuples))
        for j, cost in enumerate(self.problem.cost):
            total += cost[levels[:, j], self.problem.codes[tuples, j]]
        return total / self.problem.columns


def renumber(class_of: np.ndarray) -> np.ndarray:
    """Classes without gaps, 0 … n - 1 in their order; -1 stays."""
    used, dense = np.unique(class_of, return_inverse=True)
    return np.asarray(dense - int(used[0] < 0), dtype=np.int64)
