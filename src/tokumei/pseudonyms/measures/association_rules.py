"""Basket analysis: are the same association rules mined from the release?

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
from tokumei.core.text import Text
from tokumei.pseudonyms.measures.protocol import PeriodCase, PeriodMeasure, UserItems


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
            mine(baskets(side), support=self.support, confidence=self.confidence, size=self.size)
            for side in case.user_items
        )
        found = len(true) + len(seen)
        return Score(2 * len(true & seen) / found if found else 1.0, sample=len(true))


Rule = tuple[tuple[int, ...], int]
"""Items of the condition (sorted places) and the item of the conclusion."""
PAIRS_AT_ONCE = 4096


def baskets(side: UserItems) -> sparse.csc_array:
    """1 where a basket (row) holds an item (column); baskets without an item of T have no row."""
    known = side.item >= 0
    cells = side.rows.cells.filter(pl.Series(known))
    names = ["invoice"] if cells["invoice"].n_unique() > 1 else ["customer", "day"]
    basket = cells.select(pl.struct(names).rank("dense").cast(pl.Int64)).to_series().to_numpy()
    places = (basket - 1, side.item[known])
    shape = (int(basket.max(initial=0)), len(side.items))
    held = sparse.csc_array(sparse.coo_array((np.ones(len(basket)), places), shape=shape))
    held.data[:] = 1.0
    return held


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs of items (columns, first < second) that enough baskets hold, and how many do."""

    first: np.ndarray
    second: np.ndarray
    baskets: np.ndarray


def mine(held: sparse.csc_array, *, support: float, confidence: float, size: int) -> set[Rule]:
    """Rules of two items, or up to three, with one item as conclusion.

    A rule is mined if at least the share `support` of all baskets holds all its items, and of the
    baskets that hold the condition at least the share `confidence` holds the conclusion.
    """
    total = max(held.shape[0], 1)
    common = np.flatnonzero(np.diff(held.indptr) / total >= support)
    columns = sparse.csc_array(held[:, common])
    both = sparse.coo_array(sparse.triu(columns.T @ columns, k=1))
    enough = both.data / total >= support
    pairs = _Pairs(both.row[enough], both.col[enough], both.data[enough])
    found = _of_two(columns, pairs, confidence)
    if size > 2:
        found |= _of_three(columns, pairs, support, confidence)
    names = common.tolist()
    return {(tuple(names[i] for i in condition), names[j]) for condition, j in found}


def _of_two(columns: sparse.csc_array, pairs: _Pairs, confidence: float) -> set[Rule]:
    alone = np.diff(columns.indptr)
    found: set[Rule] = set()
    for a, b in ((pairs.first, pairs.second), (pairs.second, pairs.first)):
        sure = pairs.baskets / alone[a] >= confidence
        found |= {((x,), y) for x, y in zip(a[sure].tolist(), b[sure].tolist(), strict=True)}
    return found


def _of_three(
    columns: sparse.csc_array, pairs: _Pairs, support: float, confidence: float
) -> set[Rule]:
    """Rules with two items as condition; some pairs at a time."""
    total = max(columns.shape[0], 1)
    found: set[Rule] = set()
    for start in range(0, len(pairs.first), PAIRS_AT_ONCE):
        part = slice(start, start + PAIRS_AT_ONCE)
        holding = columns[:, pairs.first[part]].multiply(columns[:, pairs.second[part]])
        three = sparse.coo_array(holding.T @ columns)
        a, b, c = pairs.first[part][three.row], pairs.second[part][three.row], three.col
        sure = (c != a) & (c != b) & (three.data / total >= support)
        sure &= three.data / pairs.baskets[part][three.row] >= confidence
        a, b, c = (side[sure].tolist() for side in (a, b, c))
        found |= {((x, y), z) for x, y, z in zip(a, b, c, strict=True)}
    return found
