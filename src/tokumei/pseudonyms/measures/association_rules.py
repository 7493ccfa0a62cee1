"""Basket analysis: are the same association rules mined from the release?

    AssociationRules(support=0.01, confidence=0.5).score(case)

F1 of the rules of A(T) against those of T: 2 · |both| / (|T's| + |A(T)'s|), 1 where neither has
any. What a basket and a rule is: `baskets`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from tokumei.core.errors import UsageError
from tokumei.core.measure import Goal, Score
from tokumei.core.text import Text
from tokumei.pseudonyms.measures.baskets import baskets, mine
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure


@dataclass(frozen=True)
class AssociationRules(PeriodMeasure):
    """F1 of the mined rules; `sample` is the number of T's rules."""

    name: ClassVar[str] = "association_rules"
    title: ClassVar[Text] = Text("Association rules kept (F1)", "相関ルールの一致 (F1)")
    sentence: ClassVar[Text] = Text(
        "How well the rules mined from baskets agree with those of the original (F1).",
        "買い物かごから得られる相関ルールが、元データのものとどれだけ一致するか (F1) を示します。",
    )
    formula: ClassVar[str] = "2 · |both| / (|rules| + |rules′|)"
    says: ClassVar[Text] = Text(
        "The mined rules agree with the original's to {value} (F1).",
        "得られる相関ルールは、元データのものと {value} 一致します (F1)。",
    )
    on_request: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Text] = Text("F1", "F1")

    support: float = 0.01
    confidence: float = 0.5
    size: Literal[2, 3] = 3

    def __post_init__(self) -> None:
        for name, share in (("support", self.support), ("confidence", self.confidence)):
            if not 0 < share <= 1:
                raise UsageError(
                    f"association_rules: {name} must be above 0 and at most 1, not {share}",
                    f"association_rules: {name} は 0 より大きく 1 以下です ({share})",
                )

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        true, seen = (
            mine(
                baskets(side),
                support=self.support,
                confidence=self.confidence,
                size=self.size,
            )
            for side in case.user_items
        )
        found = len(true) + len(seen)
        return Score(2 * len(true & seen) / found if found else 1.0, sample=len(true))
