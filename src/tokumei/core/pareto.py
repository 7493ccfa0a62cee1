"""Which of several releases nothing else beats in every respect."""

from __future__ import annotations

import numpy as np


def pareto_front(costs: np.ndarray) -> np.ndarray:
    """Which rows no other row beats: at most equal in all columns and smaller in one."""
    costs = np.asarray(costs, dtype=np.float64)
    no_worse = (costs[:, None, :] <= costs[None, :, :]).all(axis=2)
    better = (costs[:, None, :] < costs[None, :, :]).any(axis=2)
    return np.asarray(~(no_worse & better).any(axis=0))
