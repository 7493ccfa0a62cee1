"""Hierarchical Mondrian on code arrays: move one attribute of a group down one level at a time.

    tree = Tree.of(codes, counts, [hierarchy.up for hierarchy in hierarchies])
    found = split_down(tree, k=2, choice="prec")
    found.levels                        # how high each column of each tuple stays

A split is allowed only if every group that it makes has k rows and fulfils the `checks` (see
conditions); it goes on, group by group, until none is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.mondrian.split_choice import (
    CHOICES,
    TIES,
    Choice,
    Split,
    Ties,
    better,
    score,
)
from tokumei.kernels.mondrian.tfidf import Targets
from tokumei.kernels.verdict import NO_CHECKS, Checks, holds


class Tree(NamedTuple):
    """Tuples of leaves with counts; the hierarchies with all their nodes numbered through.

    The node of leaf c of column j on level l is `up[starts[j, l] + c]`; `cost[node]` is its NCP.
    """

    codes: np.ndarray
    counts: np.ndarray
    up: np.ndarray
    starts: np.ndarray
    heights: np.ndarray
    leaves: np.ndarray
    cost: np.ndarray

    @classmethod
    def of(cls, codes: np.ndarray, counts: np.ndarray, ups: Sequence[np.ndarray]) -> Tree:
        """`codes[t, j]` is a leaf of column j, whose node on level l is `ups[j][l, leaf]`."""
        heights = np.array([len(up) - 1 for up in ups], dtype=np.int64)
        starts = np.zeros((len(ups), heights.max() + 1), dtype=np.int64)
        nodes_of, cost, nodes, places = [], [], 0, 0
        for j, up in enumerate(ups):
            for level, above in enumerate(up):
                below = np.bincount(above)
                starts[j, level] = places
                nodes_of.append(above + nodes)
                cost.append((below - 1) / max(len(above) - 1, 1))
                nodes, places = nodes + len(below), places + len(above)
        return cls(
            np.ascontiguousarray(codes, dtype=np.int32),
            counts.astype(np.int64),
            np.concatenate(nodes_of).astype(np.int64),
            starts,
            heights,
            np.array([up.shape[1] for up in ups], dtype=np.int64),
            np.concatenate(cost),
        )

    def draw(self, codes: np.ndarray, counts: np.ndarray) -> Tree:
        """The same hierarchies with other tuples."""
        return self._replace(codes=codes.astype(np.int32), counts=counts.astype(np.int64))


class Splitting(NamedTuple):
    """The class of every tuple and the level of its columns."""

    classes: np.ndarray
    levels: np.ndarray


NO_RULES = Targets(np.zeros((0, 0), np.bool_), np.zeros(0, np.int64))


def split_down(
    tree: Tree,
    *,
    k: int,
    choice: Choice,
    targets: Targets = NO_RULES,
    ties: Ties = "order",
    checks: Checks = NO_CHECKS,
) -> Splitting:
    """Split all tuples from `*` down; `targets` matter to the choice `tfidf`."""
    how, tie = CHOICES.index(choice), TIES.index(ties)
    return Splitting(*_split_down(tree, targets, checks, k, how, tie))


@compiled
def _split_down(
    tree: Tree, targets: Targets, checks: Checks, k: int, how: int, ties: int
) -> tuple[np.ndarray, np.ndarray]:
    tuples, columns = tree.codes.shape
    classes, levels = np.zeros(tuples, np.int64), np.zeros((tuples, columns), np.int64)
    # `order` holds the groups one behind the other: a group is a stretch of it.
    order, room = np.arange(tuples), np.empty(tuples, np.int64)
    waiting, number = [(0, tuples)], 0
    for t in range(tuples):
        levels[t] = tree.heights
    while len(waiting):
        begin, end = waiting.pop()
        group = order[begin:end]
        column = _best_split(tree, targets, checks, group, levels[group[0]], k, how, ties)
        if column < 0:
            for t in group:
                classes[t] = number
            number += 1
            continue
        level = levels[group[0], column] - 1
        for t in group:
            levels[t, column] = level
        nodes = _nodes(tree, group, column, level)
        children, _ = _count(nodes, tree.counts, group)
        _stretches(order, room, begin, nodes, children, waiting)
    return classes, levels


@compiled
def _stretches(
    order: np.ndarray,
    room: np.ndarray,
    begin: int,
    nodes: np.ndarray,
    children: np.ndarray,
    waiting: list[tuple[int, int]],
) -> None:
    """Sort a group by child, keeping the order of its tuples, and queue the parts."""
    sizes = np.zeros(len(children) + 1, np.int64)
    place = np.searchsorted(children, nodes)
    for at in range(len(nodes)):
        sizes[place[at] + 1] += 1
    starts = np.cumsum(sizes)
    for child in range(len(children)):
        waiting.append((begin + starts[child], begin + starts[child + 1]))
    for at in range(len(nodes)):
        room[starts[place[at]]] = order[begin + at]
        starts[place[at]] += 1
    order[begin : begin + len(nodes)] = room[: len(nodes)]


@compiled
def _best_split(
    tree: Tree,
    targets: Targets,
    checks: Checks,
    group: np.ndarray,
    levels: np.ndarray,
    k: int,
    how: int,
    ties: int,
) -> int:
    """The column to move down, or −1 if every split would leave a group that must not be."""
    columns = len(levels)
    at = np.empty(columns, np.int64)
    for j in range(columns):
        at[j] = tree.up[tree.starts[j, levels[j]] + tree.codes[group[0], j]]
    best, highest = -1, 0.0
    for j in range(columns):
        if levels[j] == 0:
            continue
        nodes = _nodes(tree, group, j, levels[j] - 1)
        children, rows = _count(nodes, tree.counts, group)
        if rows.min() < k:
            continue
        split = Split(j, at, children, rows, _span(tree, group, j))
        found = score(split, tree.cost, tree.heights, targets, how)
        wins = better(found, highest, j, best, tree.heights, ties)
        if wins and _parts_hold(checks, group, nodes, children):
            best, highest = j, found
    return best


@compiled
def _parts_hold(checks: Checks, group: np.ndarray, nodes: np.ndarray, children: np.ndarray) -> bool:
    """Whether the tuples of every child fulfil the checks."""
    if len(checks.demands.kinds) == 0:
        return True
    order = np.argsort(nodes)
    starts = np.searchsorted(nodes[order], children)
    for child in range(len(children)):
        end = starts[child + 1] if child + 1 < len(children) else len(nodes)
        if not holds(checks, group[order[starts[child] : end]]):
            return False
    return True


@compiled
def _nodes(tree: Tree, group: np.ndarray, column: int, level: int) -> np.ndarray:
    nodes = np.empty(len(group), np.int64)
    for at in range(len(group)):
        nodes[at] = tree.up[tree.starts[column, level] + tree.codes[group[at], column]]
    return nodes


@compiled
def _count(
    nodes: np.ndarray, counts: np.ndarray, group: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The distinct nodes, ascending, and the rows of each."""
    ordered = np.sort(nodes)
    children, number = np.empty(len(nodes), np.int64), 0
    for at in range(len(ordered)):
        if at == 0 or ordered[at] != ordered[at - 1]:
            children[number] = ordered[at]
            number += 1
    rows = np.zeros(number, np.int64)
    places = np.searchsorted(children[:number], nodes)
    for at in range(len(nodes)):
        rows[places[at]] += counts[group[at]]
    return children[:number], rows


@compiled
def _span(tree: Tree, group: np.ndarray, column: int) -> float:
    """How far the leaves of the group lie apart in the hierarchy's order, from 0 to 1."""
    low, high = tree.leaves[column], -1
    for at in range(len(group)):
        low = min(low, tree.codes[group[at], column])
        high = max(high, tree.codes[group[at], column])
    return float((high - low) / max(tree.leaves[column] - 1, 1))
