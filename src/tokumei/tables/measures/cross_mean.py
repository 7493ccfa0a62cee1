"""U2 crossMean: how far the means in the cells of the cross table moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cross_table import cell_means, cross_cells


@dataclass(frozen=True)
class CrossMean:
    """Mean over cells of either side and SA of |mean in X − mean in Y|, a missing cell as 0."""

    name: ClassVar[str] = "U2"
    title: ClassVar[Text] = Text("Error of cross-table means", "クロス集計値の誤差")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("the column's unit", "列の単位")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        left, right, number = cross_cells(case)
        errors = [
            np.abs(
                cell_means(left, x, number, case.original_counts)
                - cell_means(right, y, number, case.released_counts)
            ).mean()
            for x, y in zip(case.sa_original.T, case.sa_released.T, strict=True)
        ]
        return Score(float(np.mean(errors)), sample=number)
