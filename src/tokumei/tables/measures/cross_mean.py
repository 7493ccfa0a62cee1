"""U2 crossMean: how far the means in the cells of the cross table moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.measures.cross_table import cell_means, cross_cells
from tokumei.tables.measures.mean_error import mean_level
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class CrossMean(Measure):
    """Mean over cells of either side and SA of |mean in X − mean in Y|, a missing cell as 0."""

    name: ClassVar[str] = "U2"
    title: ClassVar[Text] = Text("Error of cross-table means", "クロス集計値の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the means in the cells of the cross table have moved.",
        "クロス集計の各セルの平均値がどれだけずれたかを示します。",
    )
    formula: ClassVar[str] = "mean_cells,j |mean_cell(X_j) − mean_cell(Y_j)|"
    says: ClassVar[Text] = Text(
        "In the cross table, cell means move by {value} on average{relative}.",
        "クロス集計の各セルの平均値は、平均して {value} ずれます{relative}。",
    )
    unchanged: ClassVar[Text] = Text(
        "The cross table's means are unchanged.", "クロス集計の平均値は変わりません。"
    )
    relative: ClassVar[Text] = Text("the overall level", "全体の水準")
    heading: ClassVar[Text] = Text("Cross means", "集計値")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """As for the means of whole columns: 1 % and 5 % of their level."""
    needs: ClassVar[tuple[str, ...]] = ("qi", "sa")
    as_percent: ClassVar[bool] = False
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

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """The mean level of the sensitive columns."""
        return mean_level(case)
