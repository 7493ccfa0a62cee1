"""The best-known items: which k items have the most buyers, and who buys them together?

    TopK(k=100).score(case)               # share of T's top k that are not in A(T)'s
    TopKSimilarity(k=100).score(case)     # distance of their similarities, bought or not

Items are ranked by distinct buyers (customers, or pseudonyms); among equals the larger item, as
text, comes first. Where T has fewer than k items, k is their number. An item nobody bought is in
no top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tokumei.core.errors import UsageError
from tokumei.core.score import Goal, Score
from tokumei.core.text import Text
from tokumei.pseudonyms.measures.item_distance import similarity_distance
from tokumei.pseudonyms.measures.protocol import PeriodCase
from tokumei.pseudonyms.measures.user_items import UserItems


def top_items(side: UserItems, k: int) -> np.ndarray:
    """The places of the k items with the most buyers, best first."""
    # The items are sorted as text, so the later one of equals is the larger.
    ranked = np.argsort(side.buyers, kind="stable")[::-1][:k]
    return ranked[side.buyers[ranked] > 0]


class _Top:
    """What both share."""

    goal: ClassVar[Goal] = Goal.MINIMIZE
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    name: ClassVar[str]
    k: int

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError(
                Text(
                    f"{self.name}: k must be at least 1, not {self.k}",
                    f"{self.name}: k は 1 以上でなければなりません ({self.k})",
                )
            )


@dataclass(frozen=True)
class TopK(_Top):
    """The share of the top k items of T that are not among the top k of A(T)."""

    name: ClassVar[str] = "topk"
    title: ClassVar[Text] = Text("Top items lost", "上位商品の入れ替わり")
    unit: ClassVar[Text] = Text("share of the top items", "上位商品の割合")

    k: int = 100

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        original, released = case.user_items
        top, seen = top_items(original, self.k), top_items(released, self.k)
        lost = len(np.setdiff1d(top, seen))
        return Score(lost / len(top) if len(top) else 0.0, sample=len(top))


@dataclass(frozen=True)
class TopKSimilarity(_Top):
    """The distance of the similarities of T's top k items, 1 where a user bought one."""

    name: ClassVar[str] = "topk_similarity"
    title: ClassVar[Text] = Text("Top items alike by buyers", "上位商品の類似度")
    unit: ClassVar[Text] = Text("share of the similarities", "類似度の割合")

    k: int = 100
    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        top = top_items(case.user_items[0], self.k)
        original, released = (side.bought[:, top] for side in case.user_items)
        value = similarity_distance(original, released, diagonal=self.as_paper)
        return Score(value, sample=len(top))
