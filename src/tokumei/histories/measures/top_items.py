"""Top items: share of the best sellers that the release still names.

    TopItems(n=100, by="revenue").score(case)

Sides rank the items they show by rows, pieces or revenue (in the release by equal shares of item
sets and middles of intervals). Equal items are ranked by name, on both sides alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.core.measure import SHARE_LIMITS, Goal, Limits, Score
from tokumei.core.messages import Message
from tokumei.histories.data.generalized_history import GeneralHistory
from tokumei.histories.data.history import History
from tokumei.histories.measures.protocol import (
    HistoryCase,
    HistoryMeasure,
    estimated_numbers,
    estimated_sales,
    item_totals,
    true_sales,
)

RankingKey = Literal["rows", "quantity", "revenue"]
_RANKING_KEYS = ("rows", "quantity", "revenue")
# Ten tenths must tie with one.
_TIE_DIGITS = 6


@dataclass(frozen=True)
class TopItems(HistoryMeasure):
    """|top n of the original ∩ top n of the release| / n; n at most the number of items."""

    name: ClassVar[str] = "top_items"
    title: ClassVar[Message] = Message("Top items kept")
    sentence: ClassVar[Message] = Message(
        "The share of the best-selling items that are still among the best sellers."
    )
    formula: ClassVar[str] = "|top n ∩ top n′| / n"
    says: ClassVar[Message] = Message(
        "{value} of the {sample} best-selling items are still among the best sellers."
    )
    limits: ClassVar[Limits] = SHARE_LIMITS
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message("share of the top items")

    n: int = 100
    by: RankingKey = "rows"

    def __post_init__(self) -> None:
        if self.by not in _RANKING_KEYS:
            raise UnknownNameError(Message("ranking of items"), self.by, _RANKING_KEYS)
        if self.n < 1:
            raise UsageError("top_items: n must be at least 1, not {n}", n=self.n)

    def score(self, case: HistoryCase) -> Score:
        """The figure."""
        n = min(self.n, len(case.original.item_names))
        true = top_original_items(case.original, n, self.by)
        released = top_released_items(case.released, n, self.by)
        return Score(len(set(true) & set(released)) / n, sample=n)


def top_original_items(history: History, n: int, by: RankingKey) -> list[str]:
    """The n best sold items, best first."""
    weights = np.ones(history.rows)
    if by == "quantity":
        weights = history.numbers("quantity")
    if by == "revenue":
        weights = true_sales(history)
    totals = np.bincount(history.item_codes, weights=weights)
    return _rank_items(history.item_names.to_list(), totals, n)


def top_released_items(released: GeneralHistory, n: int, by: RankingKey) -> list[str]:
    """The n items that sold best by all a user of the release can tell, best first."""
    kept = released.kept
    weights = np.ones(int(kept.sum()))
    if by == "quantity":
        weights = estimated_numbers(released, "quantity")
    if by == "revenue":
        weights = estimated_sales(released)
    totals = item_totals(released.item, kept, weights)
    shown = item_totals(released.item, kept, np.ones(int(kept.sum()))) > 0
    return _rank_items(released.item.names.filter(shown).to_list(), totals[shown], n)


def _rank_items(names: list[str], totals: np.ndarray, n: int) -> list[str]:
    ranked = sorted(zip((-np.round(totals, _TIE_DIGITS)).tolist(), names, strict=True))
    return [name for _, name in ranked[:n]]
