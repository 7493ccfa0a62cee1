"""Classes that break a condition are merged with others until all hold, or suppressed.

    class_of = merge_until_allowed(problem, class_of, guard, budget)

The smallest failing class joins the class where that costs least among those with which it holds,
or where it costs least at all, again and again. In the end there is one class at most, so it always
succeeds if all rows together fulfil the conditions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.verdict import Checks, holds
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.recoding.local_boxes import Boxes, renumber
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

PARTNERS = 128
"""How many of the cheapest classes are tried; more gain nothing on UCI Adult."""
BLOCK = 8192
"""Classes compared with each other: time grows with their square, so more are cut into blocks."""


class Trees(NamedTuple):
    """All hierarchies in one array: the node and cost of leaf c of column j on level l stand at
    `starts[j, l] + c`."""

    nodes: np.ndarray
    cost: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, problem: RecodingProblem) -> Trees:
        """One level after the other."""
        starts, place = np.zeros((problem.columns, problem.heights.max() + 1), dtype=np.int64), 0
        for j, up in enumerate(problem.up):
            starts[j, : len(up)] = place + np.arange(len(up)) * up.shape[1]
            place += up.size
        return cls(
            np.concatenate([up.ravel() for up in problem.up]).astype(np.int64),
            np.concatenate([cost.ravel() for cost in problem.cost]).astype(np.float64),
            starts,
        )


class Merging(NamedTuple):
    """Classes: a leaf and a level per column, rows, cost of a row; tuples as linked lists.

    `first[c]` is a tuple of class c, `after[t]` the next one (−1: none), `last[c]` the last.
    """

    leaf: np.ndarray
    level: np.ndarray
    rows: np.ndarray
    cost: np.ndarray
    first: np.ndarray
    last: np.ndarray
    after: np.ndarray

    def some(self, classes: np.ndarray) -> Merging:
        """Only these classes."""
        leaf, level, rows, cost, first, last = (one[classes] for one in self[:-1])
        return Merging(leaf, level, rows, cost, first, last, self.after)


def visible_classes(
    problem: RecodingProblem, levels: np.ndarray, hidden: np.ndarray | None = None
) -> np.ndarray:
    """The class of every tuple as a reader of the release sees it: equal cells, one class.

    Tuples that are `hidden` show `*` in every column.
    """
    shown = levels.astype(np.int64)
    if hidden is not None:
        shown[hidden] = problem.heights
    nodes = [up[shown[:, j], problem.codes[:, j]] for j, up in enumerate(problem.up)]
    cells = np.column_stack([shown, *nodes])
    return np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1)


def merge_until_allowed(
    problem: RecodingProblem, class_of: np.ndarray, guard: Guard, budget: int = 0
) -> np.ndarray:
    """Classes that all hold; at most `budget` rows (with those already there) are in none (−1)."""
    budget -= int(problem.counts[class_of < 0].sum())
    trees = Trees.of(problem)
    while (class_of >= 0).any():
        class_of = _as_seen(problem, class_of)
        failing = ~guard.allowed(class_of)
        if not failing.any():
            return class_of
        if len(failing) == 1:
            break
        merging = _merging(problem, class_of)
        class_of = np.full(len(class_of), -1)
        for part in _blocks(merging):
            block = merging.some(part)
            budget = _merge(trees, block, guard.checks, failing[part], budget)
            _write_numbers(block, part, class_of)
    # What is left without the suppressed rows can never hold, but all rows do.
    return np.zeros_like(class_of)


def _as_seen(problem: RecodingProblem, class_of: np.ndarray) -> np.ndarray:
    """Classes with one and the same box are one class."""
    class_of = renumber(class_of)
    same = np.unique(Boxes.around(problem, class_of).nodes(), axis=0, return_inverse=True)[1]
    return np.where(class_of < 0, -1, same.reshape(-1)[class_of])


def _merging(problem: RecodingProblem, class_of: np.ndarray) -> Merging:
    boxes = Boxes.around(problem, class_of)
    order = np.argsort(class_of, kind="stable")
    order = order[class_of[order] >= 0]
    ends = np.flatnonzero(np.diff(class_of[order], append=-1))
    after = np.full(len(class_of), -1)
    after[order[:-1]] = order[1:]
    after[order[ends]] = -1
    first = order[np.concatenate([[0], ends[:-1] + 1])]
    return Merging(
        problem.codes[first].astype(np.int64),
        boxes.levels.astype(np.int64),
        boxes.rows.astype(np.int64),
        boxes.cost() * problem.columns,
        first,
        order[ends],
        after,
    )


def _blocks(merging: Merging) -> list[np.ndarray]:
    """All classes, or parts of those next to each other by their leaves."""
    parts = -(-len(merging.rows) // BLOCK)
    order = np.lexsort(merging.leaf.T) if parts > 1 else np.arange(len(merging.rows))
    return np.array_split(order, parts)


@compiled
def _write_numbers(merging: Merging, numbers: np.ndarray, class_of: np.ndarray) -> None:
    """Write the number of each class that is left to its tuples."""
    for place in range(len(numbers)):
        if merging.rows[place]:
            for t in _members(merging, place):
                class_of[t] = numbers[place]


@compiled
def _merge(trees: Trees, merging: Merging, checks: Checks, failing: np.ndarray, budget: int) -> int:
    """Merge or suppress until none fails; classes that are gone have no rows. The budget left."""
    costs, columns = np.empty(len(failing)), merging.leaf.shape[1]
    while True:
        chosen = -1
        for c in range(len(failing)):
            if failing[c] and (chosen < 0 or merging.rows[c] < merging.rows[chosen]):
                chosen = c
        if chosen < 0:
            return budget
        for other in range(len(failing)):
            costs[other] = _increase(trees, merging, chosen, other)
        partner, good, increase = _partner(merging, checks, chosen, costs)
        failing[chosen] = False
        lost = merging.rows[chosen] * (columns - merging.cost[chosen])
        if merging.rows[chosen] <= budget and increase >= lost:
            budget -= merging.rows[chosen]
            merging.rows[chosen] = 0
        elif increase < np.inf:
            _join(trees, merging, chosen, partner)
            failing[partner] = not good


@compiled
def _partner(
    merging: Merging, checks: Checks, one: int, costs: np.ndarray
) -> tuple[int, bool, float]:
    """The class to join, whether both hold then, and what it costs (infinite: there is none)."""
    cheapest = int(np.argmin(costs))
    least = costs[cheapest]
    here = _members(merging, one)
    for _ in range(min(PARTNERS, len(costs) - 1)):
        best = int(np.argmin(costs))
        if costs[best] == np.inf:
            break
        if holds(checks, np.concatenate((here, _members(merging, best)))):
            return best, True, costs[best]
        costs[best] = np.inf
    return cheapest, False, least


@compiled
def _members(merging: Merging, number: int) -> np.ndarray:
    members, t = [merging.first[number]], merging.after[merging.first[number]]
    while t >= 0:
        members.append(t)
        t = merging.after[t]
    return np.array(members)


@compiled
def _increase(trees: Trees, merging: Merging, one: int, other: int) -> float:
    """What both classes lose more in all in one common box."""
    if other == one or merging.rows[other] == 0:
        return np.inf
    cost = 0.0
    for j in range(merging.leaf.shape[1]):
        level = _common_level(trees, merging, one, other, j)
        cost += trees.cost[trees.starts[j, level] + merging.leaf[one, j]]
    return float(
        merging.rows[one] * (cost - merging.cost[one])
        + merging.rows[other] * (cost - merging.cost[other])
    )


@compiled
def _common_level(trees: Trees, merging: Merging, one: int, other: int, j: int) -> int:
    """The lowest level at which one node of a column holds both boxes."""
    level = int(max(merging.level[one, j], merging.level[other, j]))
    while True:
        start = trees.starts[j, level]
        here = trees.nodes[start + merging.leaf[one, j]]
        if here == trees.nodes[start + merging.leaf[other, j]]:
            return level
        level += 1


@compiled
def _join(trees: Trees, merging: Merging, one: int, other: int) -> None:
    """Let the other class take this one in."""
    cost = 0.0
    for j in range(merging.leaf.shape[1]):
        level = _common_level(trees, merging, one, other, j)
        merging.level[other, j] = level
        cost += trees.cost[trees.starts[j, level] + merging.leaf[other, j]]
    merging.cost[other] = cost
    merging.rows[other] += merging.rows[one]
    merging.rows[one] = 0
    merging.after[merging.last[other]] = merging.first[one]
    merging.last[other] = merging.last[one]
