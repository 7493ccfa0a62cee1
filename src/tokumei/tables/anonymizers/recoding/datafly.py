"""Datafly (Sweeney 1998): raise the column with most different values until few rows are left.

    found = datafly(problem, k=5, suppression=0.02)

Fast and far from the best; kept for comparison.
"""

from __future__ import annotations

import numpy as np

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.lattice_node import Allowed
from tokumei.tables.anonymizers.recoding.lattice_task import (
    FullDomain,
    LatticeTask,
    Question,
    nothing_feasible,
)
from tokumei.tables.anonymizers.recoding.problem import RecodingProblem


def datafly(
    problem: RecodingProblem, k: int, *, suppression: float = 0.0, allowed: Allowed | None = None
) -> FullDomain:
    """The first node of the greedy climb whose small classes may be suppressed; loss is NCP.

    Classes that are not `allowed` count as small. Columns with equally many values are raised in
    their order.
    """
    with meter(Text("climbing", "一般化中")) as advance:
        question = Question(k=k, suppression=suppression, allowed=allowed)
        task = LatticeTask(problem, question, advance)
        levels = [0] * problem.columns
        while not task.feasible(task.visit(tuple(levels))):
            values = [_different(problem, j, level) for j, level in enumerate(levels)]
            if max(values) == 0:
                raise nothing_feasible()
            levels[int(np.argmax(values))] += 1
        # Nothing is known of other nodes but that no cell costs less than 0.
        return task.answer(bound=0.0)


def _different(problem: RecodingProblem, j: int, level: int) -> int:
    """The values a column shows; 0 if it cannot be raised."""
    if level == problem.heights[j]:
        return 0
    return len(np.unique(problem.up[j][level][problem.codes[:, j]]))
