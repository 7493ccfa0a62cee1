"""A sensitive column: what the release says beside each row, and what is true of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.cells import bounds, canonical
from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.seen import Seen

FEW_VALUES = 20
"""Numbers with no more different values are guessed like categories."""
NEAR = 0.05
"""Default tolerance of a guessed number, as a share of the interquartile range."""
TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Sensitive:
    """Values by place, ascending; of released rows (−1: not told) and of known people.

    `tolerance`: how near a guessed number must be; None for categories.
    """

    released: np.ndarray
    known: np.ndarray
    numbers: np.ndarray
    tolerance: float | None

    @property
    def values(self) -> int:
        """How many different values."""
        return len(self.numbers)

    def histogram(self, seen: Seen) -> sparse.csr_array:
        """How many rows of every distinct released row have each value."""
        told = self.released >= 0
        rows, values = seen.classes.place[told], self.released[told]
        shape = (len(seen.classes), self.values)
        found = sparse.csr_array((np.ones(len(rows)), (rows, values)), shape=shape)
        found.sum_duplicates()
        return found

    def right(self, guess: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """Whether guesses (places, −1: none) are right, or near enough."""
        if self.tolerance is None:
            return np.asarray(guess == truth)
        gap = np.abs(self.numbers[guess] - self.numbers[truth])
        return np.asarray((gap <= self.tolerance) & (guess >= 0))

    def guesses(self, chances: sparse.csr_array) -> np.ndarray:
        """For every row of weights the likeliest value, or of numbers the median; −1: no weight."""
        rows = np.repeat(np.arange(chances.shape[0]), np.diff(chances.indptr))
        chosen = _likeliest if self.tolerance is None else _middle
        places = np.flatnonzero(chosen(chances, rows))[::-1]
        found = np.full(chances.shape[0], -1)
        found[rows[places]] = chances.indices[places]
        return found

    def certain(self, chances: sparse.csr_array) -> np.ndarray:
        """Whether all weight is on one value, or on numbers within the tolerance."""
        kinds = np.diff(chances.indptr)
        if self.tolerance is None:
            return np.asarray(kinds == 1)
        ends = np.clip(chances.indptr[1:] - 1, 0, None)
        starts = np.minimum(chances.indptr[:-1], max(chances.nnz - 1, 0))
        if not chances.nnz:
            return np.zeros(len(kinds), dtype=bool)
        wide = self.numbers[chances.indices[ends]] - self.numbers[chances.indices[starts]]
        return np.asarray((kinds > 0) & (wide <= self.tolerance))


def read_sensitive(
    column: Column, released: pl.Series, people: pl.Series, tolerance: float | None
) -> Sensitive:
    """The column with the values of people and of those released rows that tell one."""
    told = column.plain[column.released] >= 0
    if column.numeric and people.n_unique() > FEW_VALUES:
        shown = np.where(told, column.cell_numbers[column.released], np.nan)
        known = bounds(people)[0]
        values, places = np.unique(np.concatenate([shown, known]), return_inverse=True)
        places = np.where(np.isnan(np.concatenate([shown, known])), -1, places)
        if tolerance is None:
            low, high = np.nanquantile(known, [0.25, 0.75])
            tolerance = float(NEAR * (high - low))
        return Sensitive(places[: len(shown)], places[len(shown) :], values, tolerance)
    texts = pl.concat([canonical(released), canonical(people)]).fill_null("\x00")
    words = texts.unique().sort()
    places = texts.rank("dense").cast(pl.Int64).to_numpy() - 1
    shown = np.where(told, places[: len(told)], -1)
    return Sensitive(shown, places[len(told) :], np.full(len(words), np.nan), None)


def _likeliest(chances: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """Which weights are the largest of their row."""
    top = np.zeros(chances.shape[0])
    np.maximum.at(top, rows, chances.data)
    return np.asarray(chances.data == top[rows])


def _middle(chances: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """With which weights half of their row's is reached; rows are sorted by place."""
    total = np.asarray(chances.sum(axis=1)).ravel()
    until = np.cumsum(chances.data)
    before = np.concatenate([[0.0], until])[chances.indptr[:-1]]
    return np.asarray(until - before[rows] >= total[rows] / 2 - TIE)
