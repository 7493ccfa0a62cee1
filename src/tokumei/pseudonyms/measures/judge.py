"""The judge of 2017: the worst utility, the strongest attack, and their mean.

worst = Worst().score(case).value
safety = judge_safety({"S1": [0.1, 0.2, 0.2, 0.3], "S2": [0.0, 0.1, 0.1, 0.1]})
judge_total(worst, safety)                   # lower is better
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import ClassVar

from tokumei.core.errors import UsageError
from tokumei.core.measure import Score
from tokumei.core.text import Text
from tokumei.pseudonyms.measures.itemcf import ItemCfRetail, ItemCfSupply
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure
from tokumei.pseudonyms.measures.row_losses import DateLoss, PriceLoss, RowsDeleted
from tokumei.pseudonyms.measures.topk import TopK, TopKSimilarity


@dataclass(frozen=True)
class Worst(PeriodMeasure):
    """The largest of the judge's seven utilities (U)."""

    name: ClassVar[str] = "worst"
    title: ClassVar[Text] = Text("Worst of the seven measures", "7 指標の最悪値")
    sentence: ClassVar[Text] = Text(
        "The largest of the judge's seven losses, which decides the utility.",
        "審判の 7 指標のうち最も大きい損失で、有用性の評価を決めます。",
    )
    formula: ClassVar[str] = "max of the seven losses"
    says: ClassVar[Text] = Text(
        "The worst of the seven losses is {value}.",
        "7 指標の損失のうち最も大きいものは {value} です。",
    )
    unit: ClassVar[Text] = Text("loss", "損失")

    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        return Score(max(case.score_of(measure).value for measure in self.seven))

    @property
    def seven(self) -> list[PeriodMeasure]:
        """What the judge measures."""
        return [
            ItemCfSupply(as_paper=self.as_paper),
            ItemCfRetail(as_paper=self.as_paper),
            TopK(),
            TopKSimilarity(as_paper=self.as_paper),
            DateLoss(),
            PriceLoss(),
            RowsDeleted(),
        ]


def judge_safety(reid_all: Mapping[str, Sequence[float]]) -> float:
    """S: the largest over attacks of the mean over knowledge (α) of `reid_all`."""
    if not reid_all or not all(len(rates) for rates in reid_all.values()):
        raise UsageError("no attack to judge by", "評価する攻撃がありません")
    return max(fmean(rates) for rates in reid_all.values())


def judge_total(utility: float, safety: float) -> float:
    """(U + S) / 2: lower is better."""
    return (utility + safety) / 2
