"""Nearest known rows inside candidate sets, in any number of dimensions, with all ties."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tokumei.tables.attackers.neighbours import TIE, nearest_on_line, nearest_points
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
    def of(cls, found: Guess, known: np.ndarray) -> Points:
        """Merge known rows with equal vectors inside each set."""
        owner = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
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


PAIRS = 400_000
LARGE = 250_000


def nearest_in_sets(found: Guess, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> Guess:
    """For each released row the nearest rows of its set.

    The released row is the box from `low` to `high` (the same array if all cells are plain); the
    distance is that to the nearest point of the box.
    """
    plain = low is high
    if plain and known.shape[1] == 1:
        return nearest_on_line(found, known[:, 0], low[:, 0])
    points = Points.of(found, known)
    asked = np.flatnonzero(found.group != ABSTAIN)
    group = found.group[asked]
    width = points.start[group + 1] - points.start[group]
    load = np.bincount(group, weights=width, minlength=len(points.start) - 1)
    large = load[group] > LARGE
    pairs = list(_whole_sets(points, asked[large], group[large], low, high))
    pairs += list(_expanded(points, asked[~large], group[~large], low, high))
    who = np.concatenate([np.empty(0, dtype=np.int64), *(p[0] for p in pairs)])
    near = np.concatenate([np.empty(0, dtype=np.int64), *(p[1] for p in pairs)])
    return points.answer(len(low), who, near)


def _whole_sets(
    points: Points, asked: np.ndarray, group: np.ndarray, low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """One search per large set."""
    for number in np.unique(group):
        members = asked[group == number]
        begin, end = points.start[number], points.start[number + 1]
        boxed = (low[members] != high[members]).any(axis=1) if low is not high else None
        if boxed is None or not boxed.all():
            plain = members if boxed is None else members[~boxed]
            who, near = nearest_points(points.vectors[begin:end], low[plain])
            yield plain[who], near + begin
        if boxed is not None and boxed.any():
            rest = members[boxed]
            yield from _expanded(points, rest, np.full(len(rest), number), low, high)


def _expanded(
    points: Points, asked: np.ndarray, group: np.ndarray, low: np.ndarray, high: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All (released row, point) pairs of the sets, in chunks of about PAIRS."""
    width = points.start[group + 1] - points.start[group]
    total = np.cumsum(width)
    begin = 0
    while begin < len(asked):
        done = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, done + PAIRS)))
        part = slice(begin, end)
        yield _chunk(points, asked[part], points.start[group[part]], width[part], low, high)
        begin = end


def _chunk(
    points: Points,
    asked: np.ndarray,
    first: np.ndarray,
    width: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    starts = np.cumsum(width) - width
    owner = np.repeat(np.arange(len(asked)), width)
    point = np.arange(len(owner)) - starts[owner] + first[owner]
    squared = box_distances(points.vectors[point], low[asked[owner]], high[asked[owner]])
    best = np.minimum.reduceat(squared, starts)
    keep = squared <= best[owner] * (1 + TIE) ** 2
    return asked[owner[keep]], point[keep]


def box_distances(points: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Squared distance from each point to its box."""
    gap = np.maximum(np.maximum(low - points, points - high), 0.0)
    return np.asarray((gap * gap).sum(axis=1))
