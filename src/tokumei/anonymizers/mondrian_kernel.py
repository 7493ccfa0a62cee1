"""Hierarchy-free Mondrian on code arrays: cut the tuples until no cut leaves k rows on both sides.

    columns = Columns.of([Line(positions), Line(positions, values=5)])
    pieces = cut_up(codes, counts, columns, k=5, cut="gain")
    pieces.classes                      # the class of each piece; strict: a piece is a tuple

Codes stand in the order along which a column is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tokumei.anonymizers.compiled import compiled

Cut = Literal["gain", "median", "relaxed"]
CUTS: tuple[Cut, ...] = ("gain", "median", "relaxed")
_GAIN, _MEDIAN, _RELAXED = range(3)


@dataclass(frozen=True, eq=False)
class Line:
    """A column: where each code lies between 0 and 1.

    `values`: how many a set can have, 0 for numbers; `missing`: code 0 is the missing value.
    """

    positions: np.ndarray
    values: int = 0
    missing: bool = False


class Columns(NamedTuple):
    """All lines as arrays; the positions of column j begin at `starts[j]`."""

    positions: np.ndarray
    starts: np.ndarray
    values: np.ndarray
    missing: np.ndarray

    @classmethod
    def of(cls, lines: Sequence[Line]) -> Columns:
        """The lines one after the other."""
        sizes = [len(line.positions) for line in lines]
        return cls(
            np.concatenate([line.positions for line in lines]).astype(np.float64),
            np.cumsum([0, *sizes[:-1]]),
            np.array([line.values for line in lines], dtype=np.int64),
            np.array([line.missing for line in lines], dtype=np.bool_),
        )


class Pieces(NamedTuple):
    """Parts of tuples, in the order of the tuples: which tuple, how many rows, which class."""

    tuples: np.ndarray
    counts: np.ndarray
    classes: np.ndarray


def cut_up(codes: np.ndarray, counts: np.ndarray, columns: Columns, *, k: int, cut: Cut) -> Pieces:
    """The classes of the tuples.

    `gain` cuts where the cells get narrower by most in all; `median` cuts the widest column at
    its median (LeFevre et al. 2006, strict); `relaxed` does so through the median value itself,
    whose rows go to both sides.
    """
    how = CUTS.index(cut)
    tuples, rows, classes = _cut_up(
        np.ascontiguousarray(codes, np.int32), counts.astype(np.int64), columns, k, how
    )
    order = np.lexsort((classes, tuples))
    return Pieces(tuples[order], rows[order], classes[order])


@compiled
def _cut_up(
    codes: np.ndarray, counts: np.ndarray, columns: Columns, k: int, how: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # A relaxed cut splits at most one tuple, and makes one class more.
    most = len(codes) + (counts.sum() // k if how == _RELAXED else 0)
    tuples, rows = np.empty(most, np.int64), np.empty(most, np.int64)
    classes, done, number = np.empty(most, np.int64), 0, 0
    # The open groups lie one behind the other in `open_*`; the last one is cut next.
    open_tuples, open_rows = np.empty(most, np.int64), np.empty(most, np.int64)
    table = np.zeros(len(columns.positions), np.int64)
    end = len(codes)
    for place in range(end):
        open_tuples[place], open_rows[place] = place, counts[place]
    begins = [0]
    while len(begins):
        begin = begins.pop()
        group, size = open_tuples[begin:end].copy(), open_rows[begin:end].copy()
        column, border, share = _best_cut(codes, group, size, columns, table, k, how)
        end = begin
        if column < 0:
            for place in range(len(group)):
                tuples[done], rows[done], classes[done] = group[place], size[place], number
                done += 1
            number += 1
            continue
        below = _rows_below(codes, group, size, column, border, share)
        for half in range(2):
            begins.append(end)
            for place in range(len(group)):
                part = below[place] if half else size[place] - below[place]
                if part:
                    open_tuples[end], open_rows[end] = group[place], part
                    end += 1
    return tuples[:done], rows[:done], classes[:done]


@compiled
def _rows_below(
    codes: np.ndarray, group: np.ndarray, size: np.ndarray, column: int, border: int, share: int
) -> np.ndarray:
    """How many rows of each tuple go below: all before the border, `share` of those at it."""
    below = np.zeros(len(group), np.int64)
    for place in range(len(group)):
        code = codes[group[place], column]
        if code < border:
            below[place] = size[place]
        elif code == border:
            below[place] = min(size[place], share)
            share -= below[place]
    return below


@compiled
def _best_cut(
    codes: np.ndarray,
    group: np.ndarray,
    size: np.ndarray,
    columns: Columns,
    table: np.ndarray,
    k: int,
    how: int,
) -> tuple[int, int, int]:
    """Column, border and how many rows of the border go below; column −1: there is none."""
    rows = size.sum()
    found, border, share, best = -1, -1, -1, -1.0
    if rows < 2 * k:
        return found, border, share
    for j in range(codes.shape[1]):
        present, each = _present(codes, group, size, j, table)
        if len(present) == 1:
            continue
        if how == _GAIN:
            place, score = _gain_cut(present, each, columns, j, k)
        else:
            # Wider columns come first, whatever their cut is like.
            start = columns.starts[j]
            score = columns.positions[start + present[-1]] - columns.positions[start + present[0]]
            place = _median_cut(each, k, how) if score > best else -1
        if place >= 0 and score > best:
            found, border, share, best = j, present[place], each[place], score
            if how == _RELAXED:
                share = rows // 2 - each[:place].sum()
    return found, border, share


@compiled
def _present(
    codes: np.ndarray, group: np.ndarray, size: np.ndarray, j: int, table: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The codes there are, ascending, and the rows of each; `table` is all 0 before and after."""
    present, number = np.empty(len(group), np.int64), 0
    for place in range(len(group)):
        code = codes[group[place], j]
        if not table[code]:
            present[number] = code
            number += 1
        table[code] += size[place]
    present = np.sort(present[:number])
    each = np.empty(number, np.int64)
    for place in range(number):
        each[place] = table[present[place]]
        table[present[place]] = 0
    return present, each


@compiled
def _median_cut(each: np.ndarray, k: int, how: int) -> int:
    """The place after which the halves are most alike; relaxed: the place of the median."""
    rows, below = each.sum(), 0
    best, place = rows + 1, -1
    for at in range(len(each) - 1):
        below += each[at]
        if how == _RELAXED and 2 * below >= rows - 1:
            return at
        if how == _MEDIAN and k <= below <= rows - k and abs(2 * below - rows) < best:
            best, place = abs(2 * below - rows), at
    return len(each) - 1 if how == _RELAXED else place


@compiled
def _gain_cut(
    present: np.ndarray, each: np.ndarray, columns: Columns, j: int, k: int
) -> tuple[int, float]:
    """The place after which the cells of the column get narrower by most, and by how much."""
    rows, below, last = each.sum(), 0, len(present) - 1
    whole = _width(present, 0, last, columns, j)
    best, place = -1.0, -1
    for at in range(last):
        below += each[at]
        if not k <= below <= rows - k:
            continue
        left, right = _width(present, 0, at, columns, j), _width(present, at + 1, last, columns, j)
        gain = whole * rows - left * below - right * (rows - below)
        if gain > best:
            best, place = gain, at
    return place, best


@compiled
def _width(present: np.ndarray, first: int, last: int, columns: Columns, j: int) -> float:
    """What the cell of these codes costs: the share of the column that it covers."""
    if first == last:
        return 0.0
    if columns.missing[j] and present[first] == 0:
        return 1.0
    if columns.values[j]:
        return float((last - first + 1) / columns.values[j])
    start = columns.starts[j]
    low, high = columns.positions[start + present[first]], columns.positions[start + present[last]]
    return float(high - low)
