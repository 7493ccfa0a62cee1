"""U4 corMAE: how far the correlations between sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.mean_error import known_means
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class Correlation(Measure):
    """Mean over SA pairs i<j of |cor(X_i,X_j) − cor(Y_i,Y_j)|; a constant column has cor 0."""

    name: ClassVar[str] = "U4"
    title: ClassVar[Text] = Text("Error of the correlations", "相関係数の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the correlations between sensitive columns have moved.",
        "機密属性どうしの相関係数がどれだけ変わったかを示します。",
    )
    formula: ClassVar[str] = "mean_i<j |cor(X_i, X_j) − cor(Y_i, Y_j)|"
    says: ClassVar[Text] = Text(
        "Correlations between sensitive columns change by {value} on average (1 is the most).",
        "機密属性どうしの相関係数は、平均して {value} 変わります（相関の最大は 1）。",
    )
    unchanged: ClassVar[Text] = Text(
        "Correlations between sensitive columns are unchanged.",
        "機密属性どうしの相関は変わりません。",
    )
    heading: ClassVar[Text] = Text("Correlations", "相関")
    limits: ClassVar[Limits] = Limits(0.05, 0.15)
    """A move by .05 seldom changes a conclusion, one by .15 often does."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    as_percent: ClassVar[bool] = False
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
