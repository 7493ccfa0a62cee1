"""What no class has taken in yet: it joins the class where that costs least, or is suppressed.

class_of = place_leftovers(problem, class_of, spare_rows)
class_of = suppress_outliers(problem, class_of, k, spare_rows)
class_of = merge_forbidden(problem, class_of, allowed, spare_rows)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from tokumei.tables.anonymizers.recoding.local_boxes import Boxes, renumber
from tokumei.tables.anonymizers.recoding.local_parts import gains_of_leaving
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem

Allowed = Callable[[Sequence[np.ndarray]], np.ndarray]


def place_leftovers(problem: RecodingProblem, class_of: np.ndarray, budget: int) -> np.ndarray:
    """Put tuples without a class (-1) into classes, or leave them within a budget of rows."""
    left = np.flatnonzero(class_of < 0).tolist()
    if not left:
        return class_of
    class_of, boxes = class_of.copy(), Boxes.around(problem, class_of)
    ground = np.zeros(problem.columns, dtype=np.int64)
    for t in left:
        rows = int(problem.counts[t])
        costs = boxes.cost_of_joining(t, ground, rows)
        best = int(costs.argmin())
        if rows <= budget and costs[best] >= rows:
            budget -= rows
        else:
            class_of[t] = best
            boxes.add(best, t)
    return class_of


def suppress_outliers(
    problem: RecodingProblem, class_of: np.ndarray, k: int, budget: int
) -> np.ndarray:
    """Within the budget, take single tuples out of classes that become so much smaller by it."""
    class_of = class_of.copy()
    budget -= int(problem.counts[class_of < 0].sum())
    changed = budget > 0
    while changed:
        changed = False
        gains = gains_of_leaving(problem, class_of, k)
        done: set[int] = set()
        for t in np.argsort(-gains, kind="stable")[: np.count_nonzero(gains > 1e-12)]:
            if problem.counts[t] <= budget and int(class_of[t]) not in done:
                done.add(int(class_of[t]))
                class_of[t] = -1
                budget -= int(problem.counts[t])
                changed = True
    return class_of


def merge_forbidden(
    problem: RecodingProblem, class_of: np.ndarray, allowed: Allowed, budget: int
) -> np.ndarray:
    """Merge classes that are not allowed with others, or suppress them, until all are allowed."""
    class_of = class_of.copy()
    budget -= int(problem.counts[class_of < 0].sum())
    while True:
        class_of = renumber(class_of)
        bad = _forbidden(class_of, allowed)
        if not len(bad):
            return class_of
        budget = _merge_each(problem, class_of, bad, budget)


def _forbidden(class_of: np.ndarray, allowed: Allowed) -> np.ndarray:
    order = np.argsort(class_of, kind="stable")
    starts = np.searchsorted(class_of[order], np.arange(class_of.max() + 2))
    members = [order[a:b] for a, b in pairwise(starts)]
    return np.flatnonzero(~np.asarray(allowed(members), dtype=bool)) if members else np.empty(0)


def _merge_each(
    problem: RecodingProblem, class_of: np.ndarray, bad: np.ndarray, budget: int
) -> int:
    """One sweep: every bad class not merged in this sweep yet; what is left of the budget."""
    boxes = Boxes.around(problem, class_of)
    merged: set[int] = set()
    for c in bad[np.argsort(boxes.rows[bad], kind="stable")]:
        if c in merged:
            continue
        costs = boxes.cost_of_joining(boxes.head[c], boxes.levels[c], boxes.rows[c])
        costs[[c, *merged]] = np.inf
        partner = int(costs.argmin())
        rows = int(boxes.rows[c])
        if rows <= budget and costs[partner] >= rows * (1.0 - boxes.cost()[c]):
            class_of[class_of == c] = -1
            budget -= rows
        elif np.isfinite(costs[partner]):
            class_of[class_of == c] = partner
            merged.add(partner)
        elif not merged:
            raise ValueError("even one class of all rows is not allowed")
        merged.add(int(c))
    return budget
