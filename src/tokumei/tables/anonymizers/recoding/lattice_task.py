"""A full-domain search in progress: the question, nodes, the best of them so far, and the answer.

    task = LatticeTask(problem, Question(k=5), advance)
    node = task.visit((0, 2, 1))
    node.sizes, node.kept               # rows of each class, and whether it may be released

A node is grouped from the smallest known node below it, not from all tuples: what was merged there
stays merged here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.core.progress import Advance
from tokumei.kernels.lattice import Generalized
from tokumei.tables.anonymizers.recoding.lattice_objective import objective_of
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
        self._tuples = Generalized(problem.codes, problem.up)
        everything = np.arange(len(problem.codes), dtype=np.int32)
        self._known = [((0,) * problem.columns, everything, problem.counts)]
        self._known_levels = np.zeros((1, problem.columns), dtype=np.int64)
        self._room = REMEMBERED

    def widths(self) -> list[np.ndarray]:
        """How many different values each column can show, by level."""
        return self._tuples.widths()

    def node(self, levels: Levels) -> Node:
        """The classes at these levels."""
        if self._allowed is None:
            below = np.flatnonzero((self._known_levels <= levels).all(axis=1))
            _, base, counts = self._known[min(below, key=lambda at: len(self._known[at][1]))]
            firsts, sizes = self._tuples.grouped(levels, base, counts)
            kept = sizes >= self._k
            # A node that merges little saves little to those above it.
            if 2 * len(firsts) <= len(base) and len(firsts) <= self._room:
                self._room -= len(firsts)
                self._known.append((levels, firsts, sizes))
                self._known_levels = np.vstack([self._known_levels, levels])
        else:
            firsts, class_of = self._inverse(levels)
            sizes = np.bincount(class_of, self.problem.counts).astype(np.int64)
            kept = (sizes >= self._k) & self._allowed(class_of)
        small = int(sizes[sizes < self._k].sum())
        return Node(levels, firsts, sizes, kept, small, int(sizes[~kept].sum()))

    def class_of(self, levels: Levels) -> np.ndarray:
        """The place of every tuple's class among those of the node: in order of first tuples."""
        return self._inverse(levels)[1]

    def _inverse(self, levels: Levels) -> tuple[np.ndarray, np.ndarray]:
        numbers = self._tuples.numbers(levels, np.arange(len(self.problem.codes)))
        _, firsts, class_of = np.unique(numbers, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        return firsts[order], np.argsort(order)[class_of]


DIGITS = 12
"""Losses that agree to this many decimals are a tie."""


@dataclass(frozen=True, eq=False)
class FullDomain:
    """One level per column for the whole table, and the tuples suppressed there."""

    levels: Levels
    suppressed: np.ndarray
    """True for the tuples of classes that are too small or not allowed."""
    loss: float
    optimal: bool
    """Proven: no node has a smaller loss."""
    visited: int
    """Nodes evaluated."""
    bound: float
    """No node has a smaller loss than this; the loss itself if proven."""
    classes: int
    """Classes released."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Question:
    """What is searched for, in all strategies alike.

    `allowed` judges classes beyond their size; `monotone` says that the union of two allowed
    classes is allowed. A class that is not allowed is suppressed, like one below k.
    """

    k: int
    suppression: float = 0.0
    objective: str = "ncp"
    budget: int | None = None
    allowed: Allowed | None = None
    monotone: bool = True


class LatticeTask:
    """Evaluates nodes, counts them, and keeps the best feasible one.

    Ties go to the node with more classes, then to the first in lexicographic order.
    """

    def __init__(self, problem: RecodingProblem, question: Question, advance: Advance) -> None:
        self.problem = problem
        self.top: Levels = tuple(int(height) for height in problem.heights)
        """The node of all `*`."""
        self.evaluator = NodeEvaluator(problem, question.k, question.allowed)
        widths = self.evaluator.widths()
        self.objective = objective_of(question.objective, problem, widths, question.k)
        self.limit = int(question.suppression * problem.rows + 1e-9)
        self.budget = question.budget
        # A kept class may have to be suppressed once it is merged with one that is not allowed.
        self.same_below = question.allowed is None or (question.monotone and not self.limit)
        self.shrinking = question.allowed is None
        self.best: Node | None = None
        self.loss = np.inf
        self.visited = 0
        self._key: tuple[float, int, Levels] | None = None
        self._advance = advance

    @property
    def spent(self) -> bool:
        """Whether the budget is used up; the first node is always looked at."""
        return self.budget is not None and self.visited >= max(self.budget, 1)

    def visit(self, levels: Levels) -> Node:
        """Evaluate a node; keep it if it is feasible and the best so far."""
        node = self.evaluator.node(levels)
        self.visited += 1
        self._advance(1)
        if self.feasible(node):
            loss = self.objective.loss(node)
            key = (round(loss, DIGITS), -node.classes, levels)
            if self._key is None or key < self._key:
                self._key, self.best, self.loss = key, node, loss
        return node

    def feasible(self, node: Node) -> bool:
        """Whether suppression stays within the limit."""
        return node.suppressed <= self.limit

    def rules_out_below(self, node: Node) -> bool:
        """Whether no node below this one can be feasible."""
        return node.small > self.limit or (self.same_below and not self.feasible(node))

    def hopeful(self, bound: float | np.ndarray) -> np.ndarray:
        """Whether a loss this low could be the best, or tie with it."""
        slack = 10 * 10.0**-DIGITS * max(1.0, abs(self.loss)) if self.best is not None else 0.0
        return np.asarray(bound <= self.loss + slack)

    def answer(self, *, bound: float) -> FullDomain:
        """The best node found; proven if no open node's bound is below its loss."""
        if self.best is None:
            if bound == np.inf:
                raise nothing_feasible()
            raise UsageError(
                "the search ended before it found a generalization that meets the condition",
                "条件を満たす一般化が見つかる前に探索の上限に達しました",
            )
        optimal = not bool(self.hopeful(bound))
        return FullDomain(
            levels=self.best.levels,
            suppressed=~self.best.kept[self.evaluator.class_of(self.best.levels)],
            loss=self.loss,
            optimal=optimal,
            visited=self.visited,
            bound=self.loss if optimal else min(bound, self.loss),
            classes=self.best.classes,
        )


def nothing_feasible() -> InputError:
    """The error when not even all `*` will do."""
    return InputError(
        "no generalization meets the condition within the suppression limit, not even * everywhere",
        "抑圧の上限内で条件を満たす一般化はありません (すべて * でも不可)",
    )
