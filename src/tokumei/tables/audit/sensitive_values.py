"""A sensitive column of an audit: released values by row, and true values of people."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy import sparse

from tokumei.core.generalized_cells import canonicalize_column, cell_bounds
from tokumei.tables.audit.attacker_view import AttackerObservation
from tokumei.tables.audit.released_columns import ReleasedColumn

FEW_VALUES = 20
"""Numbers with no more different values are guessed like categories."""
DEFAULT_TOLERANCE_SHARE = 0.05
"""Default tolerance of a guessed number, as a share of the interquartile range."""
TIE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class SensitiveValues:
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

    def histogram(self, seen: AttackerObservation) -> sparse.csr_array:
        """How many rows of every distinct released row have each value."""
        has_value = self.released >= 0
        rows, values = seen.classes.place[has_value], self.released[has_value]
        shape = (len(seen.classes), self.values)
        counts = sparse.csr_array((np.ones(len(rows)), (rows, values)), shape=shape)
        counts.sum_duplicates()
        return counts

    def right(self, guess: np.ndarray, truth: np.ndarray) -> np.ndarray:
        """Whether guesses (places, −1: none) are right, or near enough."""
        if self.tolerance is None:
            return np.asarray(guess == truth)
        difference = np.abs(self.numbers[guess] - self.numbers[truth])
        return np.asarray((difference <= self.tolerance) & (guess >= 0))

    def guesses(self, chances: sparse.csr_array) -> np.ndarray:
        """For every row of weights the likeliest value, or of numbers the median; −1: no weight."""
        rows = np.repeat(np.arange(chances.shape[0]), np.diff(chances.indptr))
        selector = _is_likeliest if self.tolerance is None else _is_median
        selected = np.flatnonzero(selector(chances, rows))[::-1]
        guessed_values = np.full(chances.shape[0], -1)
        guessed_values[rows[selected]] = chances.indices[selected]
        return guessed_values

    def certain(self, chances: sparse.csr_array) -> np.ndarray:
        """Whether all weight is on one value, or on numbers within the tolerance."""
        value_counts = np.diff(chances.indptr)
        if self.tolerance is None:
            return np.asarray(value_counts == 1)
        ends = np.clip(chances.indptr[1:] - 1, 0, None)
        starts = np.minimum(chances.indptr[:-1], max(chances.nnz - 1, 0))
        if not chances.nnz:
            return np.zeros(len(value_counts), dtype=bool)
        value_spread = self.numbers[chances.indices[ends]] - self.numbers[chances.indices[starts]]
        return np.asarray((value_counts > 0) & (value_spread <= self.tolerance))


def read_sensitive_values(
    column: ReleasedColumn, released: pl.Series, people: pl.Series, tolerance: float | None
) -> SensitiveValues:
    """The column with the values of people and of those released rows that tell one."""
    has_value = column.plain[column.released] >= 0
    if column.numeric and people.n_unique() > FEW_VALUES:
        released_values = np.where(has_value, column.cell_numbers[column.released], np.nan)
        known = cell_bounds(people)[0]
        values, value_codes = np.unique(
            np.concatenate([released_values, known]), return_inverse=True
        )
        value_codes = np.where(np.isnan(np.concatenate([released_values, known])), -1, value_codes)
        if tolerance is None:
            low, high = np.nanquantile(known, [0.25, 0.75])
            tolerance = float(DEFAULT_TOLERANCE_SHARE * (high - low))
        return SensitiveValues(
            value_codes[: len(released_values)],
            value_codes[len(released_values) :],
            values,
            tolerance,
        )
    texts = pl.concat([canonicalize_column(released), canonicalize_column(people)]).fill_null(
        "\x00"
    )
    words = texts.unique().sort()
    value_codes = texts.rank("dense").cast(pl.Int64).to_numpy() - 1
    released_values = np.where(has_value, value_codes[: len(has_value)], -1)
    return SensitiveValues(
        released_values, value_codes[len(has_value) :], np.full(len(words), np.nan), None
    )


def _is_likeliest(chances: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """Which weights are the largest of their row."""
    row_maxima = np.zeros(chances.shape[0])
    np.maximum.at(row_maxima, rows, chances.data)
    return np.asarray(chances.data == row_maxima[rows])


def _is_median(chances: sparse.csr_array, rows: np.ndarray) -> np.ndarray:
    """With which weights half of their row's is reached; rows are sorted by place."""
    total = np.asarray(chances.sum(axis=1)).ravel()
    cumulative = np.cumsum(chances.data)
    row_offsets = np.concatenate([[0.0], cumulative])[chances.indptr[:-1]]
    return np.asarray(cumulative - row_offsets[rows] >= total[rows] / 2 - TIE_TOLERANCE)
