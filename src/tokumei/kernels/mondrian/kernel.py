"""Hierarchy-free Mondrian on code arrays: cut the tuples until no cut leaves k rows on both sides.

With `checks` (see conditions), both sides must fulfil them too.

    columns = Columns.of([Line(positions), Line(positions, values=5)])
    pieces = cut_up(codes, counts, columns, k=5, cut="gain")
    pieces.classes                      # the class of each piece; strict: a piece is a tuple

Codes stand in the order along which a column is cut.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled
from tokumei.kernels.mondrian.columns import Columns, width
from tokumei.kernels.verdict import NO_CHECKS, Checks, holds

Cut = Literal["gain", "median", "relaxed"]
CUTS: tuple[Cut, ...] = ("gain", "median", "relaxed")
_GAIN, _MEDIAN, _RELAXED = range(3)


class Pieces(NamedTuple):
    """Parts of tuples, in the order of the tuples: which tuple, how many rows, which class."""

    tuples: np.ndarray
    counts: np.ndarray
    classes: np.ndarray


class Group(NamedTuple):
    """Tuples to be cut, the rows of each, and what the sides must fulfil besides k rows."""

    codes: np.ndarray
    tuples: np.ndarray
    rows: np.ndarray
    checks: Checks


def cut_up(
    codes: np.ndarray,
    counts: np.ndarray,
    columns: Columns,
    *,
    k: int,
    cut: Cut,
    checks: Checks = NO_CHECKS,
) -> Pieces:
    """The classes of the tuples.

    `gain` cuts where the cells get narrower by most in all; `median` cuts the widest column at
    its median (LeFevre et al. 2006, strict); `relaxed` does so through the median value itself,
    whose rows go to both sides; it knows no checks.
    """
    how = CUTS.index(cut)
    tuples, rows, classes = _cut_up(
        np.ascontiguousarray(codes, np.int32), counts.astype(np.int64), columns, checks, k, how
    )
    order = np.lexsort((classes, tuples))
    return Pieces(tuples[order], rows[order], classes[order])


def best_cut(
    codes: np.ndarray, counts: np.ndarray, columns: Columns, *, k: int, cut: Cut
) -> tuple[int, int] | None:
    """The first cut that `cut_up` would make: a column, and the last code below; None: none.

    A relaxed cut is taken as a median one.
    """
    everything = np.arange(len(codes), dtype=np.int64)
    whole = Group(
        np.ascontiguousarray(codes, np.int32), everything, counts.astype(np.int64), NO_CHECKS
    )
    table = np.zeros(len(columns.positions), np.int64)
    how = _GAIN if cut == "gain" else _MEDIAN
    column, border, _ = _best_cut(whole, columns, table, k, how)
    return None if column < 0 else (int(column), int(border))


@compiled
def _cut_up(
    codes: np.ndarray, counts: np.ndarray, columns: Columns, checks: Checks, k: int, how: int
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
        whole = Group(codes, group, size, checks)
        column, border, share = _best_cut(whole, columns, table, k, how)
        end = begin
        if column < 0:
            for place in range(len(group)):
                tuples[done], rows[done], classes[done] = group[place], size[place], number
                done += 1
            number += 1
            continue
        below = _rows_below(whole, column, border, share)
        for half in range(2):
            begins.append(end)
            for place in range(len(group)):
                part = below[place] if half else size[place] - below[place]
                if part:
                    open_tuples[end], open_rows[end] = group[place], part
                    end += 1
    return tuples[:done], rows[:done], classes[:done]


@compiled
def _rows_below(group: Group, column: int, border: int, share: int) -> np.ndarray:
    """How many rows of each tuple go below: all before the border, `share` of those at it."""
    below = np.zeros(len(group.tuples), np.int64)
    for place in range(len(group.tuples)):
        code = group.codes[group.tuples[place], column]
        if code < border:
            below[place] = group.rows[place]
        elif code == border:
            below[place] = min(group.rows[place], share)
            share -= below[place]
    return below


@compiled
def _sides_hold(group: Group, column: int, border: int) -> bool:
    """Whether the tuples up to the border and those above it both fulfil the checks."""
    if len(group.checks.demands.kinds) == 0:
        return True
    below = np.empty(len(group.tuples), np.bool_)
    for place in range(len(group.tuples)):
        below[place] = group.codes[group.tuples[place], column] <= border
    return holds(group.checks, group.tuples[below]) and holds(group.checks, group.tuples[~below])


@compiled
def _best_cut(
    group: Group, columns: Columns, table: np.ndarray, k: int, how: int
) -> tuple[int, int, int]:
    """Column, border and how many rows of the border go below; column −1: there is none."""
    rows = group.rows.sum()
    found, border, share, best = -1, -1, -1, -1.0
    if rows < 2 * k:
        return found, border, share
    for j in range(group.codes.shape[1]):
        present, each = _present(group, j, table)
        if len(present) == 1:
            continue
        if how == _GAIN:
            place, score = _gain_cut(group, present, each, columns, j, k, best)
        else:
            # Wider columns come first, whatever their cut is like.
            start = columns.starts[j]
            score = columns.positions[start + present[-1]] - columns.positions[start + present[0]]
            place = _median_cut(group, present, each, j, k, how) if score > best else -1
        if place >= 0:
            found, border, share, best = j, present[place], each[place], score
            if how == _RELAXED:
                share = rows // 2 - each[:place].sum()
    return found, border, share


@compiled
def _present(group: Group, j: int, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The codes there are, ascending, and the rows of each; `table` is all 0 before and after."""
    present, number = np.empty(len(group.tuples), np.int64), 0
    for place in range(len(group.tuples)):
        code = group.codes[group.tuples[place], j]
        if not table[code]:
            present[number] = code
            number += 1
        table[code] += group.rows[place]
    present = np.sort(present[:number])
    each = np.empty(number, np.int64)
    for place in range(number):
        each[place] = table[present[place]]
        table[present[place]] = 0
    return present, each


@compiled
def _median_cut(
    group: Group, present: np.ndarray, each: np.ndarray, j: int, k: int, how: int
) -> int:
    """The place after which the halves are most alike; relaxed: the place of the median."""
    rows, below = each.sum(), 0
    best, place = rows + 1, -1
    for at in range(len(each) - 1):
        below += each[at]
        if how == _RELAXED and 2 * below >= rows - 1:
            return at
        if how == _RELAXED or not k <= below <= rows - k:
            continue
        if abs(2 * below - rows) < best and _sides_hold(group, j, present[at]):
            best, place = abs(2 * below - rows), at
    return len(each) - 1 if how == _RELAXED else place


@compiled
def _gain_cut(
    group: Group,
    present: np.ndarray,
    each: np.ndarray,
    columns: Columns,
    j: int,
    k: int,
    best: float,
) -> tuple[int, float]:
    """The place after which the cells of the column get narrower by most, and by how much.

    Place −1: by no more than `best`.
    """
    rows, below, last = each.sum(), 0, len(present) - 1
    whole = width(present, 0, last, columns, j)
    place = -1
    for at in range(last):
        below += each[at]
        if not k <= below <= rows - k:
            continue
        left, right = width(present, 0, at, columns, j), width(present, at + 1, last, columns, j)
        gain = whole * rows - left * below - right * (rows - below)
        if gain > best and _sides_hold(group, j, present[at]):
            best, place = gain, at
    return place, best
