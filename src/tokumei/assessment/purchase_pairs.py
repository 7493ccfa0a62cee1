"""Pairs of a class of released rows and a known purchase that fit, where cells are sets.

`CandidateSearch` compares ranges of ranks, but the items of a set lie scattered. Here every member
of a set leads to the purchases of that item.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tokumei.assessment.candidate_sets import PAIRS_AT_ONCE, CandidateSearch
from tokumei.assessment.column_codes import ColumnCodes


def fitting_pairs(search: CandidateSearch) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Fitting pairs (class, vector), each once, by whichever way compares fewer."""
    joins = [
        _MemberJoin(column.known.codes, column.cell, column.known_low)
        for column in search.match
        if column.known is not None and column.cell is not None and column.known.is_exact
    ]
    best = min(joins, key=lambda join: join.work, default=None)
    if best is None or best.work >= search.work():
        yield from search.pairs()
        return
    for classes, vectors in best.pairs():
        fits = search.fit(classes, vectors)
        yield classes[fits], vectors[fits]


class _MemberJoin:
    """One column: the classes joined with the vectors by every value that a cell stands for."""

    def __init__(self, codes: ColumnCodes, cell: np.ndarray, known: np.ndarray) -> None:
        used, self.cell = np.unique(cell, return_inverse=True)
        self.members, self.start = _members(codes, used)
        counts = np.bincount(known, minlength=len(codes.numbers))
        self.order = np.argsort(known, kind="stable")
        self.begin = np.concatenate([[0], np.cumsum(counts)])
        weights = np.concatenate([[0], np.cumsum(counts[self.members])])
        self.class_work = np.diff(weights[self.start])[self.cell]
        self.work = int(self.class_work.sum())

    def pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """All pairs, about `PAIRS_AT_ONCE` at a time."""
        part = np.cumsum(self.class_work) // PAIRS_AT_ONCE
        for classes in np.split(np.arange(len(self.cell)), np.flatnonzero(np.diff(part)) + 1):
            owner, place = _expand(classes, self.start[self.cell[classes]], self._sizes(classes))
            rank = self.members[place]
            counts = self.begin[rank + 1] - self.begin[rank]
            owner, place = _expand(owner, self.begin[rank], counts)
            yield owner, self.order[place]

    def _sizes(self, classes: np.ndarray) -> np.ndarray:
        cell = self.cell[classes]
        return np.asarray(self.start[cell + 1] - self.start[cell])


def _members(codes: ColumnCodes, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ranks that each of these cells stands for, and where each cell's begin."""
    members = list[np.ndarray]()
    for cell in cells.tolist():
        row = int(codes.scattered_row[cell])
        if row >= 0:
            members.append(np.flatnonzero(codes.scattered[row]))
        else:
            members.append(np.arange(codes.low[cell], codes.high[cell] + 1))
    sizes = np.array([len(ranks) for ranks in members], dtype=np.int64)
    start = np.concatenate([[0], np.cumsum(sizes)])
    return np.concatenate([*members, np.zeros(0, dtype=np.int64)]).astype(np.int64), start


def _expand(
    owner: np.ndarray, start: np.ndarray, counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Every owner as often as it has places, with those places."""
    offset = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(owner, counts), np.repeat(start, counts) + offset
