"""Who bought what, in a history or in its release: user-item matrices.

    original, released = user_items(case.original, case.released)
    original.counts, original.quantities

Users are the customers of T, or the pseudonyms of A(T). Both sides have T's items as columns;
other items of A(T) are ignored. Everything is computed when first asked for and kept, so that
measures share it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.cells import codes_in
from tokumei.pseudonyms.data.rows import PeriodRows


@dataclass(frozen=True, eq=False)
class UserItems:
    """The purchases of one side as sparse matrices: a row per user, a column per item."""

    rows: PeriodRows = field(repr=False)
    items: pl.Series = field(repr=False)

    @cached_property
    def item(self) -> np.ndarray:
        """The place of every row's item in `items`; -1 where deleted or not among them."""
        return np.where(self.rows.kept, codes_in(self.rows.cells["item"], self.items), -1)

    @cached_property
    def counts(self) -> sparse.csr_array:
        """How many rows a user has of an item."""
        return self._sums(np.ones(self.rows.rows))

    @cached_property
    def quantities(self) -> sparse.csr_array:
        """How many pieces a user bought of an item; what is not a quantity counts nothing."""
        read = self.rows.quantities
        return self._sums(np.where(np.isfinite(read) & (read > 0), read, 0.0))

    @cached_property
    def bought(self) -> sparse.csr_array:
        """1 where a user bought an item."""
        return with_entries(self.counts, np.ones(self.counts.nnz))

    @cached_property
    def buyers(self) -> np.ndarray:
        """How many users bought each item."""
        return np.bincount(self.bought.indices, minlength=len(self.items))

    def _sums(self, values: np.ndarray) -> sparse.csr_array:
        known = self.item >= 0
        places = (self.rows.person[known], self.item[known])
        shape = (len(self.rows.people), len(self.items))
        sums = sparse.coo_array((values[known], places), shape=shape)
        return sparse.csr_array(sums.tocsr())


def user_items(original: PeriodRows, released: PeriodRows) -> tuple[UserItems, UserItems]:
    """Both sides, over the items of T sorted as text."""
    items = original.cells["item"].filter(pl.Series(original.kept)).unique().sort()
    return UserItems(original, items), UserItems(released, items)


def with_entries(matrix: sparse.csr_array, entries: np.ndarray) -> sparse.csr_array:
    """The matrix with other entries in the same places; zeros take no place."""
    found = matrix.copy()
    found.data = entries
    found.eliminate_zeros()
    return found
