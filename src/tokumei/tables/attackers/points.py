"""Known rows as distinct points inside candidate sets, and answers made of tied points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei.tables.attackers.candidates import Candidates
from tokumei.tables.data.guess import ABSTAIN, Guess


@dataclass(frozen=True, eq=False)
class Points:
    """Set g owns the points `start[g]:start[g+1]`; point p stands for the known rows
    `rows[member[p]:member[p+1]]`, which share one vector."""

    start: np.ndarray
    vectors: np.ndarray
    member: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, found: Candidates, known: np.ndarray) -> Points:
        """Merge known rows with equal vectors inside each set."""
        owner = np.repeat(np.arange(len(found.start) - 1), found.size())
        key = _vector_codes(known)[found.rows]
        order = np.lexsort((found.rows, key, owner))
        rows, owner, key = found.rows[order], owner[order], key[order]
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (np.diff(owner) != 0) | (np.diff(key) != 0)
        begin = np.flatnonzero(first)
        start = np.searchsorted(begin, found.start)
        return cls(start, known[rows[begin]], np.append(begin, len(rows)), rows)

    def answer(self, released: int, who: np.ndarray, point: np.ndarray) -> Guess:
        """A guess from pairs (released row, tied point), in any order."""
        order = np.argsort(who, kind="stable")
        who, point = who[order], point[order]
        ties = np.bincount(who, minlength=released)
        group = np.full(released, ABSTAIN, dtype=np.int64)
        alone = ties[who] == 1
        group[who[alone]] = point[alone]
        several = np.flatnonzero(ties > 1)
        group[several] = len(self.member) - 1 + np.arange(len(several))
        rows, sizes = self._united(who[~alone], point[~alone], several)
        start = np.concatenate([self.member, self.member[-1] + np.cumsum(sizes)])
        return Guess(group, start, np.concatenate([self.rows, rows]))

    def _united(
        self, who: np.ndarray, point: np.ndarray, several: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The members of each tied row's points, one after the other, and how many they are."""
        each = self.member[point + 1] - self.member[point]
        sizes = np.bincount(np.searchsorted(several, who), weights=each, minlength=len(several))
        begin = np.repeat(self.member[point], each)
        inside = np.arange(len(begin)) - np.repeat(np.cumsum(each) - each, each)
        return self.rows[begin + inside], sizes.astype(np.int64)


def _vector_codes(values: np.ndarray) -> np.ndarray:
    """A number per row, equal for equal rows."""
    codes = np.zeros(len(values), dtype=np.int64)
    for column in values.T:
        _, code = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * len(values) + code, return_inverse=True)
    return codes
