"""What no class has taken in yet: it joins the class where that costs least, or is suppressed.

class_of = place_leftovers(problem, class_of, spare_rows)
class_of = suppress_outliers(problem, class_of, k, spare_rows)
"""

from __future__ import annotations

import numpy as np

from tokumei.tables.anonymizers.recoding.local_boxes import Boxes
from tokumei.tables.anonymizers.recoding.local_parts import gains_of_leaving
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


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
