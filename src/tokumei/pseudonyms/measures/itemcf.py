"""Item-based collaborative filtering: change of item similarities.

    ItemCfSupply().score(case)                 # as the judge's program
    ItemCfSupply(as_paper=True).score(case)    # as the paper's text

The distance D of the item similarities (`similarity_distance`), by what stands in the user-item
matrix:

    itemcf         purchases (rows)
    itemcf_supply  pieces in dozens: 12–23 is 1, 24–35 is 2, …, 72 and more is 6; fewer is 0
    itemcf_retail  pieces up to 11; more is 0

The paper's text has purchases for pieces, the diagonal of the similarities in, no cap at 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import sparse

from tokumei.core.errors import UsageError
from tokumei.core.measure import Score
from tokumei.core.messages import Message
from tokumei.pseudonyms.measures.protocol import (
    PeriodCase,
    PeriodMeasure,
    UserItems,
    replace_entries,
)

CELLS_PER_BLOCK = 2**20


def similarity_distance(
    original: sparse.csr_array, released: sparse.csr_array, *, diagonal: bool = False
) -> float:
    """D(W, W′), over pairs of different items only unless the diagonal is asked for.

    W is the cosine of every two columns, D = Σ |w − w′| / Σ w over the pairs where w is not 0, at
    most 1. Without such a pair there is nothing to lose: 0. An item that nobody bought is like no
    other. W is never whole in memory: some rows of both sides at a time, and only right of the
    diagonal.
    """
    first, second = normalize_columns(original), normalize_columns(released)
    changed, total = _sum_differences(first, second)
    if diagonal:
        has_buyers, has_released_buyers = (
            np.diff(side.tocsc().indptr) > 0 for side in (first, second)
        )
        # Every pair of different items stands twice in W, the diagonal once, with 1 or 0.
        changed = 2 * changed + np.count_nonzero(has_buyers & ~has_released_buyers)
        total = 2 * total + np.count_nonzero(has_buyers)
    return min(float(changed / total), 1.0) if total else 0.0


def normalize_columns(matrix: sparse.csr_array) -> sparse.csr_array:
    """The matrix with every column that is not empty scaled to length 1."""
    squares = np.bincount(matrix.indices, weights=matrix.data**2, minlength=matrix.shape[1])
    scaled = matrix.copy()
    scaled.data = matrix.data / np.sqrt(squares)[matrix.indices]
    return scaled


def _sum_differences(first: sparse.csr_array, second: sparse.csr_array) -> tuple[float, float]:
    """Σ |w − w′| and Σ w over pairs i < j with w ≠ 0."""
    items = first.shape[1]
    step = max(1, CELLS_PER_BLOCK // max(items, 1))
    turned, turned_second = first.T.tocsr(), second.T.tocsr()
    changed = total = 0.0
    for start in range(0, items, step):
        block = slice(start, start + step)
        w = turned[block] @ first[:, start:]
        w_released = (turned_second[block] @ second[:, start:]).toarray()
        row = np.repeat(np.arange(w.shape[0]), np.diff(w.indptr))
        above = w.indices > row
        similarity = w.data[above]
        released_similarity = w_released[row[above], w.indices[above]]
        changed += float(np.abs(similarity - released_similarity).sum())
        total += float(similarity.sum())
    return changed, total


DOZEN = 12


@dataclass(frozen=True)
class _SimilarityLoss(PeriodMeasure):
    """What the three share: the distance between the similarities of `matrix` on both sides."""

    formula: ClassVar[str] = "Σ |sim − sim′| / Σ sim"
    unit: ClassVar[Message] = Message("share of the similarities")

    as_paper: bool = False

    def score(self, case: PeriodCase) -> Score:
        """The figure."""
        original, released = (self.matrix(side) for side in case.user_items)
        return Score(similarity_distance(original, released, diagonal=self.as_paper))

    def matrix(self, side: UserItems) -> sparse.csr_array:
        """What stands for a user and an item."""
        values = side.counts if self.as_paper else side.quantities
        return replace_entries(values, self.entries(values.data))

    def entries(self, values: np.ndarray) -> np.ndarray:
        """What stands where a user has this many pieces of an item."""
        raise NotImplementedError


@dataclass(frozen=True)
class ItemCf(_SimilarityLoss):
    """Distance of item similarities by purchases; not one of the judge's seven."""

    name: ClassVar[str] = "itemcf"
    title: ClassVar[Message] = Message("Item similarity by purchases")
    sentence: ClassVar[Message] = Message(
        "How far the similarities of items by their buyers' purchases have changed."
    )
    says: ClassVar[Message] = Message(
        "The similarities of items, counted in purchases, differ by {value}."
    )

    def matrix(self, side: UserItems) -> sparse.csr_array:
        """Purchases, by the paper and here alike."""
        return side.counts


@dataclass(frozen=True)
class ItemCfSupply(_SimilarityLoss):
    """Distance of item similarities by dozens, for wholesalers; `cap` is the highest score."""

    name: ClassVar[str] = "itemcf_supply"
    title: ClassVar[Message] = Message("Item similarity by dozens")
    sentence: ClassVar[Message] = Message(
        "How far the similarities of items by dozens bought have changed, as wholesalers see them."
    )
    says: ClassVar[Message] = Message(
        "The similarities of items, counted in dozens, differ by {value}."
    )

    cap: int | None = 6

    def __post_init__(self) -> None:
        if self.cap is not None and self.cap < 1:
            raise UsageError("itemcf_supply: cap must be at least 1, not {cap}", cap=self.cap)

    def entries(self, values: np.ndarray) -> np.ndarray:
        """Dozens, at most `cap` unless as the paper."""
        dozens = values // DOZEN
        return dozens if self.cap is None or self.as_paper else np.minimum(dozens, self.cap)


@dataclass(frozen=True)
class ItemCfRetail(_SimilarityLoss):
    """Distance of item similarities by small quantities, for retailers."""

    name: ClassVar[str] = "itemcf_retail"
    title: ClassVar[Message] = Message("Item similarity by pieces")
    sentence: ClassVar[Message] = Message(
        "How far the similarities of items by small quantities have changed, as retailers see them."
    )
    says: ClassVar[Message] = Message(
        "The similarities of items, counted in single pieces, differ by {value}."
    )

    def entries(self, values: np.ndarray) -> np.ndarray:
        """The pieces themselves where they are less than a dozen."""
        return np.where(values < DOZEN, values, 0.0)
