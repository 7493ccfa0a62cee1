"""S1 and S2: smallest and mean size of the QI classes of the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.cells import class_codes
from tokumei.core.measure import Goal, Limits, Score
from tokumei.core.text import Text
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.counted import sizes_of
from tokumei.tables.measures.protocol import Measure

ALONE = Text(
    "At least one row is the only one with its combination of quasi-identifiers (k = 1).",
    "準識別子の組み合わせがほかの誰とも重ならない行があります（k = 1）。",
)


@dataclass(frozen=True)
class SmallestClass(Measure):
    """The k of the release: how many rows share the rarest QI vector."""

    name: ClassVar[str] = "S1"
    title: ClassVar[Text] = Text("Smallest class (k)", "最小クラス (k)")
    sentence: ClassVar[Text] = Text(
        "How many rows share the rarest combination of quasi-identifiers (k).",
        "最も少ない準識別子の組み合わせが何行に共通するか（k）を示します。",
    )
    formula: ClassVar[str] = "min |class|"
    says: ClassVar[Text] = Text(
        "Every combination of quasi-identifiers is shared by at least {value} rows (k = {value}).",
        "準識別子の組み合わせは、どれも {value} 行以上に共通しています（k = {value}）。",
    )
    heading: ClassVar[Text] = Text("Smallest class", "最小クラス")
    caption: ClassVar[Text] = Text("rows in the smallest class (k)", "最小クラスの行数（k）")
    limits: ClassVar[Limits] = Limits(5, 2, more_is_better=True)
    """k = 5 is the customary minimum; k = 1 means that somebody is alone."""
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    as_percent: ClassVar[bool] = False
    safety: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, np.inf)
    unit: ClassVar[Text] = Text("rows", "行")
    from_counts: ClassVar[bool] = True

    def score(self, case: Comparison) -> Score:
        """The figure."""
        sizes = class_sizes(case)
        return Score(float(sizes.min(initial=case.released_rows)), sample=len(sizes))

    @classmethod
    def reading(cls, score: Score, scale: float | None = None) -> Text:
        """The figure in words; a class of one row is somebody alone."""
        return ALONE if score.value < 2 else super().reading(score, scale)


@dataclass(frozen=True)
class MeanClass(Measure):
    """Rows per QI class: rows / classes."""

    name: ClassVar[str] = "S2"
    title: ClassVar[Text] = Text("Mean class size", "平均クラスサイズ")
    sentence: ClassVar[Text] = Text(
        "How many rows share a combination of quasi-identifiers on average.",
        "同じ準識別子の組み合わせをもつ行が平均して何行あるかを示します。",
    )
    formula: ClassVar[str] = "|Y| / classes"
    says: ClassVar[Text] = Text(
        "On average {value} rows share a combination of quasi-identifiers.",
        "同じ準識別子の組み合わせをもつ行は、平均 {value} 行です。",
    )
    needs: ClassVar[tuple[str, ...]] = ("qi",)
    as_percent: ClassVar[bool] = False
    safety: ClassVar[bool] = True
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
