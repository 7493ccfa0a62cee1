"""S1 and S2: smallest and mean size of the QI classes of the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.codes import class_codes
from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of


@dataclass(frozen=True)
class SmallestClass:
    """The k of the release: how many rows share the rarest QI vector."""

    name: ClassVar[str] = "S1"
    title: ClassVar[Text] = Text("Smallest class (k)", "最小クラス (k)")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = class_sizes(case)
        return Score(float(sizes.min(initial=case.released_rows)), sample=len(sizes))


@dataclass(frozen=True)
class MeanClass:
    """Rows per QI class: rows / classes."""

    name: ClassVar[str] = "S2"
    title: ClassVar[Text] = Text("Mean class size", "平均クラスサイズ")
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = class_sizes(case)
        return Score(case.released_rows / max(len(sizes), 1), sample=len(sizes))


def class_sizes(case: Comparison) -> np.ndarray:
    """The size of every QI class of the release."""
    return sizes_of(class_codes(case.released.frame, case.qi), case.released_counts)
