"""U3 crossCnt: how far the counts in the cells of the cross table moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of
from tokumei.tables.measures.cross_table import cross_cells


@dataclass(frozen=True)
class CrossCount:
    """Mean over the cells of either side of |count in X − count in Y|."""

    name: ClassVar[str] = "U3"
    title: ClassVar[Text] = Text("Error of cross-table counts", "クロス集計数の誤差")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        left, right, number = cross_cells(case)
        before = sizes_of(left, case.original_counts, classes=number)
        moved = before - sizes_of(right, case.released_counts, classes=number)
        return Score(float(np.abs(moved).mean()), sample=number)
