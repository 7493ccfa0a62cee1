"""One node of the level lattice: the classes that full-domain generalization to it makes.

    evaluator = NodeEvaluator(problem, k=5)
    node = evaluator.node((0, 2, 1))
    node.sizes, node.kept               # rows of each class, and whether it may be released

A node is grouped from the smallest known node below it, not from all tuples: what was merged there
stays merged here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

Levels = tuple[int, ...]
Allowed = Callable[[np.ndarray], np.ndarray]
"""From a class number per tuple to a truth value per class."""

REMEMBERED = 2_000_000
"""Classes of known nodes kept in memory, in all."""


@dataclass(frozen=True, eq=False)
class Node:
    """The classes of a node; `firsts` is one tuple of each, all others generalize to the same."""

    levels: Levels
    firsts: np.ndarray
    sizes: np.ndarray
    kept: np.ndarray
    small: int
    """Rows of classes below k."""
    suppressed: int
    """Rows of classes that are not kept: too small, or not allowed."""

    @property
    def classes(self) -> int:
        """How many classes are kept."""
        return int(np.count_nonzero(self.kept))


class NodeEvaluator:
    """Groups the tuples of a problem at any node."""

    def __init__(self, problem: RecodingProblem, k: int, allowed: Allowed | None = None) -> None:
        self.problem = problem
        self._k = k
        self._allowed = allowed
        self._columns = np.ascontiguousarray(problem.codes.T)
        self._places = [[_dense(row) for row in up] for up in problem.up]
        everything = np.arange(len(problem.codes))
        self._known = [((0,) * problem.columns, everything, problem.counts)]
        self._known_levels = np.zeros((1, problem.columns), dtype=np.int64)
        self._room = REMEMBERED

    def widths(self) -> list[np.ndarray]:
        """How many different values each column can show, by level."""
        return [np.array([width for _, width in places]) for places in self._places]

    def node(self, levels: Levels) -> Node:
        """The classes at these levels."""
        if self._allowed is not None:
            return self._asked_node(levels, self._allowed)
        firsts, counts = self._base(levels)
        numbers = self._numbers(levels, firsts)
        found, sizes = _grouped(numbers, counts)
        self._remember(levels, firsts[found], sizes, len(firsts))
        return self._judged(levels, firsts[found], sizes, sizes >= self._k)

    def class_of(self, levels: Levels) -> np.ndarray:
        """The class number of every tuple at these levels."""
        return self._inverse(levels)[1]

    def _asked_node(self, levels: Levels, allowed: Allowed) -> Node:
        firsts, class_of = self._inverse(levels)
        sizes = np.zeros(len(firsts), dtype=np.int64)
        np.add.at(sizes, class_of, self.problem.counts)
        return self._judged(levels, firsts, sizes, (sizes >= self._k) & allowed(class_of))

    def _inverse(self, levels: Levels) -> tuple[np.ndarray, np.ndarray]:
        numbers = self._numbers(levels, np.arange(len(self.problem.codes)))
        _, firsts, class_of = np.unique(numbers, return_index=True, return_inverse=True)
        return firsts, class_of

    def _judged(
        self, levels: Levels, firsts: np.ndarray, sizes: np.ndarray, kept: np.ndarray
    ) -> Node:
        small = int(sizes[sizes < self._k].sum())
        return Node(levels, firsts, sizes, kept, small, int(sizes[~kept].sum()))

    def _base(self, levels: Levels) -> tuple[np.ndarray, np.ndarray]:
        below = np.flatnonzero((self._known_levels <= levels).all(axis=1))
        best = min(below, key=lambda at: len(self._known[at][1]))
        return self._known[best][1:]

    def _remember(self, levels: Levels, firsts: np.ndarray, sizes: np.ndarray, base: int) -> None:
        # A node that merges little saves little to those above it.
        if 2 * len(firsts) <= base and len(firsts) <= self._room:
            self._room -= len(firsts)
            self._known.append((levels, firsts, sizes))
            self._known_levels = np.vstack([self._known_levels, levels])

    def _numbers(self, levels: Sequence[int], tuples: np.ndarray) -> np.ndarray:
        """One number per tuple, equal where the generalized tuples are."""
        whole = len(tuples) == len(self.problem.codes)
        numbers, size = np.zeros(len(tuples), dtype=np.int64), 1
        for column, places, level in zip(self._columns, self._places, levels, strict=True):
            place, width = places[level]
            if width == 1:
                continue
            if size * width > 2**62:
                numbers, size = _dense(numbers)
            numbers *= width
            numbers += place[column if whole else column[tuples]]
            size *= width
        return numbers


def _dense(values: np.ndarray) -> tuple[np.ndarray, int]:
    """The values numbered from 0 in their order, and how many there are."""
    found, places = np.unique(values, return_inverse=True)
    return places.astype(np.int64), len(found)


def _grouped(numbers: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first place of each number, and the sum of its counts; in the order of numbers."""
    order = np.argsort(numbers)
    ordered = numbers[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return np.minimum.reduceat(order, starts), np.add.reduceat(counts[order], starts)
