"""Nearest known rows inside candidate sets, in many dimensions, all ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.tables.attackers.candidates import with_equal
from tokumei.tables.attackers.gaps import nearest_points_with_gaps, with_gaps
from tokumei.tables.attackers.neighbours import TIE, Pairs, nearest_on_line
from tokumei.tables.attackers.texts import Uneven
from tokumei.tables.data.guess import ABSTAIN, Guess


@dataclass(frozen=True, eq=False)
class Boxes:
    """Known points, released boxes, and what gaps and texts count beside them."""

    known: np.ndarray
    low: np.ndarray
    high: np.ndarray
    uneven: Uneven

    @property
    def plain(self) -> bool:
        """Whether released cells are points, and neither gaps nor texts are among them."""
        gaps = np.isnan(self.low).any() or np.isnan(self.known).any()
        return self.low is self.high and not gaps and not self.uneven.texts

    def nearest(self, found: Guess) -> Guess:
        """For each released row the nearest rows of its set.

        The released row is the box from `low` to `high` (the same array if all cells are plain);
        the distance is that to the nearest point of the box. NaN is a gap, on either side
        (`gaps.py`).
        """
        if self.plain and self.known.shape[1] == 1:
            return nearest_on_line(found, self.known[:, 0], self.low[:, 0])
        points = Points.of(found, self)
        asked = np.flatnonzero(found.answered)
        group = found.group[asked]
        width = points.start[group + 1] - points.start[group]
        load = np.bincount(group, weights=width, minlength=len(points.start) - 1)
        large = load[group] > LARGE
        if self.uneven.texts and large.any():
            return _alike_first(found, self)
        pairs = list(_whole_sets(points, asked[large], group[large], self))
        pairs += list(_expanded(points, asked[~large], group[~large], self))
        return points.answer(len(self.low), pairs)

    def squares(self, asked: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Squared distances of released boxes and known points, pair by pair."""
        points, low, high = self.known[rows], self.low[asked], self.high[asked]
        gap = np.maximum(np.maximum(low - points, points - high), 0.0)
        squared = gap * gap
        total = np.asarray(squared.sum(axis=1))
        if np.isnan(total).any():
            total = np.asarray(with_gaps(squared, points, low, self.uneven.cost).sum(axis=1))
        return np.asarray(total + self.uneven.squares(asked, rows))

    def of_first(self, guess: Guess) -> np.ndarray:
        """The squared distance of every row to the first that is guessed; ∞ where none is."""
        asked = np.flatnonzero(guess.answered)
        rows = guess.rows[guess.start[guess.group[asked]]]
        squares = np.full(len(guess.group), np.inf)
        squares[asked] = self.squares(asked, rows)
        return squares


@dataclass(frozen=True, eq=False)
class Points:
    """Set g owns the points `start[g]:start[g+1]`; point p stands for the known rows
    `rows[member[p]:member[p+1]]`, which share one vector."""

    start: np.ndarray
    vectors: np.ndarray
    member: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, found: Guess, boxes: Boxes) -> Points:
        """Merge known rows with equal vectors (and texts) inside each set."""
        owner = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
        known = boxes.known
        columns = [*known.T, *(text.known for text in boxes.uneven.texts)]
        key = _vector_codes(columns, len(known))[found.rows]
        order = np.lexsort((found.rows, key, owner))
        rows, owner, key = found.rows[order], owner[order], key[order]
        first = np.ones(len(rows), dtype=bool)
        first[1:] = (np.diff(owner) != 0) | (np.diff(key) != 0)
        begin = np.flatnonzero(first)
        start = np.searchsorted(begin, found.start)
        return cls(start, known[rows[begin]], np.append(begin, len(rows)), rows)

    def answer(self, released: int, pairs: Sequence[Pairs]) -> Guess:
        """A guess from pairs (released row, tied point), in any order."""
        none = np.empty(0, dtype=np.int64)
        who, point = (np.concatenate([none, *(pair[side] for pair in pairs)]) for side in (0, 1))
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


def _vector_codes(columns: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """A number per row, equal for equal rows."""
    codes = np.zeros(rows, dtype=np.int64)
    for column in columns:
        _, code = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * rows + code, return_inverse=True)
    return codes


PAIRS = 400_000
LARGE = 250_000


def _alike_first(found: Guess, boxes: Boxes) -> Guess:
    """The same for large sets, whose rows with equal texts are looked at before the others.

    They are the nearest unless their numbers are farther than the nearest of all by more than a
    text counts; only then must every row be looked at.
    """
    numbers = replace(boxes, uneven=Uneven(boxes.uneven.cost))
    right, left = (pl.DataFrame({"texts": codes}) for codes in boxes.uneven.equal())
    alike = with_equal(found, left, right, ["texts"])
    same, least = numbers.nearest(alike), min(t.weight for t in boxes.uneven.texts)
    nearest, best = numbers.of_first(numbers.nearest(found)), numbers.of_first(same)
    sure = same.answered & (best * (1 + TIE) ** 2 < nearest + least)
    rest = Guess(np.where(sure, ABSTAIN, found.group), found.start, found.rows)
    points = Points.of(rest, boxes)
    asked = np.flatnonzero(rest.answered)
    pairs = list(_expanded(points, asked, rest.group[asked], boxes))
    return same.replaced(~sure, points.answer(len(boxes.low), pairs))


def _whole_sets(
    points: Points, asked: np.ndarray, group: np.ndarray, boxes: Boxes
) -> Iterator[Pairs]:
    """One search per large set."""
    low, high = boxes.low, boxes.high
    for number in np.unique(group):
        members = asked[group == number]
        begin, end = points.start[number], points.start[number + 1]
        boxed = (low[members] != high[members]).any(axis=1) if low is not high else None
        if boxed is None or not boxed.all():
            plain = members if boxed is None else members[~boxed]
            vectors, cost = points.vectors[begin:end], boxes.uneven.cost
            who, near = nearest_points_with_gaps(vectors, low[plain], cost)
            yield plain[who], near + begin
        if boxed is not None and boxed.any():
            rest = members[boxed]
            yield from _expanded(points, rest, np.full(len(rest), number), boxes)


def _expanded(
    points: Points, asked: np.ndarray, group: np.ndarray, boxes: Boxes
) -> Iterator[Pairs]:
    """All (released row, point) pairs of the sets, in chunks of about PAIRS."""
    width = points.start[group + 1] - points.start[group]
    total = np.cumsum(width)
    begin = 0
    while begin < len(asked):
        done = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, done + PAIRS)))
        part = slice(begin, end)
        yield _chunk(points, asked[part], points.start[group[part]], width[part], boxes)
        begin = end


def _chunk(
    points: Points, asked: np.ndarray, first: np.ndarray, width: np.ndarray, boxes: Boxes
) -> Pairs:
    starts = np.cumsum(width) - width
    owner = np.repeat(np.arange(len(asked)), width)
    point = np.arange(len(owner)) - starts[owner] + first[owner]
    squared = boxes.squares(asked[owner], points.rows[points.member[point]])
    best = np.minimum.reduceat(squared, starts)
    keep = squared <= best[owner] * (1 + TIE) ** 2
    return asked[owner[keep]], point[keep]
