"""Local suppression in the manner of μ-Argus: single cells become `*`, chosen greedily.

    found = suppress_locally(problem, k=5)

Every tuple keeps its leaves but for the cells it gives up. Rows that agree in all columns, `*`
being a value of its own, are a class.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

import numpy as np

from tokumei.core.progress import meter
from tokumei.core.text import Text
from tokumei.tables.anonymizers.recoding.problem import Classes, RecodingProblem

BREADTH = 256
"""Sets of columns kept from one size to the next; all of them for up to ten columns."""
LARGEST = 2**62
"""Numbers up to this one hold the cells of several columns."""
Columns = tuple[int, ...]


def suppress_locally(problem: RecodingProblem, k: int) -> Classes:
    """Give up no cell, then one, then two …; always the columns that make most open rows safe.

    Fewer than k rows left at the end give up all, with the smallest class if they need company.
    """
    open_tuples = _OpenTuples(problem, k)
    sets: list[Columns] = [()]
    with meter(Text("suppressing", "抑圧中"), total=problem.columns + 1) as advance:
        for _ in range(problem.columns + 1):
            closed = open_tuples.close(sets)[:BREADTH]
            # Every set with one more column.
            more = {(*one, j) for one in closed for j in range(problem.columns) if j not in one}
            sets = sorted({tuple(sorted(columns)) for columns in more})
            advance(1)
    open_tuples.close_rest()
    hidden = open_tuples.hidden
    levels = np.where(hidden, problem.heights, 0)
    class_of = _numbered(np.where(hidden, -1, problem.codes))
    return Classes(levels, class_of, problem.loss(levels))


class _OpenTuples:
    """Which tuples are not yet safe, and the cells given up by the others."""

    def __init__(self, problem: RecodingProblem, k: int) -> None:
        self._problem = problem
        self._k = k
        self._weights = _weights(problem.codes)
        self._open = np.arange(len(problem.codes))
        self._codes = problem.codes.astype(np.int64)
        self._counts = problem.counts
        self.hidden = np.zeros(problem.codes.shape, dtype=bool)

    def close(self, sets: list[Columns]) -> list[Columns]:
        """Apply the sets, the one that now makes most rows safe first; all, in that order.

        None once no set can make a row safe.
        """
        if self._counts.sum() < self._k:
            return []
        queue = [(-self._safe_rows(columns), columns, len(self._open)) for columns in sets]
        heapify(queue)
        applied: list[Columns] = []
        while queue:
            # What a set makes safe only shrinks: the first whose count still stands is the best.
            safe, columns, at = heappop(queue)
            now = -self._safe_rows(columns) if safe and at != len(self._open) else safe
            if now == safe:
                if safe:
                    self._apply(columns)
                applied.append(columns)
            else:
                heappush(queue, (now, columns, len(self._open)))
        return applied

    def close_rest(self) -> None:
        """Hide all cells of what is left, and of the smallest classes until k rows are hidden."""
        if not len(self._open):
            return
        self.hidden[self._open] = True
        counts = self._problem.counts
        while counts[self.hidden.all(axis=1)].sum() < self._k:
            class_of = _numbered(np.where(self.hidden, -1, self._problem.codes))
            sizes = np.bincount(class_of, counts)
            sizes[class_of[self.hidden.all(axis=1)]] = np.inf
            self.hidden[class_of == np.argmin(sizes)] = True

    def _classes(self, columns: Columns) -> tuple[np.ndarray, np.ndarray]:
        """The open tuples' classes without these columns, and the classes' rows."""
        shown = self._weights.copy()
        shown[list(columns)] = 0
        class_of = _numbered(self._codes @ shown)
        return class_of, np.bincount(class_of, self._counts)

    def _safe_rows(self, columns: Columns) -> int:
        _, sizes = self._classes(columns)
        return int(sizes[sizes >= self._k].sum())

    def _apply(self, columns: Columns) -> None:
        class_of, sizes = self._classes(columns)
        safe = sizes[class_of] >= self._k
        self.hidden[np.ix_(self._open[safe], columns)] = True
        self._open, self._codes = self._open[~safe], self._codes[~safe]
        self._counts = self._counts[~safe]


def _weights(codes: np.ndarray) -> np.ndarray:
    """Columns × few: codes times these are numbers that tell the same rows apart.

    A column is a digit of one of the numbers, and hidden where its weight is 0.
    """
    columns = codes.shape[1]
    weights = np.zeros((columns, columns), dtype=np.int64)
    number, weight = 0, 1
    for j, digits in enumerate((codes.max(axis=0) + 1).tolist()):
        if weight * digits > LARGEST:
            number, weight = number + 1, 1
        weights[j, number] = weight
        weight *= digits
    return weights[:, : number + 1]


def _numbered(cells: np.ndarray) -> np.ndarray:
    """A number per row, equal where all its cells are."""
    first, *others = cells.T
    numbers = np.unique(first, return_inverse=True)[1]
    for column in others:
        values = np.unique(column, return_inverse=True)[1]
        pairs = numbers * (values.max(initial=0) + 1) + values
        numbers = np.unique(pairs, return_inverse=True)[1]
    return numbers
