"""Nearest known rows inside candidate sets, in many dimensions: all ties, or one-to-one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from scipy.spatial import cKDTree

from tokumei.tables.attackers.gaps import marked, nearest_points_with_gaps, with_gaps
from tokumei.tables.attackers.neighbours import TIE, nearest_on_line
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
    distance is that to the nearest point of the box. NaN is a gap, on either side (`gaps.py`).
    """
    plain = low is high and not (np.isnan(low).any() or np.isnan(known).any())
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
            who, near = nearest_points_with_gaps(points.vectors[begin:end], low[plain])
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
    squared = gap * gap
    total = np.asarray(squared.sum(axis=1))
    if np.isnan(total).any():
        return np.asarray(with_gaps(squared, points, low).sum(axis=1))
    return total


DENSE = 1_000_000
SPARSE = 100_000_000
NEIGHBOURS = 30


def assign_in_sets(
    found: Guess, known: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    """A known row per released row, none twice inside a set; ABSTAIN where none is left.

    The sum of distances is minimized, not of their squares: heavy-tailed noise upsets it less.
    Sets up to a million pairs are solved exactly, up to a hundred million on each row's 30
    nearest. Beyond that the matching would take minutes to gain a percent or two over the nearest
    row, and there is no answer; nor is there without SA, which leave nothing to assign by.
    """
    answers = np.full(len(low), ABSTAIN, dtype=np.int64)
    asked = np.flatnonzero(found.group != ABSTAIN)
    if not len(asked) or not known.shape[1]:
        return answers
    asked = asked[np.argsort(found.group[asked], kind="stable")]
    numbers, begin = np.unique(found.group[asked], return_index=True)
    for number, members in zip(numbers, np.split(asked, begin[1:]), strict=True):
        rows = found.rows[found.start[number] : found.start[number + 1]]
        answers[members] = _assign(rows, known, members, low, high)
    return answers


def _assign(
    rows: np.ndarray, known: np.ndarray, members: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    if len(rows) == 1 and len(members) == 1:
        return rows
    if len(rows) * len(members) <= DENSE:
        return _dense(rows, known[rows], low[members], high[members])
    if len(rows) * len(members) <= SPARSE:
        return _sparse(rows, known[rows], low[members], high[members])
    return np.full(len(members), ABSTAIN)


def _dense(rows: np.ndarray, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    left = np.repeat(np.arange(len(low)), len(rows))
    right = np.tile(np.arange(len(rows)), len(low))
    cost = np.sqrt(box_distances(known[right], low[left], high[left]))
    who, what = linear_sum_assignment(cost.reshape(len(low), len(rows)))
    answers = np.full(len(low), ABSTAIN, dtype=np.int64)
    answers[who] = rows[what]
    return answers


def _sparse(rows: np.ndarray, known: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Assignment on the nearest neighbours; a private way out for rows crowded off them."""
    with np.errstate(invalid="ignore"):  # a suppressed cell, from −∞ to ∞, has no middle
        middle = (low + high) / 2
    count, n = min(NEIGHBOURS, len(rows)), len(low)
    if np.isnan(known).any() or np.isnan(low).any():
        mean = np.nanmean(known, axis=0)
        middle = np.where(np.isinf(low) | np.isinf(high), mean, middle)
        places, asked = marked(known, mean), marked(middle, mean)
    else:
        places, asked = known, np.where(np.isfinite(middle), middle, known.mean(axis=0))
    distance, near = map(np.asarray, cKDTree(places).query(asked, k=count, workers=-1))
    # Sparse graphs take a zero for a missing edge, hence + 1.
    cost = np.append(distance.reshape(n, count), np.full((n, 1), 0.0), axis=1) + 1.0
    cost[:, -1] += 4 * cost[:, -2].max()
    columns = np.append(near.reshape(n, count), len(rows) + np.arange(n)[:, None], axis=1)
    start = np.arange(n + 1) * (count + 1)
    graph = csr_array((cost.ravel(), columns.ravel(), start), shape=(n, len(rows) + n))
    who, what = min_weight_full_bipartite_matching(graph)
    answers = np.full(n, ABSTAIN, dtype=np.int64)
    inside = what < len(rows)
    answers[who[inside]] = rows[what[inside]]
    return answers
