"""Local suppression as in μ-Argus: greedily replaces single cells by `*`.

    recoding = suppress_locally(problem, k=5)

Every tuple keeps its leaves but for the cells it gives up. Rows that agree in all columns, `*`
being a value of its own, are a class.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from tokumei.core.messages import Message
from tokumei.core.progress import progress_bar
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodedClasses, RecodingProblem

MAX_SETS_KEPT = 256
"""Sets of columns kept from one size to the next; all of them for up to ten columns."""
LARGEST_CODE = 2**62
"""Numbers up to this one hold the cells of several columns."""
ColumnSet = tuple[int, ...]


def suppress_locally(problem: RecodingProblem, k: int) -> RecodedClasses:
    """Give up no cell, then one, then two …; always the columns that make most open rows safe.

    Fewer than k rows left at the end give up all, with the smallest class if they need company.
    """
    unsafe_tuples = _UnsafeTuples(problem, k)
    sets: list[ColumnSet] = [()]
    with progress_bar(Message("suppressing"), total=problem.columns + 1) as advance:
        for _ in range(problem.columns + 1):
            applied_sets = unsafe_tuples.close(sets)[:MAX_SETS_KEPT]
            # Every set with one more column.
            larger_sets = {
                (*column_set, j)
                for column_set in applied_sets
                for j in range(problem.columns)
                if j not in column_set
            }
            sets = sorted({tuple(sorted(columns)) for columns in larger_sets})
            advance(1)
    unsafe_tuples.hide_remaining()
    hidden = unsafe_tuples.hidden
    levels = np.where(hidden, problem.heights, 0)
    class_of = _number_rows(np.where(hidden, -1, problem.codes))
    return RecodedClasses(levels, class_of, problem.loss(levels))


class _UnsafeTuples:
    """Which tuples are not yet safe, and the cells given up by the others."""

    def __init__(self, problem: RecodingProblem, k: int) -> None:
        self._problem = problem
        self._k = k
        self._weights = _digit_weights(problem.codes)
        self._open_indices = np.arange(len(problem.codes))
        self._open_codes = problem.codes.astype(np.int64)
        self._open_counts = problem.counts
        self.hidden = np.zeros(problem.codes.shape, dtype=bool)

    def close(self, sets: list[ColumnSet]) -> list[ColumnSet]:
        """Apply the sets, the one that now makes most rows safe first; all, in that order.

        None once no set can make a row safe.
        """
        if self._open_counts.sum() < self._k:
            return []
        queue = [
            (-self._count_safe_rows(columns), columns, len(self._open_indices)) for columns in sets
        ]
        heapify(queue)
        applied: list[ColumnSet] = []
        while queue:
            # What a set makes safe only shrinks: the first whose count still stands is the best.
            safe_count, columns, open_count = heappop(queue)
            current_count = (
                -self._count_safe_rows(columns)
                if safe_count and open_count != len(self._open_indices)
                else safe_count
            )
            if current_count == safe_count:
                if safe_count:
                    self._hide_columns(columns)
                applied.append(columns)
            else:
                heappush(queue, (current_count, columns, len(self._open_indices)))
        return applied

    def hide_remaining(self) -> None:
        """Hide all cells of what is left, and of the smallest classes until k rows are hidden."""
        if not len(self._open_indices):
            return
        self.hidden[self._open_indices] = True
        counts = self._problem.counts
        while counts[self.hidden.all(axis=1)].sum() < self._k:
            class_of = _number_rows(np.where(self.hidden, -1, self._problem.codes))
            sizes = np.bincount(class_of, counts)
            sizes[class_of[self.hidden.all(axis=1)]] = np.inf
            self.hidden[class_of == np.argmin(sizes)] = True

    def _group_without(self, columns: ColumnSet) -> tuple[np.ndarray, np.ndarray]:
        """The open tuples' classes without these columns, and the classes' rows."""
        shown_weights = self._weights.copy()
        shown_weights[list(columns)] = 0
        class_of = _number_rows(self._open_codes @ shown_weights)
        return class_of, np.bincount(class_of, self._open_counts)

    def _count_safe_rows(self, columns: ColumnSet) -> int:
        _, sizes = self._group_without(columns)
        return int(sizes[sizes >= self._k].sum())

    def _hide_columns(self, columns: ColumnSet) -> None:
        class_of, sizes = self._group_without(columns)
        is_safe = sizes[class_of] >= self._k
        self.hidden[np.ix_(self._open_indices[is_safe], columns)] = True
        self._open_indices, self._open_codes = (
            self._open_indices[~is_safe],
            self._open_codes[~is_safe],
        )
        self._open_counts = self._open_counts[~is_safe]


def _digit_weights(codes: np.ndarray) -> np.ndarray:
    """Columns × few: codes times these are numbers that tell the same rows apart.

    A column is a digit of one of the numbers, and hidden where its weight is 0.
    """
    columns = codes.shape[1]
    weights = np.zeros((columns, columns), dtype=np.int64)
    number, weight = 0, 1
    for j, value_count in enumerate((codes.max(axis=0) + 1).tolist()):
        if weight * value_count > LARGEST_CODE:
            number, weight = number + 1, 1
        weights[j, number] = weight
        weight *= value_count
    return weights[:, : number + 1]


def _number_rows(cells: np.ndarray) -> np.ndarray:
    """A number per row, equal where all its cells are."""
    first, *others = cells.T
    numbers = np.unique(first, return_inverse=True)[1]
    for column in others:
        values = np.unique(column, return_inverse=True)[1]
        pairs = numbers * (values.max(initial=0) + 1) + values
        numbers = np.unique(pairs, return_inverse=True)[1]
    return numbers
