"""U1 meanMAE: how far the means of the sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class MeanError(Measure):
    """Mean over SA j of |mean(X_j) − mean(Y_j)|.

    Suppressed cells are left out of the mean; a column without any other cell has mean 0.
    """

    name: ClassVar[str] = "U1"
    title: ClassVar[Text] = Text("Error of the means", "平均値の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the means of the sensitive columns have moved.",
        "機密属性の平均値がどれだけずれたかを示します。",
    )
    formula: ClassVar[str] = "mean_j |mean(X_j) − mean(Y_j)|"
    says: ClassVar[Text] = Text(
        "The means of the sensitive columns move by {value} on average{relative}.",
        "機密属性の平均値は、平均して {value} ずれます{relative}。",
    )
    unchanged: ClassVar[Text] = Text(
        "The means of the sensitive columns are unchanged.", "機密属性の平均値は変わりません。"
    )
    relative: ClassVar[Text] = Text("their level", "水準")
    heading: ClassVar[Text] = Text("Means", "平均値")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """1 % and 5 % of the mean level; 5 % is also where diagnosis says ×."""
    needs: ClassVar[tuple[str, ...]] = ("sa",)
    as_percent: ClassVar[bool] = False
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

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The mean level of the sensitive columns."""
        return mean_level(case)


def mean_level(case: Comparison) -> float | None:
    """The mean size of the means of the sensitive columns; None without any."""
    return float(np.abs(case.sa_original.mean(axis=0)).mean()) or None if case.sa else None


def known_means(values: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Mean of each column without its NaN, 0 if nothing is left; row i counts `counts[i]` times."""
    known = ~np.isnan(values)
    if counts is None:
        return np.asarray(values.sum(axis=0, where=known) / np.maximum(known.sum(axis=0), 1))
    weights = counts[:, None] * known
    return np.asarray(
        np.where(known, values * weights, 0.0).sum(axis=0) / np.maximum(weights.sum(axis=0), 1)
    )
