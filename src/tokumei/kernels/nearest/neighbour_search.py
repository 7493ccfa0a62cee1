"""The nearest rows of a mixed table, and all rows within a reach, by plain comparison.

Rows are first compared by their marks (`marks.py`), column after column: that takes many rows at
once. Marks say of two rows that they are nearer than they are, never that they are farther; only
rows that are near by their marks are looked at.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as code
from cython import longlong as whole
from cython import uchar as byte

STRIP = cython.declare(whole, 512)
"""Rows whose marks are compared at once."""


def nearest(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    weights: real[::1],
    low: byte[:, ::1],
    span: byte[:, ::1],
    marks: byte[:, ::1],
    costs: byte[::1],
    parts: whole,
    unlike: byte[::1],
    order: code[::1],
    begin: whole,
    end: whole,
    found: code[:, ::1],
    squares: real[:, ::1],
) -> None:
    """The nearest other rows of rows `begin` to `end`, nearest first, of equals the first ones.

    `low` and `span` are ranges of marks, `marks` those of the others, `costs` what it costs to be
    outside, in so many `parts` of 1. `unlike` is room for the rows of a strip. The others come in
    any `order`: the number of each is there.
    """
    most: whole = found.shape[1]
    others: whole = other_codes.shape[0]
    with cython.nogil:
        for row in range(begin, end):
            held: whole = 0
            worst: real = 1e300
            limit: byte = 255
            strip: whole = 0
            while strip < others:
                size: whole = min(STRIP, others - strip)
                _sum_mark_costs(low, span, row, marks, costs, strip, size, unlike)
                step: whole = _next_below(unlike, 0, limit)
                while step < size:
                    other = strip + step
                    step = _next_below(unlike, step + 1, limit)
                    square = _squared_distance(
                        codes, numbers, row, other_codes, other_numbers, other, weights, worst
                    )
                    number: code = order[other]
                    if square > worst or (square == worst and number > found[row, most - 1]):
                        continue
                    place: whole = held if held < most else most - 1
                    while place > 0 and (
                        squares[row, place - 1] > square
                        or (squares[row, place - 1] == square and found[row, place - 1] > number)
                    ):
                        squares[row, place] = squares[row, place - 1]
                        found[row, place] = found[row, place - 1]
                        place -= 1
                    squares[row, place] = square
                    found[row, place] = number
                    if held < most:
                        held += 1
                    if held == most:
                        worst = squares[row, most - 1]
                        limit = _next_whole_byte(worst * parts)
                strip += STRIP


def find_within_reach_of(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    weights: real[::1],
    low: byte[:, ::1],
    span: byte[:, ::1],
    marks: byte[:, ::1],
    costs: byte[::1],
    parts: whole,
    unlike: byte[::1],
    reach: real[::1],
    begin: whole,
    first: whole[::1],
    found: code[::1],
    squares: real[::1],
) -> whole:
    """List for every row the others whose own (squared) reach it is in; the row to go on with.

    It stops before a row for which there may be no room left.
    """
    others: whole = other_codes.shape[0]
    row: whole = begin
    with cython.nogil:
        while row < codes.shape[0] and first[row] + others <= found.shape[0]:
            place: whole = first[row]
            strip: whole = 0
            while strip < others:
                size: whole = min(STRIP, others - strip)
                _sum_mark_costs(low, span, row, marks, costs, strip, size, unlike)
                for step in range(size):
                    other = strip + step
                    most = reach[other]
                    if unlike[step] > most * parts:
                        continue
                    square = _squared_distance(
                        codes, numbers, row, other_codes, other_numbers, other, weights, most
                    )
                    if square <= most:
                        squares[place] = square
                        found[place] = cython.cast(code, other)
                        place += 1
                strip += STRIP
            row += 1
            first[row] = place
    return row


@cython.cfunc
def _sum_mark_costs(
    low: byte[:, ::1],
    span: byte[:, ::1],
    row: whole,
    marks: byte[:, ::1],
    costs: byte[::1],
    begin: whole,
    size: whole,
    unlike: byte[::1],
) -> cython.void:
    """What the marks of some other rows cost that are outside a row's ranges; behind them 255."""
    for step in range(size):
        unlike[step] = 0
    for step in range(size, STRIP):
        unlike[step] = 255
    for column in range(marks.shape[0]):
        first: byte = low[row, column]
        wide: byte = span[row, column]
        cost: byte = costs[column]
        for step in range(size):
            gap: byte = cython.cast(byte, marks[column, begin + step] - first)
            unlike[step] += cost if gap > wide else cython.cast(byte, 0)


@cython.cfunc
def _next_below(unlike: byte[::1], begin: whole, limit: byte) -> whole:
    """The first place from `begin` with less than the limit, or the end of the strip."""
    place: whole = begin
    while place < STRIP:
        if place % 32 == 0 and _smallest_of_32(unlike, place) >= limit:
            place += 32
        elif unlike[place] < limit:
            return place
        else:
            place += 1
    return place


@cython.cfunc
def _smallest_of_32(unlike: byte[::1], begin: whole) -> byte:
    """The smallest of 32."""
    least: byte = 255
    for step in range(32):
        least = min(least, unlike[begin + step])
    return least


@cython.cfunc
def _next_whole_byte(limit: real) -> byte:
    """The smallest whole number above a limit, as far as a byte goes."""
    return cython.cast(byte, cython.cast(whole, min(limit, 254.0)) + 1)


@cython.cfunc
def _squared_distance(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    row: whole,
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    other: whole,
    weights: real[::1],
    most: real,
) -> real:
    """The squared distance: one for every code that differs; anything above `most` if it is."""
    unlike: whole = 0
    for column in range(codes.shape[1]):
        unlike += codes[row, column] != other_codes[other, column]
    square: real = unlike
    if square > most:
        return square
    for column in range(numbers.shape[1]):
        gap = numbers[row, column] - other_numbers[other, column]
        square += weights[column] * (gap * gap)
        if square > most:
            return square
    return square
