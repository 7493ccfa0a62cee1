"""Hierarchy-free Mondrian: cut the tuples until no cut leaves k rows on both sides.

With checks, both sides must fulfil them too. Codes stand in the order along which a column is cut.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole

from tokumei.kernels.equivalence_classes.conditions import Checks, class_holds
from tokumei.kernels.sorting import sort

cython.declare(GAIN=whole, MEDIAN=whole, RELAXED=whole)
GAIN, MEDIAN, RELAXED = range(3)


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Cutting:
    """Tuples, columns, answers and workspace: see `tokumei.kernels.mondrian.hierarchy_free`.

    The group at hand is the first `size` of `group`, with the rows of each in `group_rows`.
    """

    codes: cython.int[:, ::1]
    positions: real[::1]
    starts: whole[::1]
    values: whole[::1]
    gaps: real[::1]
    checks: Checks
    tuples: whole[::1]
    rows: whole[::1]
    classes: whole[::1]
    open_tuples: whole[::1]
    open_rows: whole[::1]
    begins: whole[::1]
    group: whole[::1]
    group_rows: whole[::1]
    below: whole[::1]
    present: whole[::1]
    each: whole[::1]
    table: whole[::1]
    k: whole
    how: whole
    size: whole = 0
    distinct: whole = 0
    column: whole = -1
    border: whole = -1
    share: whole = -1
    waiting: whole = 1
    end: whole = 0
    done: whole = 0
    number: whole = 0


def cut_up(c: Cutting, steps: whole) -> None:
    """Cut the groups that wait, the last one first, until none is left or so many were looked at.

    The open groups lie one behind the other in `open_*`; `waiting` are left.
    """
    with cython.nogil:
        while c.waiting > 0 and steps > 0:
            c.waiting -= 1
            steps -= c.end - c.begins[c.waiting]
            _cut_last_group(c, c.begins[c.waiting])


def best_cut(c: Cutting) -> tuple[int, int]:
    """Column and border of the best cut of the group at hand; column −1: there is none."""
    with cython.nogil:
        _find_best_cut(c)
    return c.column, c.border


@cython.cfunc
def _cut_last_group(c: Cutting, begin: whole) -> cython.void:
    """Cut the last open group, or close it as a class."""
    c.size = c.end - begin
    for place in range(c.size):
        c.group[place] = c.open_tuples[begin + place]
        c.group_rows[place] = c.open_rows[begin + place]
    c.end = begin
    _find_best_cut(c)
    if c.column < 0:
        for place in range(c.size):
            c.tuples[c.done] = c.group[place]
            c.rows[c.done] = c.group_rows[place]
            c.classes[c.done] = c.number
            c.done += 1
        c.number += 1
        return
    _divide_rows(c)
    for half in range(2):
        c.begins[c.waiting] = c.end
        c.waiting += 1
        for place in range(c.size):
            part: whole = c.below[place] if half else c.group_rows[place] - c.below[place]
            if part:
                c.open_tuples[c.end] = c.group[place]
                c.open_rows[c.end] = part
                c.end += 1


@cython.cfunc
def _divide_rows(c: Cutting) -> cython.void:
    """How many rows of each tuple go below: all before the border, `share` of those at it."""
    share: whole = c.share
    for place in range(c.size):
        code = c.codes[c.group[place], c.column]
        c.below[place] = 0
        if code < c.border:
            c.below[place] = c.group_rows[place]
        elif code == c.border:
            c.below[place] = min(c.group_rows[place], share)
            share -= c.below[place]


@cython.cfunc
def _both_sides_hold(c: Cutting, j: whole, border: whole) -> cython.bint:
    """Whether the tuples up to the border and those above it both fulfil the checks."""
    if c.checks.kinds.shape[0] == 0:
        return True
    low: whole = 0
    high: whole = c.size
    for place in range(c.size):
        if c.codes[c.group[place], j] <= border:
            c.below[low] = c.group[place]
            low += 1
    for place in range(c.size - 1, -1, -1):
        if c.codes[c.group[place], j] > border:
            high -= 1
            c.below[high] = c.group[place]
    return class_holds(c.checks, c.below, 0, low) and class_holds(c.checks, c.below, high, c.size)


@cython.cfunc
def _find_best_cut(c: Cutting) -> cython.void:
    """Find column, border and how many rows of the border go below."""
    rows: whole = 0
    best: real = -1.0
    for i in range(c.size):
        rows += c.group_rows[i]
    c.column = -1
    if rows < 2 * c.k:
        return
    for j in range(c.codes.shape[1]):
        _count_present_codes(c, j)
        if c.distinct == 1:
            continue
        place: whole = -1
        score: real = best
        if c.how == GAIN:
            place = _gain_cut(c, j, rows, best)
            if place >= 0:
                score = _cut_gain(c, j, rows, place)
        else:
            # Wider columns come first, whatever their cut is like.
            low, high = c.present[0], c.present[c.distinct - 1]
            score = c.positions[c.starts[j] + high] - c.positions[c.starts[j] + low]
            if score > best:
                place = _median_cut(c, j, rows)
        if place >= 0:
            best = score
            c.column, c.border, c.share = j, c.present[place], c.each[place]
            if c.how == RELAXED:
                c.share = rows // 2 - _rows_up_to(c, place - 1)


@cython.cfunc
def _rows_up_to(c: Cutting, last: whole) -> whole:
    rows: whole = 0
    for place in range(last + 1):
        rows += c.each[place]
    return rows


@cython.cfunc
def _count_present_codes(c: Cutting, j: whole) -> cython.void:
    """The codes there are, ascending, and the rows of each; `table` is all 0 before and after."""
    number: whole = 0
    for place in range(c.size):
        code = c.codes[c.group[place], j]
        if not c.table[code]:
            c.present[number] = code
            number += 1
        c.table[code] += c.group_rows[place]
    sort(c.present, 0, number)
    for place in range(number):
        c.each[place] = c.table[c.present[place]]
        c.table[c.present[place]] = 0
    c.distinct = number


@cython.cfunc
def _median_cut(c: Cutting, j: whole, rows: whole) -> whole:
    """The place after which the halves are most alike; relaxed: the place of the median."""
    below: whole = 0
    best: whole = rows + 1
    place: whole = -1
    for at in range(c.distinct - 1):
        below += c.each[at]
        if c.how == RELAXED and 2 * below >= rows - 1:
            return at
        if c.how == RELAXED or not c.k <= below <= rows - c.k:
            continue
        apart: whole = 2 * below - rows
        if apart < 0:
            apart = -apart
        if apart < best and _both_sides_hold(c, j, c.present[at]):
            best, place = apart, at
    return c.distinct - 1 if c.how == RELAXED else place


@cython.cfunc
def _gain_cut(c: Cutting, j: whole, rows: whole, best: real) -> whole:
    """The place after which the cells of the column get narrower by most.

    −1: by no more than `best`.
    """
    below: whole = 0
    place: whole = -1
    last = c.distinct - 1
    wide = _cell_width(c, j, 0, last)
    for at in range(last):
        below += c.each[at]
        if not c.k <= below <= rows - c.k:
            continue
        left, right = _cell_width(c, j, 0, at), _cell_width(c, j, at + 1, last)
        gain = wide * rows - left * below - right * (rows - below)
        if gain > best and _both_sides_hold(c, j, c.present[at]):
            best, place = gain, at
    return place


@cython.cfunc
def _cut_gain(c: Cutting, j: whole, rows: whole, at: whole) -> real:
    """By how much the cells of the column get narrower by a cut after this place."""
    last = c.distinct - 1
    below = _rows_up_to(c, at)
    left, right = _cell_width(c, j, 0, at), _cell_width(c, j, at + 1, last)
    return _cell_width(c, j, 0, last) * rows - left * below - right * (rows - below)


@cython.cfunc
def _cell_width(c: Cutting, j: whole, first: whole, last: whole) -> real:
    """What the cell of these codes costs: the share of the column that it covers."""
    if first == last:
        return 0.0
    if c.values[j]:
        share = float(last - first + 1) / c.values[j]
        return share if share < 1.0 else 1.0
    start = c.starts[j]
    if c.gaps[j] == 0.0 or c.present[first] > 0:
        return c.positions[start + c.present[last]] - c.positions[start + c.present[first]]
    # Missing and known values: what the known ones cost, and the gap beside them.
    known = c.positions[start + c.present[last]] - c.positions[start + c.present[first + 1]]
    return known + c.gaps[j] if known + c.gaps[j] < 1.0 else 1.0
