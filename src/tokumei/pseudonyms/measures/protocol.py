"""Protocol of measures of pseudonyms over time.

    original, released = case.user_items
    original.counts, original.quantities

Users are the customers of T, or the pseudonyms of A(T). Both sides have T's items as columns;
other items of A(T) are ignored. Everything is computed when first asked for and kept, so that
measures share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.errors import InputError
from tokumei.core.generalized_cells import positions_in
from tokumei.core.measure import Measure, Score
from tokumei.pseudonyms.data.period_history import CustomerMaster
from tokumei.pseudonyms.data.purchase_text_cells import Months, PeriodRows


@dataclass(frozen=True, eq=False)
class UserItems:
    """The purchases of one side as sparse matrices: a row per user, a column per item."""

    rows: PeriodRows = field(repr=False)
    items: pl.Series = field(repr=False)

    @cached_property
    def item(self) -> np.ndarray:
        """The place of every row's item in `items`; -1 where deleted or not among them."""
        return np.where(self.rows.kept, positions_in(self.rows.cells["item"], self.items), -1)

    @cached_property
    def counts(self) -> sparse.csr_array:
        """How many rows a user has of an item."""
        return self._sum_by_user_item(np.ones(self.rows.rows))

    @cached_property
    def quantities(self) -> sparse.csr_array:
        """How many pieces a user bought of an item; what is not a quantity counts nothing."""
        parsed = self.rows.quantities
        return self._sum_by_user_item(np.where(np.isfinite(parsed) & (parsed > 0), parsed, 0.0))

    @cached_property
    def bought_matrix(self) -> sparse.csr_array:
        """1 where a user bought an item."""
        return replace_entries(self.counts, np.ones(self.counts.nnz))

    @cached_property
    def buyers(self) -> np.ndarray:
        """How many users bought each item."""
        return np.bincount(self.bought_matrix.indices, minlength=len(self.items))

    def _sum_by_user_item(self, values: np.ndarray) -> sparse.csr_array:
        known = self.item >= 0
        places = (self.rows.person[known], self.item[known])
        shape = (len(self.rows.people), len(self.items))
        sums = sparse.coo_array((values[known], places), shape=shape)
        return sparse.csr_array(sums.tocsr())


def replace_entries(matrix: sparse.csr_array, entries: np.ndarray) -> sparse.csr_array:
    """The matrix with other entries in the same places; zeros take no place."""
    replaced = matrix.copy()
    replaced.data = entries
    replaced.eliminate_zeros()
    return replaced


@dataclass(frozen=True, eq=False)
class PeriodCase:
    """A history T and its release A(T), row by row: the secret side, so nothing of it is shown.

    The customers (M) are needed by the measures whose `needs` have "master".
    """

    original: PeriodRows = field(repr=False)
    released: PeriodRows = field(repr=False)
    master: CustomerMaster | None = field(default=None, repr=False)
    _scores: dict[PeriodMeasure, Score] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.original.rows != self.released.rows or not self.original.rows:
            raise InputError(
                "the original has {rows} rows and its release {released_rows}; both need the same "
                "rows, at least one",
                rows=self.original.rows,
                released_rows=self.released.rows,
            )

    @cached_property
    def months(self) -> Months:
        """The periods of the original."""
        return Months.spanning(self.original.days)

    @cached_property
    def user_items(self) -> tuple[UserItems, UserItems]:
        """Who bought what, on both sides over the items of T sorted as text; computed once."""
        items = self.original.cells["item"].filter(pl.Series(self.original.kept)).unique().sort()
        return UserItems(self.original, items), UserItems(self.released, items)

    def score_of(self, measure: PeriodMeasure) -> Score:
        """A measure's score, computed once: `worst` needs what stands beside it."""
        if measure not in self._scores:
            self._scores[measure] = measure.score(self)
        return self._scores[measure]


class PeriodMeasure(Measure[PeriodCase], Protocol):
    """Scores one release against its original; those that need the customers need "master"."""
