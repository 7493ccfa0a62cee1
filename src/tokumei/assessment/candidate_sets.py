"""Candidate sets: the released people whose published cells fit what is known of a target.

    sets = find_candidate_sets(columns, link, people)
    sets.size[row]            # how many people fit what is known of the person behind this row
    sets.holds_target[row]    # whether that person is among them

Rows with the same cells are one class, targets of whom the same is known one vector. Every class
is compared with the vectors that its most telling column leaves; what remains is checked column by
column. So the work grows with the pairs that can fit, not with all pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tokumei.assessment.rough_knowledge import KnownColumnCodes
from tokumei.tables.data.column_encoding import number_tuples

PAIRS_AT_ONCE = 500_000
MAX_PAIRS = 1_500_000_000
"""More pairs of a class and a vector are not compared: targets are then sampled."""


@dataclass(frozen=True, eq=False)
class CandidateSets:
    """For every target row: the people (rows) that fit, and whether the target is among them.

    `certain[s]` says of which targets all candidates have one value in sensitive column s.
    """

    targets: np.ndarray
    """Released rows that stand for the targets: all of them, or a sample."""
    size: np.ndarray
    holds_target: np.ndarray
    certain: list[np.ndarray]
    classes: int
    is_sampled: bool


class _MatchColumn:
    """One column (or several joined by equality) by class and by known vector."""

    def __init__(
        self,
        cell_low: np.ndarray,
        cell_high: np.ndarray,
        known_low: np.ndarray,
        known_high: np.ndarray,
        known: KnownColumnCodes | None = None,
        cell: np.ndarray | None = None,
    ) -> None:
        # Ranks are below 2**31; half the memory, where there are many classes and columns.
        self.cell_low, self.cell_high, self.known_low, self.known_high = (
            ends.astype(np.int32) for ends in (cell_low, cell_high, known_low, known_high)
        )
        self.known, self.cell = known, cell

    def order(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Vectors in ascending order, and by class the part of them that may fit."""
        order = np.argsort(self.known_low, kind="stable").astype(np.int32)
        lows, highs = self.known_low[order], np.maximum.accumulate(self.known_high[order])
        start = np.searchsorted(highs, self.cell_low).astype(np.int32)
        end = np.searchsorted(lows, self.cell_high, "right").astype(np.int32)
        return order, start, np.where(self.cell_low > self.cell_high, start, np.maximum(start, end))

    def fits(self, classes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Which pairs fit."""
        if self.known is None or self.cell is None:
            return np.asarray(self.cell_low[classes] == self.known_low[vectors])
        return self.known.codes.covers(
            self.cell[classes], self.known_low[vectors], self.known_high[vectors]
        )


class CandidateSearch:
    """Classes of released rows, vectors of what is known, and the pairs that fit."""

    def __init__(
        self, columns: Sequence[KnownColumnCodes], link: np.ndarray, targets: np.ndarray
    ) -> None:
        self.columns = columns
        rows = len(link)
        codes = [column.codes for column in columns]
        cells = [column.cell_code for column in codes]
        self.class_of_row, self.classes = _number(cells, [len(c.cells) for c in codes], rows)
        origin = link[targets]
        sizes = [len(column.codes.numbers) for column in columns]
        lows = [column.low[origin] for column in columns]
        highs = [
            low if column.is_exact else column.high[origin]
            for column, low in zip(columns, lows, strict=True)
        ]
        wide = [
            (high, size)
            for low, high, size in zip(lows, highs, sizes, strict=True)
            if high is not low
        ]
        self.vector_of_target, self.vectors = _number(
            [*lows, *(high for high, _ in wide)],
            [*sizes, *(size for _, size in wide)],
            len(targets),
        )
        row_of_class, row_of_vector = (
            _first_rows(numbers, count)
            for numbers, count in (
                (self.class_of_row, self.classes),
                (self.vector_of_target, self.vectors),
            )
        )
        self.match = self._match_columns(row_of_class, row_of_vector, lows, highs)

    def _match_columns(
        self,
        row_of_class: np.ndarray,
        row_of_vector: np.ndarray,
        lows: list[np.ndarray],
        highs: list[np.ndarray],
    ) -> list[_MatchColumn]:
        """The columns to be compared; those whose cells are single values are joined into one."""
        match, equal, sizes = list[_MatchColumn](), list[np.ndarray](), list[int]()
        for column, low, high in zip(self.columns, lows, highs, strict=True):
            codes = column.codes
            cell = codes.cell_code[row_of_class]
            if column.is_exact and bool((codes.low == codes.high).all()):
                equal.append(np.concatenate([codes.low[cell], low[row_of_vector]]))
                sizes.append(len(codes.numbers))
                continue
            match.append(
                _MatchColumn(
                    codes.low[cell],
                    codes.high[cell],
                    low[row_of_vector],
                    high[row_of_vector],
                    column,
                    cell,
                )
            )
        if equal:
            joined, _ = _number(equal, sizes, len(equal[0]))
            cell, known = joined[: self.classes], joined[self.classes :]
            match.insert(0, _MatchColumn(cell, cell, known, known))
        return match

    @cached_property
    def plan(self) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]:
        """By class the column that leaves the fewest vectors, and the orders of all columns."""
        orders = [column.order() for column in self.match]
        counts = np.array([end - start for _, start, end in orders]).reshape(-1, self.classes)
        if not len(counts):
            return np.zeros(0, dtype=np.int64), orders
        return counts.argmin(axis=0), orders

    def pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Fitting pairs (class, vector), each once."""
        best, orders = self.plan
        if not orders:
            yield (
                np.repeat(np.arange(self.classes), self.vectors),
                np.tile(np.arange(self.vectors), self.classes),
            )
            return
        for chosen, (order, start, end) in enumerate(orders):
            classes = np.flatnonzero(best == chosen)
            for part in _chunks(classes, (end - start)[classes]):
                counts = (end - start)[part]
                owner = np.repeat(part, counts)
                offset = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
                vector = order[np.repeat(start[part], counts) + offset]
                yield self._checked(owner, vector)

    def _checked(self, classes: np.ndarray, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        for column in self.match:
            fits = column.fits(classes, vectors)
            if not fits.all():
                classes, vectors = classes[fits], vectors[fits]
        return classes, vectors

    def fit(self, classes: np.ndarray, vectors: np.ndarray) -> np.ndarray:
        """Which of these pairs fit."""
        fits = np.ones(len(classes), dtype=bool)
        for column in self.match:
            fits &= column.fits(classes, vectors)
        return fits

    def work(self) -> int:
        """How many pairs are compared."""
        best, orders = self.plan
        if not orders:
            return self.classes * self.vectors
        counts = np.array([end - start for _, start, end in orders])
        return int(counts[best, np.arange(self.classes)].sum(dtype=np.int64))


def _number(codes: list[np.ndarray], sizes: list[int], rows: int) -> tuple[np.ndarray, int]:
    if not codes or not rows:
        return np.zeros(rows, dtype=np.int64), min(rows, 1)
    return number_tuples(codes, sizes)


def _first_rows(numbers: np.ndarray, count: int) -> np.ndarray:
    rows = np.zeros(count, dtype=np.int64)
    rows[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return rows


def _chunks(items: np.ndarray, counts: np.ndarray) -> Iterator[np.ndarray]:
    """Parts whose counts come to about `PAIRS_AT_ONCE`."""
    if not len(items):
        return
    part = np.cumsum(counts) // PAIRS_AT_ONCE
    starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
    yield from np.split(items, starts[1:])
