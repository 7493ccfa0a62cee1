"""Groups tuples at the nodes of a lattice of generalizations.

tuples = GeneralizedTuples(codes, up)
firsts, sizes = tuples.grouped((0, 2, 1), some, counts)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei.kernels.loading import load
from tokumei.kernels.validation import require_array, require_that

MAX_NUMBER = 2**62
"""A tuple's number stays below this."""


class GeneralizedTuples:
    """Tuples of codes, and what each code becomes at each level of its column: `up[j][level]`."""

    def __init__(self, codes: np.ndarray, up: Sequence[np.ndarray]) -> None:
        self._codes = np.ascontiguousarray(codes.T, dtype=np.int32)
        require_that(len(up) == len(self._codes), "every column needs its levels")
        for column, levels in zip(self._codes, up, strict=True):
            require_array("column", column, "int32[tuples] 0..leaves", {"leaves": levels.shape[1]})
        self._level_places = [[to_dense_codes(row) for row in levels] for levels in up]
        self._number_buffer = np.empty(0, dtype=np.int64)
        self._class_table = np.empty(0, dtype=np.int32)

    def widths(self) -> list[np.ndarray]:
        """How many different values each column can show, by level."""
        return [np.array([width for _, width in places]) for places in self._level_places]

    def grouped(
        self, levels: Sequence[int], some: np.ndarray, counts: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The first of `some` tuples (ascending) in each class, and the sum of their counts.

        Classes stand in the order of their first tuples.
        """
        column_weights = self._column_weights(levels)
        if column_weights is None:
            return first_and_sum_by_class(self.numbers(levels, some), some, counts)
        sizes = {"all": self._codes.shape[1], "some": len(some)}
        require_array("some", some, "int32[some] 0..all", sizes)
        require_array("counts", counts, "int64[some]", sizes)
        self._grow_buffers(len(some))
        firsts, rows = np.empty(len(some), dtype=np.int32), np.empty(len(some), dtype=np.int64)
        class_count = load("lattice").group_tuples(
            self._codes,
            some,
            counts,
            *column_weights,
            self._number_buffer,
            self._class_table,
            firsts,
            rows,
        )
        return firsts[:class_count].copy(), rows[:class_count].copy()

    def numbers(self, levels: Sequence[int], some: np.ndarray) -> np.ndarray:
        """One number per tuple, equal where the generalized tuples are; any number of columns."""
        numbers, size = np.zeros(len(some), dtype=np.int64), 1
        for column, places, level in zip(self._codes, self._level_places, levels, strict=True):
            place, width = places[level]
            if width == 1:
                continue
            if size * width > MAX_NUMBER:
                numbers, size = to_dense_codes(numbers)
            numbers *= width
            numbers += place[column[some]]
            size *= width
        return numbers

    def _column_weights(
        self, levels: Sequence[int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
        """The columns that are not all `*`, and what their codes add; None: numbers too large."""
        columns, starts, parts, size, start = [], [], [], 1, 0
        for j, (places, level) in enumerate(zip(self._level_places, levels, strict=True)):
            place, width = places[level]
            if width == 1:
                continue
            columns.append(j)
            starts.append(start)
            parts.append(place * size)
            size, start = size * width, start + len(place)
            if size > MAX_NUMBER:
                return None
        weights = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
        return np.array(columns, dtype=np.int64), np.array(starts, dtype=np.int64), weights

    def _grow_buffers(self, tuples: int) -> None:
        table_size = 1 << (2 * max(tuples, 1) - 1).bit_length()
        if len(self._number_buffer) < tuples:
            self._number_buffer = np.empty(tuples, dtype=np.int64)
        if len(self._class_table) != table_size:
            self._class_table = np.empty(table_size, dtype=np.int32)


def to_dense_codes(values: np.ndarray) -> tuple[np.ndarray, int]:
    """The values numbered from 0 in their order, and how many there are."""
    distinct, places = np.unique(values, return_inverse=True)
    return places.astype(np.int64), len(distinct)


def first_and_sum_by_class(
    numbers: np.ndarray, some: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The same from numbers, which may be any."""
    _, firsts, class_of = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    sums = np.zeros(len(firsts), dtype=np.int64)
    np.add.at(sums, class_of, counts)
    return some[firsts[order]].astype(np.int32), sums[order]
