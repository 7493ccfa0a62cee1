"""Local suppression in the manner of μ-Argus: single cells become `*`, chosen greedily.

    found = suppress_locally(problem, k=5)

Every tuple keeps its leaves but for the cells it gives up. Rows that agree in all columns, `*`
being a value of its own, are a class.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tokumei.anonymizers.recoding.clusters import Clustering, check_clusterable, ncp_of
from tokumei.anonymizers.recoding.problem import RecodingProblem
from tokumei.progress import meter
from tokumei.text import Text

BREADTH = 256
"""Sets of columns kept from one size to the next; all of them for up to ten columns."""
Columns = frozenset[int]


def suppress_locally(problem: RecodingProblem, k: int) -> Clustering:
    """Give up no cell, then one, then two …; always the columns that make most open rows safe.

    Fewer than k rows left at the end give up all, with the smallest class if they need company.
    """
    check_clusterable(problem, k)
    open_tuples = _OpenTuples(problem, k)
    sets: list[Columns] = [frozenset()]
    with meter(Text("suppressing", "抑制中"), total=problem.columns + 1) as advance:
        for _ in range(problem.columns + 1):
            sets = _next_sets(open_tuples.close(sets)[:BREADTH], problem.columns)
            advance(1)
    open_tuples.close_rest()
    hidden = open_tuples.hidden
    levels = np.where(hidden, problem.heights, 0)
    class_of = _numbered([*np.where(hidden, -1, problem.codes).T])
    return Clustering(levels, class_of, ncp_of(problem, levels))


class _OpenTuples:
    """Which tuples are not yet safe, and the cells given up by the others."""

    def __init__(self, problem: RecodingProblem, k: int) -> None:
        self._problem = problem
        self._k = k
        self._open = np.arange(len(problem.codes))
        self.hidden = np.zeros(problem.codes.shape, dtype=bool)

    def close(self, sets: list[Columns]) -> list[Columns]:
        """Apply the sets, the one that now makes most rows safe first; all, in that order."""
        safe = {columns: self._safe_rows(columns) for columns in sets}
        applied: list[Columns] = []
        while safe:
            # What a set makes safe only shrinks: the first whose count still stands is the best.
            best = max(safe, key=lambda columns: (safe[columns], _reverse(columns)))
            now = self._safe_rows(best)
            if now == safe[best]:
                self._apply(best)
                applied.append(best)
                del safe[best]
            else:
                safe[best] = now
        return applied

    def close_rest(self) -> None:
        """Hide all cells of what is left, and of the smallest classes until k rows are hidden."""
        if not len(self._open):
            return
        self.hidden[self._open] = True
        counts = self._problem.counts
        while counts[self.hidden.all(axis=1)].sum() < self._k:
            class_of = _numbered([*np.where(self.hidden, -1, self._problem.codes).T])
            sizes = np.bincount(class_of, counts)
            sizes[class_of[self.hidden.all(axis=1)]] = np.inf
            self.hidden[class_of == np.argmin(sizes)] = True

    def _safe(self, columns: Columns) -> np.ndarray:
        shown = [j for j in range(self._problem.columns) if j not in columns]
        if not len(self._open):
            return np.zeros(0, dtype=bool)
        class_of = _numbered([self._problem.codes[self._open, j] for j in shown], len(self._open))
        sizes = np.bincount(class_of, self._problem.counts[self._open])
        safe: np.ndarray = sizes[class_of] >= self._k
        return safe

    def _safe_rows(self, columns: Columns) -> int:
        return int(self._problem.counts[self._open[self._safe(columns)]].sum())

    def _apply(self, columns: Columns) -> None:
        safe = self._safe(columns)
        self.hidden[np.ix_(self._open[safe], sorted(columns))] = True
        self._open = self._open[~safe]


def _next_sets(sets: list[Columns], columns: int) -> list[Columns]:
    """Every set with one more column."""
    found = {chosen | {j} for chosen in sets for j in range(columns) if j not in chosen}
    return sorted(found, key=sorted)


def _reverse(columns: Iterable[int]) -> list[int]:
    return [-j for j in sorted(columns)]


def _numbered(columns: list[np.ndarray], rows: int = 1) -> np.ndarray:
    """A number per row, equal where all columns are."""
    numbers = np.zeros(len(columns[0]) if columns else rows, dtype=np.int64)
    for column in columns:
        values = np.unique(column, return_inverse=True)[1]
        numbers = np.unique(numbers * (int(values.max()) + 1) + values, return_inverse=True)[1]
    return numbers
