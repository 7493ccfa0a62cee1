"""A full-domain search in progress: the question, the best node so far, and the answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.core.errors import InputError, UsageError
from tokumei.core.progress import Advance
from tokumei.tables.anonymizers.recoding.lattice_node import Allowed, Levels, Node, NodeEvaluator
from tokumei.tables.anonymizers.recoding.lattice_objective import Wanted, objective_of
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

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
    objective: Wanted = "ncp"
    budget: int | None = None
    allowed: Allowed | None = None
    monotone: bool = True


class LatticeTask:
    """Evaluates nodes, counts them, and keeps the best feasible one.

    Ties go to the node with more classes, then to the first in lexicographic order.
    """

    def __init__(self, problem: RecodingProblem, question: Question, advance: Advance) -> None:
        _check(problem, question)
        self.problem = problem
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
    def top(self) -> Levels:
        """The node of all `*`."""
        return tuple(int(height) for height in self.problem.heights)

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

    def settles_above(self, node: Node) -> bool:
        """Whether no node above can be better, not even in a tie: it loses nothing avoidable."""
        return not node.suppressed and self.objective.loss(node) <= self.objective.floor(node)

    def hopeful(self, bound: float | np.ndarray) -> np.ndarray:
        """Whether a loss this low could be the best, or tie with it."""
        slack = 10 * 10.0**-DIGITS * max(1.0, abs(self.loss)) if self.best is not None else 0.0
        return np.asarray(bound <= self.loss + slack)

    def answer(self, *, bound: float) -> FullDomain:
        """The best node found; proven if no open node's bound is below its loss."""
        if self.best is None:
            raise nothing_feasible() if bound == np.inf else _budget_too_small()
        optimal = not bool(self.hopeful(bound))
        class_of = self.evaluator.class_of(self.best.levels)
        kept = np.zeros(len(self.problem.codes), dtype=bool)
        kept[self.best.firsts] = self.best.kept
        return FullDomain(
            levels=self.best.levels,
            suppressed=~kept[self._first_of_class(class_of)],
            loss=self.loss,
            optimal=optimal,
            visited=self.visited,
            bound=self.loss if optimal else min(bound, self.loss),
            classes=self.best.classes,
        )

    def _first_of_class(self, class_of: np.ndarray) -> np.ndarray:
        """For every tuple the one that stands for its class in the best node."""
        assert self.best is not None
        first = np.empty(len(self.best.firsts), dtype=np.int64)
        first[class_of[self.best.firsts]] = self.best.firsts
        found: np.ndarray = first[class_of]
        return found


def nothing_feasible() -> InputError:
    """The error when not even all `*` will do."""
    return InputError(
        "no generalization meets the condition within the suppression limit, not even * everywhere",
        "抑圧の上限内で条件を満たす一般化はありません (すべて * でも不可)",
    )


def _budget_too_small() -> UsageError:
    return UsageError(
        "the search ended before it found a generalization that meets the condition",
        "条件を満たす一般化が見つかる前に探索の上限に達しました",
    )


def _check(problem: RecodingProblem, question: Question) -> None:
    if question.k < 1:
        raise UsageError("k must be at least 1", "k は 1 以上にしてください")
    if not 0 <= question.suppression <= 1:
        raise UsageError(
            "suppression is a share of rows, from 0 to 1", "suppression は 0 から 1 の割合です"
        )
    if not problem.columns or not problem.rows:
        raise InputError("nothing to generalize: no columns or no rows", "列または行がありません")
