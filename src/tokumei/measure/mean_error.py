"""U1 meanMAE: how far the means of the sensitive columns moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.data.comparison import Comparison
from tokumei.measure.protocol import Goal, Score
from tokumei.text import Text


@dataclass(frozen=True)
class MeanError:
    """Mean over SA j of |mean(X_j) − mean(Y_j)|. Suppressed cells are left out of the mean."""

    name: ClassVar[str] = "U1"
    title: ClassVar[Text] = Text("Error of the means", "平均値の誤差")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("the column's unit", "列の単位")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa:
            return Score(0.0)
        moved = case.sa_original.mean(axis=0) - np.nanmean(case.sa_released, axis=0)
        return Score(float(np.abs(moved).mean()), sample=case.released.rows)
