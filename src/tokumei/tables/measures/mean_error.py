"""U1 meanMAE: how far the means of the sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison


@dataclass(frozen=True)
class MeanError:
    """Mean over SA j of |mean(X_j) − mean(Y_j)|.

    Suppressed cells are left out of the mean; a column without any other cell has mean 0.
    """

    name: ClassVar[str] = "U1"
    title: ClassVar[Text] = Text("Error of the means", "平均値の誤差")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("the column's unit", "列の単位")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        before = known_means(case.sa_original, case.original_counts)
        moved = before - known_means(case.sa_released, case.released_counts)
        return Score(float(np.abs(moved).mean()), sample=case.released_rows)


def known_means(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Mean of each column without its NaN, 0 if nothing is left; row i counts `counts[i]` times."""
    known = ~np.isnan(values)
    if counts is None:
        return np.asarray(values.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1))
    weights = counts[:, None] * known
    return np.asarray(
        np.where(known, values * weights, 0.0).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    )
