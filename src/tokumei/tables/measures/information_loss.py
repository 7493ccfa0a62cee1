"""U5 IL: how far each sensitive value is from that of its claimed original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison


@dataclass(frozen=True)
class InformationLoss:
    """Mean over surviving rows and SA of |x − y| / (max_j − min_j of X).

    A constant column of X contributes 0 where it is kept and 1 where not; a suppressed cell 1.
    """

    name: ClassVar[str] = "U5"
    title: ClassVar[Text] = Text("Information loss per cell", "セルごとの情報損失")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("share of the column's range", "列の値域に対する割合")

    def score(self, case: Comparison) -> Score:
        """The figure."""
        if not case.sa or not case.released.rows:
            return Score(0.0)
        return Score(float(cell_losses(case).mean()), sample=case.released.rows)


def cell_losses(case: Comparison) -> np.ndarray:
    """The loss of every released SA cell."""
    spread = np.ptp(case.sa_original, axis=0)
    moved = np.abs(case.sa_original[case.link] - case.sa_released)
    # The mean of equal values may differ from them in the last bit; that is no loss.
    flat = np.where(moved > 1e-12 * np.abs(case.sa_original[case.link]), 1.0, 0.0)
    loss = np.where(spread > 0, moved / np.where(spread > 0, spread, 1.0), flat)
    return np.where(np.isnan(case.sa_released), 1.0, loss)
