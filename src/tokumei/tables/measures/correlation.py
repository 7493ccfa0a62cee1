"""U4 corMAE: how far the correlations between sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.mean_error import known_means


@dataclass(frozen=True)
class Correlation:
    """Mean over SA pairs i<j of |cor(X_i,X_j) − cor(Y_i,Y_j)|; a constant column has cor 0."""

    name: ClassVar[str] = "U4"
    title: ClassVar[Text] = Text("Error of the correlations", "相関係数の誤差")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 2.0)
    unit: ClassVar[Text] = Text("correlation", "相関")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        pairs = np.triu_indices(len(case.sa), k=1)
        if not len(pairs[0]):
            return Score(0.0)
        before = correlations(case.sa_original, case.original_counts)
        moved = before[pairs] - correlations(case.sa_released, case.released_counts)[pairs]
        return Score(float(np.abs(moved).mean()), sample=len(pairs[0]))


def correlations(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Pearson correlations of the columns, 0 where one is constant; NaN counts as the mean.

    Row i counts `counts[i]` times.
    """
    centred = values - known_means(values, counts)
    centred = np.where(np.isnan(centred), 0.0, centred)
    rows = len(values) if counts is None else int(counts.sum())
    if counts is not None:
        centred *= np.sqrt(counts)[:, None]
    # Rounding leaves a constant column a spread of some 1e-16 of its size; that is not a signal.
    floor = 1e-12 * np.sqrt(rows) * np.nanmax(np.abs(values), axis=0, initial=0.0)
    norms = np.sqrt((centred**2).sum(axis=0))
    flat = norms <= floor
    unit = np.where(flat, 0.0, centred / np.where(flat, 1.0, norms))
    return np.asarray(unit.T @ unit)
