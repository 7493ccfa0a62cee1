"""Basket analysis: share of association rules that the release still yields.

    AssociationRules(support=0.01, confidence=0.5).score(case)
    mine(baskets(side), support=0.01, confidence=0.5, size=3)
    # {((3,), 7), ((3, 5), 7), …}: who buys 3 (3 and 5) also buys 7

F1 of the rules of A(T) against those of T: 2 · |both| / (|T's| + |A(T)'s|), 1 where neither has
any. A basket is an invoice. Where the invoice was blanked (all rows have the same, as in the
contest's files), it is what a customer or pseudonym bought on one day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.errors import UsageError
from tokumei.core.measure import Goal, Score
from tokumei.core.messages import Message
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure, UserItems


@dataclass(frozen=True)
class AssociationRules(PeriodMeasure):
    """F1 of the mined rules; `sample` is the number of T's rules."""

    name: ClassVar[str] = "association_rules"
    title: ClassVar[Message] = Message("Association rules kept (F1)")
    sentence: ClassVar[Message] = Message(
        "How well the rules mined from baskets agree with those of the original (F1)."
    )
    formula: ClassVar[str] = "2 · |both| / (|rules| + |rules′|)"
    says: ClassVar[Message] = Message("The mined rules agree with the original's to {value} (F1).")
    on_request: ClassVar[bool] = True
    goal: ClassVar[Goal] = Goal.MAXIMIZE
    unit: ClassVar[Message] = Message.verbatim("F1")

    support: float = 0.01
    confidence: float = 0.5
    size: Literal[2, 3] = 3

    def __post_init__(self) -> None:
        for name, share in (("support", self.support), ("confidence", self.confidence)):
            if not 0 < share <= 1:
                raise UsageError(
                    "association_rules: {name} must be above 0 and at most 1, not {share}",
                    name=name,
                    share=share,
                )

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        true, released_rules = (
            mine_rules(
                basket_item_matrix(side),
                support=self.support,
                confidence=self.confidence,
                size=self.size,
            )
            for side in case.user_items
        )
        rule_count = len(true) + len(released_rules)
        return Score(
            2 * len(true & released_rules) / rule_count if rule_count else 1.0, sample=len(true)
        )


AssociationRule = tuple[tuple[int, ...], int]
"""Items of the condition (sorted places) and the item of the conclusion."""
PAIRS_PER_BLOCK = 4096


def basket_item_matrix(side: UserItems) -> sparse.csc_array:
    """1 where a basket (row) holds an item (column); baskets without an item of T have no row."""
    has_item = side.item >= 0
    cells = side.rows.cells.filter(pl.Series(has_item))
    names = ["invoice"] if cells["invoice"].n_unique() > 1 else ["customer", "day"]
    basket = cells.select(pl.struct(names).rank("dense").cast(pl.Int64)).to_series().to_numpy()
    places = (basket - 1, side.item[has_item])
    shape = (int(basket.max(initial=0)), len(side.items))
    basket_matrix = sparse.csc_array(sparse.coo_array((np.ones(len(basket)), places), shape=shape))
    basket_matrix.data[:] = 1.0
    return basket_matrix


@dataclass(frozen=True, eq=False)
class _FrequentPairs:
    """Pairs of items (columns, first < second) that enough baskets hold, and how many do."""

    first: np.ndarray
    second: np.ndarray
    baskets: np.ndarray


def mine_rules(
    basket_matrix: sparse.csc_array, *, support: float, confidence: float, size: int
) -> set[AssociationRule]:
    """Rules of two items, or up to three, with one item as conclusion.

    A rule is mined if at least the share `support` of all baskets holds all its items, and of the
    baskets that hold the condition at least the share `confidence` holds the conclusion.
    """
    total = max(basket_matrix.shape[0], 1)
    common = np.flatnonzero(np.diff(basket_matrix.indptr) / total >= support)
    columns = sparse.csc_array(basket_matrix[:, common])
    both = sparse.coo_array(sparse.triu(columns.T @ columns, k=1))
    enough = both.data / total >= support
    pairs = _FrequentPairs(both.row[enough], both.col[enough], both.data[enough])
    rules = _mine_pair_rules(columns, pairs, confidence)
    if size > 2:
        rules |= _mine_triple_rules(columns, pairs, support, confidence)
    names = common.tolist()
    return {(tuple(names[i] for i in condition), names[j]) for condition, j in rules}


def _mine_pair_rules(
    columns: sparse.csc_array, pairs: _FrequentPairs, confidence: float
) -> set[AssociationRule]:
    item_counts = np.diff(columns.indptr)
    rules: set[AssociationRule] = set()
    for a, b in ((pairs.first, pairs.second), (pairs.second, pairs.first)):
        is_confident = pairs.baskets / item_counts[a] >= confidence
        rules |= {
            ((x,), y)
            for x, y in zip(a[is_confident].tolist(), b[is_confident].tolist(), strict=True)
        }
    return rules


def _mine_triple_rules(
    columns: sparse.csc_array, pairs: _FrequentPairs, support: float, confidence: float
) -> set[AssociationRule]:
    """Rules with two items as condition; some pairs at a time."""
    total = max(columns.shape[0], 1)
    rules: set[AssociationRule] = set()
    for start in range(0, len(pairs.first), PAIRS_PER_BLOCK):
        part = slice(start, start + PAIRS_PER_BLOCK)
        holding = columns[:, pairs.first[part]].multiply(columns[:, pairs.second[part]])
        three = sparse.coo_array(holding.T @ columns)
        a, b, c = pairs.first[part][three.row], pairs.second[part][three.row], three.col
        is_rule = (c != a) & (c != b) & (three.data / total >= support)
        is_rule &= three.data / pairs.baskets[part][three.row] >= confidence
        a, b, c = (side[is_rule].tolist() for side in (a, b, c))
        rules |= {((x, y), z) for x, y, z in zip(a, b, c, strict=True)}
    return rules
