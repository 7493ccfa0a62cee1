"""Finds the nearest known rows inside candidate sets, with all ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from tokumei.tables.attackers.missing_values import fill_gap_costs, nearest_points_with_gaps
from tokumei.tables.attackers.neighbour_search import TIE_TOLERANCE, IndexPairs, nearest_on_line
from tokumei.tables.attackers.qi_candidates import narrow_by_equal
from tokumei.tables.attackers.text_distance import GapAndTextCosts
from tokumei.tables.data.guess import ABSTAIN, Guess


@dataclass(frozen=True, eq=False)
class ReleasedBoxes:
    """Known points, released boxes, and what gaps and texts count beside them."""

    known: np.ndarray
    low: np.ndarray
    high: np.ndarray
    uneven: GapAndTextCosts

    @property
    def plain(self) -> bool:
        """Whether released cells are points, and neither gaps nor texts are among them."""
        gaps = np.isnan(self.low).any() or np.isnan(self.known).any()
        return self.low is self.high and not gaps and not self.uneven.texts

    def nearest(self, candidates: Guess) -> Guess:
        """For each released row the nearest rows of its set.

        The released row is the box from `low` to `high` (the same array if all cells are plain);
        the distance is that to the nearest point of the box. NaN is a gap, on either side
        (`missing_values.py`).
        """
        if self.plain and self.known.shape[1] == 1:
            return nearest_on_line(candidates, self.known[:, 0], self.low[:, 0])
        points = CandidatePoints.of(candidates, self)
        answered_rows = np.flatnonzero(candidates.answered)
        group = candidates.group[answered_rows]
        width = points.start[group + 1] - points.start[group]
        set_load = np.bincount(group, weights=width, minlength=len(points.start) - 1)
        is_large = set_load[group] > LARGE
        if self.uneven.texts and is_large.any():
            return _equal_texts_first(candidates, self)
        pairs = list(_search_large_sets(points, answered_rows[is_large], group[is_large], self))
        pairs += list(_search_small_sets(points, answered_rows[~is_large], group[~is_large], self))
        return points.build_guess(len(self.low), pairs)

    def squares(self, released_rows: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Squared distances of released boxes and known points, pair by pair."""
        points, low, high = self.known[rows], self.low[released_rows], self.high[released_rows]
        outside_distance = np.maximum(np.maximum(low - points, points - high), 0.0)
        squared = outside_distance * outside_distance
        total = np.asarray(squared.sum(axis=1))
        if np.isnan(total).any():
            total = np.asarray(fill_gap_costs(squared, points, low, self.uneven.cost).sum(axis=1))
        return np.asarray(total + self.uneven.squares(released_rows, rows))

    def squared_distance_to_first(self, guess: Guess) -> np.ndarray:
        """The squared distance of every row to the first that is guessed; ∞ where none is."""
        answered_rows = np.flatnonzero(guess.answered)
        rows = guess.rows[guess.start[guess.group[answered_rows]]]
        squares = np.full(len(guess.group), np.inf)
        squares[answered_rows] = self.squares(answered_rows, rows)
        return squares


@dataclass(frozen=True, eq=False)
class CandidatePoints:
    """Set g owns the points `start[g]:start[g+1]`; point p stands for the known rows
    `rows[member[p]:member[p+1]]`, which share one vector."""

    start: np.ndarray
    vectors: np.ndarray
    member: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, found: Guess, boxes: ReleasedBoxes) -> CandidatePoints:
        """Merge known rows with equal vectors (and texts) inside each set."""
        owner = np.repeat(np.arange(len(found.start) - 1), np.diff(found.start))
        known = boxes.known
        columns = [*known.T, *(text.known for text in boxes.uneven.texts)]
        key = _number_vectors(columns, len(known))[found.rows]
        order = np.lexsort((found.rows, key, owner))
        rows, owner, key = found.rows[order], owner[order], key[order]
        is_first = np.ones(len(rows), dtype=bool)
        is_first[1:] = (np.diff(owner) != 0) | (np.diff(key) != 0)
        begin = np.flatnonzero(is_first)
        start = np.searchsorted(begin, found.start)
        return cls(start, known[rows[begin]], np.append(begin, len(rows)), rows)

    def build_guess(self, released: int, pairs: Sequence[IndexPairs]) -> Guess:
        """A guess from pairs (released row, tied point), in any order."""
        no_rows = np.empty(0, dtype=np.int64)
        released_rows, point = (
            np.concatenate([no_rows, *(pair[side] for pair in pairs)]) for side in (0, 1)
        )
        order = np.argsort(released_rows, kind="stable")
        released_rows, point = released_rows[order], point[order]
        ties = np.bincount(released_rows, minlength=released)
        group = np.full(released, ABSTAIN, dtype=np.int64)
        is_untied = ties[released_rows] == 1
        group[released_rows[is_untied]] = point[is_untied]
        tied_rows = np.flatnonzero(ties > 1)
        group[tied_rows] = len(self.member) - 1 + np.arange(len(tied_rows))
        rows, sizes = self._unite_ties(released_rows[~is_untied], point[~is_untied], tied_rows)
        start = np.concatenate([self.member, self.member[-1] + np.cumsum(sizes)])
        return Guess(group, start, np.concatenate([self.rows, rows]))

    def _unite_ties(
        self, released_rows: np.ndarray, point: np.ndarray, tied_rows: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The members of each tied row's points, one after the other, and how many they are."""
        member_counts = self.member[point + 1] - self.member[point]
        sizes = np.bincount(
            np.searchsorted(tied_rows, released_rows),
            weights=member_counts,
            minlength=len(tied_rows),
        )
        begin = np.repeat(self.member[point], member_counts)
        member_offset = np.arange(len(begin)) - np.repeat(
            np.cumsum(member_counts) - member_counts, member_counts
        )
        return self.rows[begin + member_offset], sizes.astype(np.int64)


def _number_vectors(columns: Sequence[np.ndarray], rows: int) -> np.ndarray:
    """A number per row, equal for equal rows."""
    codes = np.zeros(rows, dtype=np.int64)
    for column in columns:
        _, code = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * rows + code, return_inverse=True)
    return codes


PAIRS_PER_CHUNK = 400_000
LARGE = 250_000


def _equal_texts_first(candidates: Guess, boxes: ReleasedBoxes) -> Guess:
    """The same for large sets, whose rows with equal texts are looked at before the others.

    They are the nearest unless their numbers are farther than the nearest of all by more than a
    text counts; only then must every row be looked at.
    """
    numbers = replace(boxes, uneven=GapAndTextCosts(boxes.uneven.cost))
    right, left = (pl.DataFrame({"texts": codes}) for codes in boxes.uneven.equal())
    equal_candidates = narrow_by_equal(candidates, left, right, ["texts"])
    equal_nearest, min_weight = (
        numbers.nearest(equal_candidates),
        min(text.weight for text in boxes.uneven.texts),
    )
    nearest, best = (
        numbers.squared_distance_to_first(numbers.nearest(candidates)),
        numbers.squared_distance_to_first(equal_nearest),
    )
    is_sure = equal_nearest.answered & (best * (1 + TIE_TOLERANCE) ** 2 < nearest + min_weight)
    unsure_candidates = Guess(
        np.where(is_sure, ABSTAIN, candidates.group), candidates.start, candidates.rows
    )
    points = CandidatePoints.of(unsure_candidates, boxes)
    answered_rows = np.flatnonzero(unsure_candidates.answered)
    pairs = list(
        _search_small_sets(points, answered_rows, unsure_candidates.group[answered_rows], boxes)
    )
    return equal_nearest.replaced(~is_sure, points.build_guess(len(boxes.low), pairs))


def _search_large_sets(
    points: CandidatePoints, released_rows: np.ndarray, group: np.ndarray, boxes: ReleasedBoxes
) -> Iterator[IndexPairs]:
    """One search per large set."""
    low, high = boxes.low, boxes.high
    for number in np.unique(group):
        members = released_rows[group == number]
        begin, end = points.start[number], points.start[number + 1]
        is_boxed = (low[members] != high[members]).any(axis=1) if low is not high else None
        if is_boxed is None or not is_boxed.all():
            plain = members if is_boxed is None else members[~is_boxed]
            vectors, cost = points.vectors[begin:end], boxes.uneven.cost
            row_index, point_index = nearest_points_with_gaps(vectors, low[plain], cost)
            yield plain[row_index], point_index + begin
        if is_boxed is not None and is_boxed.any():
            boxed_rows = members[is_boxed]
            yield from _search_small_sets(
                points, boxed_rows, np.full(len(boxed_rows), number), boxes
            )


def _search_small_sets(
    points: CandidatePoints, released_rows: np.ndarray, group: np.ndarray, boxes: ReleasedBoxes
) -> Iterator[IndexPairs]:
    """All (released row, point) pairs of the sets, in chunks of about PAIRS."""
    width = points.start[group + 1] - points.start[group]
    total = np.cumsum(width)
    begin = 0
    while begin < len(released_rows):
        searched_pairs = total[begin - 1] if begin else 0
        end = max(begin + 1, int(np.searchsorted(total, searched_pairs + PAIRS_PER_CHUNK)))
        chunk = slice(begin, end)
        yield _search_chunk(
            points, released_rows[chunk], points.start[group[chunk]], width[chunk], boxes
        )
        begin = end


def _search_chunk(
    points: CandidatePoints,
    released_rows: np.ndarray,
    first: np.ndarray,
    width: np.ndarray,
    boxes: ReleasedBoxes,
) -> IndexPairs:
    starts = np.cumsum(width) - width
    owner = np.repeat(np.arange(len(released_rows)), width)
    point = np.arange(len(owner)) - starts[owner] + first[owner]
    squared = boxes.squares(released_rows[owner], points.rows[points.member[point]])
    best = np.minimum.reduceat(squared, starts)
    is_nearest = squared <= best[owner] * (1 + TIE_TOLERANCE) ** 2
    return released_rows[owner[is_nearest]], point[is_nearest]
