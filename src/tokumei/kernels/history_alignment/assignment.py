"""The cheapest one-to-one assignment of all rows of the cost matrix to some of its columns.

Shortest augmenting paths with dual prices (Jonker and Volgenant 1987): most rows find their
column by bidding; each of the rest is brought in along one cheapest path.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.history_alignment.workspace import Workspace

FREE = cython.declare(small, -1)
TIE = cython.declare(real, 1e-9)
FAR = cython.declare(real, 1e30)


def assign(r: Workspace, rows: whole, columns: whole, steps: whole) -> float:
    """The total cost of the optimal columns, which are `chosen`; rows <= columns."""
    with cython.nogil:
        total = solve_assignment(r, rows, columns, steps)
    return total


@cython.cfunc
def solve_assignment(r: Workspace, rows: whole, columns: whole, steps: whole) -> real:
    """Fill `chosen` with the optimal columns and give the total cost.

    With few `steps` a path is not followed to its end: quicker, and a little above the optimum.
    """
    for j in range(columns):
        r.price[j] = 0.0
        r.row_of_column[j] = FREE
    for row in range(rows):
        r.chosen[row] = FREE
    _bid_rounds(r, rows, columns)
    for j in range(columns):
        r.taken[j] = FAR if r.row_of_column[j] != FREE else 0.0
    for row in range(rows):
        if r.chosen[row] == FREE:
            _augment(r, row, columns, steps)
    total: real = 0.0
    for row in range(rows):
        total += r.cost[row * columns + r.chosen[row]]
    return total


@cython.cfunc
def smallest_number_from(numbers: real[::1], begin: whole, size: whole) -> real:
    """The smallest of the numbers from `begin` on."""
    best: real = numbers[begin]
    for j in range(begin, begin + size):
        best = numbers[j] if numbers[j] < best else best
    return best


@cython.cfunc
def _first_place_of_distance(r: Workspace, size: whole, wanted: real) -> whole:
    """The first place of a distance that is there."""
    j: whole = 0
    while j < size - 1 and r.distance[j] != wanted:
        j += 1
    return j


@cython.cfunc
def _bid_rounds(r: Workspace, rows: whole, columns: whole) -> cython.void:
    """Let every row bid for its best column, and rows that lost it once or twice again."""
    if columns < 2:
        return
    for n in range(rows):
        r.waiting[n] = n
    count: whole = rows
    for _ in range(3):
        losers: whole = 0
        for n in range(count):
            loser = _bid_once(r, r.waiting[n], columns)
            if loser != FREE:
                r.waiting[losers] = loser
                losers += 1
        count = losers


@cython.cfunc
def _bid_once(r: Workspace, row: small, columns: whole) -> small:
    """One row takes its best column, or the second best if both are equal; who lost it."""
    line = cython.cast(whole, row) * columns
    first: real = FAR
    for j in range(columns):
        net = r.cost[line + j] - r.price[j]
        r.distance[j] = net
        first = net if net < first else first
    best = _first_place_of_distance(r, columns, first)
    r.distance[best] = FAR
    second = smallest_number_from(r.distance, 0, columns)
    owner: small = r.row_of_column[best]
    if owner != FREE and second <= first:
        best = _first_place_of_distance(r, columns, second)
        owner = r.row_of_column[best]
    else:
        r.price[best] -= second - first
    if owner != FREE:
        r.chosen[owner] = FREE
    r.row_of_column[best] = row
    r.chosen[row] = best
    return owner


@cython.cfunc
def _augment(r: Workspace, start: whole, columns: whole, steps: whole) -> cython.void:
    """Bring one free row in along the cheapest alternating path (Dijkstra on reduced costs)."""
    for j in range(columns):
        r.open_price[j] = r.price[j]
        r.distance[j] = FAR
    _relax(r, start, 0.0, columns)
    count: whole = 0
    while r.nearest_free > r.nearest + TIE and count < steps:
        column = _first_place_of_distance(r, columns, r.nearest)
        owner = r.row_of_column[column]
        r.closed[count] = column
        r.reached[count] = r.nearest
        count += 1
        shift = r.cost[owner * columns + column] - r.price[column] - r.nearest
        r.open_price[column] = -FAR
        r.distance[column] = FAR
        _relax(r, owner, shift, columns)
    for n in range(count):
        r.price[r.closed[n]] += min(r.reached[n] - r.nearest_free, 0.0)
    _hand_columns_on(r, start, columns)


@cython.cfunc
def _relax(r: Workspace, owner: small, shift: real, columns: whole) -> cython.void:
    """Ways through a row may be shorter; the nearest column then, and the nearest free one."""
    line = cython.cast(whole, owner) * columns
    nearest: real = FAR
    free: real = 2.0 * FAR
    for j in range(columns):
        way = r.cost[line + j] - r.open_price[j] - shift
        shorter: cython.bint = way < r.distance[j]
        distance = way if shorter else r.distance[j]
        r.distance[j] = distance
        r.before[j] = owner if shorter else r.before[j]
        nearest = distance if distance < nearest else nearest
        total = distance + r.taken[j]
        free = total if total < free else free
    r.nearest, r.nearest_free = nearest, free


@cython.cfunc
def _hand_columns_on(r: Workspace, start: whole, columns: whole) -> cython.void:
    """Hand the columns on along the path, from the free one at its end."""
    end: whole = 0
    while end < columns - 1 and r.distance[end] + r.taken[end] != r.nearest_free:
        end += 1
    r.taken[end] = FAR
    while True:
        row = r.before[end]
        r.row_of_column[end] = row
        following = r.chosen[row]
        r.chosen[row] = end
        if row == start:
            break
        end = following
