"""U6 nrow: how many rows are gone, and the share that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison


@dataclass(frozen=True)
class RowsLost:
    """|X| − |Y|."""

    name: ClassVar[str] = "U6"
    title: ClassVar[Text] = Text("Rows deleted", "削除された行数")
    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(float(case.original_rows - case.released_rows), sample=case.original_rows)


@dataclass(frozen=True)
class RowsKept:
    """|Y| / |X|: stands beside every loss, because a loss over few rows is easily small."""

    name: ClassVar[str] = "rows_kept"
    title: ClassVar[Text] = Text("Share of rows kept", "残った行の割合")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    unit: ClassVar[Text] = Text("share", "割合")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        return Score(case.released_rows / case.original_rows, sample=case.original_rows)
