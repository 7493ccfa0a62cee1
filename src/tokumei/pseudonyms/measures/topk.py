"""Top-k items: the items with the most buyers, and who buys them together.

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
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.pseudonyms.measures.itemcf import similarity_distance
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure, UserItems


def top_item_places(side: UserItems, k: int) -> np.ndarray:
    """The places of the k items with the most buyers, best first."""
    # The items are sorted as text, so the later one of equals is the larger.
    ranked = np.argsort(side.buyers, kind="stable")[::-1][:k]
    return ranked[side.buyers[ranked] > 0]


@dataclass(frozen=True)
class _TopItemsMeasure(PeriodMeasure):
    """What both share."""

    k: int = 100

    def __post_init__(self) -> None:
        if self.k < 1:
            raise UsageError(
                "{measure}: k must be at least 1, not {k}", measure=self.name, k=self.k
            )


@dataclass(frozen=True)
class TopK(_TopItemsMeasure):
    """The share of the top k items of T that are not among the top k of A(T)."""

    name: ClassVar[str] = "topk"
    title: ClassVar[Message] = Message("Top items lost")
    sentence: ClassVar[Message] = Message(
        "The share of the items with the most buyers that are no longer among them."
    )
    formula: ClassVar[str] = "|top k ∖ top k′| / k"
    says: ClassVar[Message] = Message(
        "{value} of the {sample} items with the most buyers are no longer among them."
    )
    unit: ClassVar[Message] = Message("share of the top items")

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        original, released = case.user_items
        top, released_top = top_item_places(original, self.k), top_item_places(released, self.k)
        lost = len(np.setdiff1d(top, released_top))
        return Score(lost / len(top) if len(top) else 0.0, sample=len(top))


@dataclass(frozen=True)
class TopKSimilarity(_TopItemsMeasure):
    """The distance of the similarities of T's top k items, 1 where a user bought one."""

    name: ClassVar[str] = "topk_similarity"
    title: ClassVar[Message] = Message("Top items: similarity by buyers")
    sentence: ClassVar[Message] = Message(
        "How far the similarities of the best-known items by their buyers have changed."
    )
    formula: ClassVar[str] = "Σ |sim − sim′| / Σ sim, top k"
    says: ClassVar[Message] = Message("The similarities of the best-known items differ by {value}.")
    unit: ClassVar[Message] = Message("share of the similarities")

    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        top = top_item_places(case.user_items[0], self.k)
        original, released = (side.bought_matrix[:, top] for side in case.user_items)
        value = similarity_distance(original, released, diagonal=self.as_paper)
        return Score(value, sample=len(top))
