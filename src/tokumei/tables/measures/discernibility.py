"""DM and C_avg: how large the classes are, as a loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from tokumei.core.cells import STAR, class_codes
from tokumei.core.measure import Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of
from tokumei.tables.measures.class_size import class_sizes
from tokumei.tables.measures.protocol import Measure


@dataclass(frozen=True)
class Discernibility(Measure):
    """DM = Σ |class|², and N per suppressed row (all QI `*`, or deleted)."""

    name: ClassVar[str] = "dm"
    title: ClassVar[Text] = Text("Discernibility", "識別不能度 (DM)")
    sentence: ClassVar[Text] = Text(
        "How many pairs of rows can no longer be told apart.",
        "互いに区別できなくなった行の組の数を示します。",
    )
    formula: ClassVar[str] = "Σ |class|² + |X| · suppressed"
    says: ClassVar[Text] = Text(
        "{value} pairs of rows cannot be told apart (discernibility).",
        "{value} 組の行が互いに区別できません（識別不能度 DM）。",
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    as_percent: ClassVar[bool] = False
    for_experts: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("pairs of rows", "行の組")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        hidden = suppressed_rows(case)
        counts = case.released_counts
        codes = class_codes(case.released.frame, case.qi)[~hidden]
        sizes = sizes_of(codes, None if counts is None else counts[~hidden])
        gone = case.original_rows - int(sizes.sum())
        return Score(float((sizes.astype(np.float64) ** 2).sum() + gone * case.original_rows))


@dataclass(frozen=True)
class AverageClass(Measure):
    """C_avg = N / (classes · k); k is the smallest class of the release unless given."""

    name: ClassVar[str] = "c_avg"
    title: ClassVar[Text] = Text("Normalized class size", "正規化クラスサイズ (C_avg)")
    sentence: ClassVar[Text] = Text(
        "How much larger the classes are than they need to be.",
        "クラスが必要最小限の大きさの何倍になっているかを示します。",
    )
    formula: ClassVar[str] = "|Y| / (classes · k)"
    says: ClassVar[Text] = Text(
        "On average, classes are {value} times as large as they need to be.",
        "クラスの大きさは、平均して必要最小限の {value} 倍です。",
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    as_percent: ClassVar[bool] = False
    for_experts: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("times k", "k の倍数")
    from_counts: ClassVar[bool] = True

    k: int | None = None

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = class_sizes(case)
        k = self.k or (int(sizes.min()) if len(sizes) else 1)
        return Score(case.released_rows / max(len(sizes) * k, 1), sample=len(sizes))


def suppressed_rows(case: Comparison) -> np.ndarray:
    """Which released rows have `*` in every QI."""
    if not case.qi:
        return np.zeros(case.released.rows, dtype=bool)
    stars = pl.all_horizontal(
        (pl.col(name).cast(pl.String) == STAR).fill_null(False) for name in case.qi
    )
    return case.released.frame.select(stars.alias("star"))["star"].to_numpy()
