"""The recoding problem as arrays, for local recoding and full-domain search.

    problem = RecodingProblem.of(found, hierarchies)
    boxes = Boxes.around(problem, class_of)    # classes 0 … n - 1, each with a tuple; -1: in none
    boxes.loss(), boxes.cost_of_joining(t, levels, rows)

Rows never appear: only distinct tuples of leaf codes with counts. Generalizing column j of a tuple
to level l gives the node `up[j][l, leaf]`, which costs `cost[j][l, leaf]` of the cell (NCP).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.tables.data.column_encoding import densify_keys
from tokumei.tables.engines.protocol import TupleCounts
from tokumei.tables.hierarchies.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class RecodingProblem:
    """Distinct tuples (tuples × columns) with counts, and for each column its hierarchy's arrays.

    `up[j]` and `cost[j]` are levels × leaves; level 0 is the leaf itself, the last one `*`.
    """

    codes: np.ndarray
    counts: np.ndarray
    up: tuple[np.ndarray, ...]
    cost: tuple[np.ndarray, ...]
    names: tuple[str, ...] = ()
    """The columns, where the problem is one of a table."""

    @classmethod
    def of(cls, found: TupleCounts, hierarchies: Mapping[str, Hierarchy]) -> RecodingProblem:
        """From an engine's frequencies; a value missing from its hierarchy is an error."""
        column_hierarchies = [hierarchies[name] for name in found.columns]
        leaves = [
            hierarchy.leaf_codes(values)
            for hierarchy, values in zip(column_hierarchies, found.values, strict=True)
        ]
        codes = np.column_stack([leaf[found.codes[:, j]] for j, leaf in enumerate(leaves)])
        return cls(
            np.ascontiguousarray(codes, dtype=np.int32),
            found.counts.astype(np.int64),
            tuple(hierarchy.up for hierarchy in column_hierarchies),
            tuple(hierarchy.ncp() for hierarchy in column_hierarchies),
            tuple(found.columns),
        )

    @classmethod
    def tiny(cls) -> RecodingProblem:
        """Two values under one root, one row and three: for k = 2 there is something to lose."""
        up = np.array([[0, 1], [0, 0]], dtype=np.int32)
        codes = np.array([[0], [1]], dtype=np.int32)
        return cls(codes, np.array([1, 3]), (up,), (np.array([[0.0, 0.0], [1.0, 1.0]]),))

    @property
    def columns(self) -> int:
        """How many quasi-identifiers."""
        return int(self.codes.shape[1])

    @cached_property
    def heights(self) -> np.ndarray:
        """The highest level of each column."""
        return np.array([len(up) - 1 for up in self.up], dtype=np.int64)

    @cached_property
    def rows(self) -> int:
        """How many rows there are behind the tuples."""
        return int(self.counts.sum())

    def loss(self, levels: np.ndarray) -> float:
        """The mean NCP of a cell when every tuple has its own levels."""
        return float(self.costs(levels, self.codes) @ self.counts) / (self.rows * self.columns)

    def costs(self, levels: np.ndarray, codes: np.ndarray) -> np.ndarray:
        """The sum of the NCP of every tuple's cells, given its levels and leaves."""
        tuple_costs = np.zeros(len(levels))
        for j, table in enumerate(self.cost):
            flat_index = levels[:, j].astype(np.int64) * table.shape[1] + codes[:, j]
            tuple_costs += table.ravel()[flat_index]
        return tuple_costs


@dataclass(frozen=True, eq=False)
class RecodedClasses:
    """Levels (tuples × columns), the class of every tuple (-1: suppressed), the mean NCP of a cell.

    `complete`: nothing that should have been looked at was left out for its number; that proves
    nothing of the result.
    """

    levels: np.ndarray
    class_of: np.ndarray
    loss: float
    complete: bool = True


@dataclass(frozen=True, eq=False)
class ClassBoxes:
    """The smallest box around every class: `head` (one of its tuples) at `levels`; its rows."""

    problem: RecodingProblem
    head: np.ndarray
    levels: np.ndarray
    rows: np.ndarray

    @classmethod
    def around(cls, problem: RecodingProblem, class_of: np.ndarray) -> ClassBoxes:
        """From the class of every tuple."""
        members = np.flatnonzero(class_of >= 0)
        members = members[np.argsort(class_of[members], kind="stable")]
        first = np.diff(class_of[members], prepend=-1) != 0
        starts, class_number = np.flatnonzero(first), np.cumsum(first) - 1
        levels = np.zeros((len(starts), problem.columns), dtype=np.int64)
        later_members = np.flatnonzero(~first)
        for j, up in enumerate(problem.up):
            # Neighbours in a class that are unlike so far; what is alike stays so further up.
            classes, codes = class_number[later_members], problem.codes[:, j]
            this_leaf, previous_leaf = (
                codes[members[later_members]],
                codes[members[later_members - 1]],
            )
            for level, nodes in enumerate(up[:-1], 1):
                is_different = nodes[this_leaf] != nodes[previous_leaf]
                classes, this_leaf, previous_leaf = (
                    classes[is_different],
                    this_leaf[is_different],
                    previous_leaf[is_different],
                )
                levels[classes, j] = level
        rows = np.add.reduceat(problem.counts[members], starts)
        return cls(problem, members[starts], levels, rows)

    def cost(self) -> np.ndarray:
        """The mean NCP of one row of every class."""
        return self._row_cost(self.head, self.levels)

    def loss(self) -> float:
        """Rows × mean NCP, over all classes."""
        # Not by a product, whose last bits depend on the threads that compute it.
        return float((self.cost() * self.rows).sum())

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
            differing_levels = (up != up[:, [codes[tuple_]]]).sum(axis=0)
            np.maximum(common[:, j], differing_levels[codes[self.head]], out=common[:, j])
        joined_cost = self._row_cost(self.head, common)
        own_cost = self._row_cost(np.array([tuple_]), levels[None, :])[0]
        return np.asarray(self.rows * (joined_cost - self.cost()) + rows * (joined_cost - own_cost))

    def add(self, class_: int, tuple_: int) -> None:
        """Widen the box of a class for one more tuple."""
        codes, head = self.problem.codes, self.head[class_]
        for j, up in enumerate(self.problem.up):
            differing_levels = np.count_nonzero(up[:, codes[tuple_, j]] != up[:, codes[head, j]])
            self.levels[class_, j] = max(self.levels[class_, j], differing_levels)
        self.rows[class_] += self.problem.counts[tuple_]

    def _row_cost(self, tuples: np.ndarray, levels: np.ndarray) -> np.ndarray:
        return self.problem.costs(levels, self.problem.codes[tuples]) / self.problem.columns


def renumber_classes(class_of: np.ndarray) -> np.ndarray:
    """Classes without gaps, 0 … n - 1 in their order; -1 stays."""
    used_numbers, positions = densify_keys(class_of + 1, int(class_of.max()) + 2)
    return np.asarray(positions - int(used_numbers[0] == 0), dtype=np.int64)
