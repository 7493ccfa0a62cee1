"""U3 crossCnt: how far the counts in the cells of the cross table moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.measure import Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of
from tokumei.tables.measures.cross_table import cross_cells
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class CrossCount(Measure):
    """Mean over the cells of either side of |count in X − count in Y|."""

    name: ClassVar[str] = "U3"
    title: ClassVar[Text] = Text("Error of cross-table counts", "クロス集計数の誤差")
    sentence: ClassVar[Text] = Text(
        "How far the counts in the cells of the cross table have moved.",
        "クロス集計の各セルの件数がどれだけずれたかを示します。",
    )
    formula: ClassVar[str] = "mean_cells |count_cell(X) − count_cell(Y)|"
    says: ClassVar[Text] = Text(
        "In the cross table, cell counts move by {value} rows on average{relative}.",
        "クロス集計の各セルの件数は、平均して {value} 件ずれます{relative}。",
    )
    unchanged: ClassVar[Text] = Text(
        "The cross table's counts are unchanged.", "クロス集計の件数は変わりません。"
    )
    relative: ClassVar[Text] = Text("the mean count", "平均件数")
    heading: ClassVar[Text] = Text("Cross counts", "集計数")
    limits: ClassVar[Limits] = Limits(0.01, 0.05)
    """As for means: 1 % and 5 % of the level, here rows per cell."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    as_percent: ClassVar[bool] = False
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        left, right, number = cross_cells(case)
        before = sizes_of(left, case.original_counts, classes=number)
        moved = before - sizes_of(right, case.released_counts, classes=number)
        return Score(float(np.abs(moved).mean()), sample=number)

    @classmethod
    def scale(cls, case: Comparison, score: Score) -> float | None:
        """Rows per cell."""
        return case.original.rows / score.sample if score.sample else None
