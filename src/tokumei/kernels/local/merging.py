"""Merge classes that break a condition with others until all hold, or suppress them (compiled).

    budget = merge(Trees.of(ups, costs), merging, checks, failing, budget)

The smallest failing class joins the class where that costs least among those with which it holds,
or where it costs least at all, again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.verdict import Checks, holds

PARTNERS = 128
"""How many of the cheapest classes are tried; more gain nothing on UCI Adult."""


class Trees(NamedTuple):
    """All hierarchies in one array: the node and cost of leaf c of column j on level l stand at
    `starts[j, l] + c`."""

    nodes: np.ndarray
    cost: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(cls, ups: Sequence[np.ndarray], costs: Sequence[np.ndarray]) -> Trees:
        """From levels × leaves of every column."""
        starts, place = np.zeros((len(ups), max(map(len, ups))), dtype=np.int64), 0
        for j, up in enumerate(ups):
            starts[j, : len(up)] = place + np.arange(len(up)) * up.shape[1]
            place += up.size
        return cls(
            np.concatenate([up.ravel() for up in ups]).astype(np.int64),
            np.concatenate([cost.ravel() for cost in costs]).astype(np.float64),
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


@compiled
def write_numbers(merging: Merging, numbers: np.ndarray, class_of: np.ndarray) -> None:
    """Write the number of each class that is left to its tuples."""
    for place in range(len(numbers)):
        if merging.rows[place]:
            for t in _members(merging, place):
                class_of[t] = numbers[place]


@compiled
def merge(trees: Trees, merging: Merging, checks: Checks, failing: np.ndarray, budget: int) -> int:
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
