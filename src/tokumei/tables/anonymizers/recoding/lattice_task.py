"""State of a full-domain search: problem, nodes, best node, result.

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
from tokumei.core.progress import AdvanceProgress
from tokumei.kernels.lattice import GeneralizedTuples
from tokumei.tables.anonymizers.recoding.lattice_objective import build_objective
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem

NodeLevels = tuple[int, ...]
ClassPredicate = Callable[[np.ndarray], np.ndarray]
"""From a class number per tuple to a truth value per class."""

MAX_REMEMBERED_CLASSES = 2_000_000
"""Classes of known nodes kept in memory, in all."""


@dataclass(frozen=True, eq=False)
class LatticeNode:
    """The classes of a node; `firsts` is one tuple of each, all others generalize to the same."""

    levels: NodeLevels
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

    def __init__(
        self, problem: RecodingProblem, k: int, allowed: ClassPredicate | None = None
    ) -> None:
        self.problem = problem
        self._k = k
        self._allowed = allowed
        self._tuples = GeneralizedTuples(problem.codes, problem.up)
        all_tuples = np.arange(len(problem.codes), dtype=np.int32)
        self._known_nodes = [((0,) * problem.columns, all_tuples, problem.counts)]
        self._known_levels = np.zeros((1, problem.columns), dtype=np.int64)
        self._remaining_memory = MAX_REMEMBERED_CLASSES

    def widths(self) -> list[np.ndarray]:
        """How many different values each column can show, by level."""
        return self._tuples.widths()

    def node(self, levels: NodeLevels) -> LatticeNode:
        """The classes at these levels."""
        if self._allowed is None:
            lower_nodes = np.flatnonzero((self._known_levels <= levels).all(axis=1))
            _, base_tuples, counts = self._known_nodes[
                min(lower_nodes, key=lambda node_index: len(self._known_nodes[node_index][1]))
            ]
            firsts, sizes = self._tuples.grouped(levels, base_tuples, counts)
            kept = sizes >= self._k
            # A node that merges little saves little to those above it.
            if 2 * len(firsts) <= len(base_tuples) and len(firsts) <= self._remaining_memory:
                self._remaining_memory -= len(firsts)
                self._known_nodes.append((levels, firsts, sizes))
                self._known_levels = np.vstack([self._known_levels, levels])
        else:
            firsts, class_of = self._group_tuples(levels)
            sizes = np.bincount(class_of, self.problem.counts).astype(np.int64)
            kept = (sizes >= self._k) & self._allowed(class_of)
        small = int(sizes[sizes < self._k].sum())
        return LatticeNode(levels, firsts, sizes, kept, small, int(sizes[~kept].sum()))

    def class_of(self, levels: NodeLevels) -> np.ndarray:
        """The place of every tuple's class among those of the node: in order of first tuples."""
        return self._group_tuples(levels)[1]

    def _group_tuples(self, levels: NodeLevels) -> tuple[np.ndarray, np.ndarray]:
        numbers = self._tuples.numbers(levels, np.arange(len(self.problem.codes)))
        _, firsts, class_of = np.unique(numbers, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        return firsts[order], np.argsort(order)[class_of]


TIE_DECIMALS = 12
"""Losses that agree to this many decimals are a tie."""


@dataclass(frozen=True, eq=False)
class FullDomainResult:
    """One level per column for the whole table, and the tuples suppressed there."""

    levels: NodeLevels
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
class LatticeQuery:
    """What is searched for, in all strategies alike.

    `allowed` judges classes beyond their size; `monotone` says that the union of two allowed
    classes is allowed. A class that is not allowed is suppressed, like one below k.
    """

    k: int
    suppression: float = 0.0
    objective: str = "ncp"
    budget: int | None = None
    allowed: ClassPredicate | None = None
    monotone: bool = True


class LatticeTask:
    """Evaluates nodes, counts them, and keeps the best feasible one.

    Ties go to the node with more classes, then to the first in lexicographic order.
    """

    def __init__(
        self, problem: RecodingProblem, query: LatticeQuery, advance: AdvanceProgress
    ) -> None:
        self.problem = problem
        self.top: NodeLevels = tuple(int(height) for height in problem.heights)
        """The node of all `*`."""
        self.evaluator = NodeEvaluator(problem, query.k, query.allowed)
        widths = self.evaluator.widths()
        self.objective = build_objective(query.objective, problem, widths, query.k)
        self.limit = int(query.suppression * problem.rows + 1e-9)
        self.budget = query.budget
        # A kept class may have to be suppressed once it is merged with one that is not allowed.
        self.same_below = query.allowed is None or (query.monotone and not self.limit)
        self.shrinking = query.allowed is None
        self.best: LatticeNode | None = None
        self.loss = np.inf
        self.visited = 0
        self._best_key: tuple[float, int, NodeLevels] | None = None
        self._advance = advance

    @property
    def spent(self) -> bool:
        """Whether the budget is used up; the first node is always looked at."""
        return self.budget is not None and self.visited >= max(self.budget, 1)

    def visit(self, levels: NodeLevels) -> LatticeNode:
        """Evaluate a node; keep it if it is feasible and the best so far."""
        node = self.evaluator.node(levels)
        self.visited += 1
        self._advance(1)
        if self.feasible(node):
            loss = self.objective.loss(node)
            key = (round(loss, TIE_DECIMALS), -node.classes, levels)
            if self._best_key is None or key < self._best_key:
                self._best_key, self.best, self.loss = key, node, loss
        return node

    def feasible(self, node: LatticeNode) -> bool:
        """Whether suppression stays within the limit."""
        return node.suppressed <= self.limit

    def rules_out_below(self, node: LatticeNode) -> bool:
        """Whether no node below this one can be feasible."""
        return node.small > self.limit or (self.same_below and not self.feasible(node))

    def hopeful(self, bound: float | np.ndarray) -> np.ndarray:
        """Whether a loss this low could be the best, or tie with it."""
        slack = (
            10 * 10.0**-TIE_DECIMALS * max(1.0, abs(self.loss)) if self.best is not None else 0.0
        )
        return np.asarray(bound <= self.loss + slack)

    def build_result(self, *, bound: float) -> FullDomainResult:
        """The best node found; proven if no open node's bound is below its loss."""
        if self.best is None:
            if bound == np.inf:
                raise infeasible_error()
            raise UsageError(
                "the search ended before it found a generalization that meets the condition"
            )
        optimal = not bool(self.hopeful(bound))
        return FullDomainResult(
            levels=self.best.levels,
            suppressed=~self.best.kept[self.evaluator.class_of(self.best.levels)],
            loss=self.loss,
            optimal=optimal,
            visited=self.visited,
            bound=self.loss if optimal else min(bound, self.loss),
            classes=self.best.classes,
        )


def infeasible_error() -> InputError:
    """The error when not even all `*` will do."""
    return InputError(
        "no generalization meets the condition within the suppression limit, not even * everywhere"
    )
