"""Merges classes that violate a condition with others, or suppresses them.

    class_of = merge_until_allowed(problem, class_of, guard, budget)

The smallest failing class joins the class where that costs least among those with which it holds,
or where it costs least at all, again and again. In the end there is one class at most, so it always
succeeds if all rows together fulfil the conditions.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.local_recoding.class_merging import (
    HierarchyTrees,
    Merging,
    merge,
    write_numbers,
)
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.recoding.recoding_problem import (
    ClassBoxes,
    RecodingProblem,
    renumber_classes,
)

BLOCK = 8192
"""Classes compared with each other: time grows with their square, so more are cut into blocks."""


def visible_classes(
    problem: RecodingProblem, levels: np.ndarray, hidden: np.ndarray | None = None
) -> np.ndarray:
    """The class of every tuple as a reader of the release sees it: equal cells, one class.

    Tuples that are `hidden` show `*` in every column.
    """
    shown_levels = levels.astype(np.int64)
    if hidden is not None:
        shown_levels[hidden] = problem.heights
    nodes = [up[shown_levels[:, j], problem.codes[:, j]] for j, up in enumerate(problem.up)]
    cells = np.column_stack([shown_levels, *nodes])
    return np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1)


def merge_until_allowed(
    problem: RecodingProblem, class_of: np.ndarray, guard: Guard, budget: int = 0
) -> np.ndarray:
    """Classes that all hold; at most `budget` rows (with those already there) are in none (−1)."""
    budget -= int(problem.counts[class_of < 0].sum())
    trees = HierarchyTrees.of(problem.up, problem.cost)
    while (class_of >= 0).any():
        class_of = _merge_equal_boxes(problem, class_of)
        failing = ~guard.allowed(class_of)
        if not failing.any():
            return class_of
        if len(failing) == 1:
            break
        merging = _merging_state(problem, class_of)
        class_of = np.full(len(class_of), -1)
        # All classes, or parts of those next to each other by their leaves.
        parts = -(-len(merging.rows) // BLOCK)
        order = np.lexsort(merging.leaf.T) if parts > 1 else np.arange(len(merging.rows))
        for part in np.array_split(order, parts):
            block = merging.some(part)
            budget = merge(trees, block, guard.checks, failing[part], budget)
            write_numbers(trees, block, part, class_of)
    # What is left without the suppressed rows can never hold, but all rows do.
    return np.zeros_like(class_of)


def _merge_equal_boxes(problem: RecodingProblem, class_of: np.ndarray) -> np.ndarray:
    """Classes with one and the same box are one class."""
    class_of = renumber_classes(class_of)
    box_numbers = np.unique(
        ClassBoxes.around(problem, class_of).nodes(), axis=0, return_inverse=True
    )[1]
    return np.where(class_of < 0, -1, box_numbers.reshape(-1)[class_of])


def _merging_state(problem: RecodingProblem, class_of: np.ndarray) -> Merging:
    boxes = ClassBoxes.around(problem, class_of)
    order = np.argsort(class_of, kind="stable")
    order = order[class_of[order] >= 0]
    class_ends = np.flatnonzero(np.diff(class_of[order], append=-1))
    next_tuple = np.full(len(class_of), -1)
    next_tuple[order[:-1]] = order[1:]
    next_tuple[order[class_ends]] = -1
    first_tuples = order[np.concatenate([[0], class_ends[:-1] + 1])]
    return Merging(
        problem.codes[first_tuples].astype(np.int64),
        boxes.levels.astype(np.int64),
        boxes.rows.astype(np.int64),
        boxes.cost() * problem.columns,
        first_tuples,
        order[class_ends],
        next_tuple,
    )
