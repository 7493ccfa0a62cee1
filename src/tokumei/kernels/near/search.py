"""The nearest rows of a mixed table, and all rows within a reach, by plain comparison.

Codes are first compared by their marks, one byte each and column after column: that takes many
rows at once. Codes of equal marks may differ, so that marks tell of too few differences, never of
too many; only rows that are near by their marks are looked at.
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
    marks: byte[:, ::1],
    other_marks: byte[:, ::1],
    unlike: byte[::1],
    begin: whole,
    end: whole,
    found: code[:, ::1],
    squares: real[:, ::1],
) -> None:
    """The nearest other rows of rows `begin` to `end`, nearest first, of equals the first ones.

    `unlike` is room for the rows of a strip.
    """
    most: whole = found.shape[1]
    others: whole = other_codes.shape[0]
    with cython.nogil:
        for row in range(begin, end):
            held: whole = 0
            worst: real = 1e300
            strip: whole = 0
            while strip < others:
                size: whole = min(STRIP, others - strip)
                _compare(marks, row, other_marks, strip, size, unlike)
                for step in range(size):
                    if unlike[step] >= worst:
                        continue
                    other = strip + step
                    square = _square(
                        codes, numbers, row, other_codes, other_numbers, other, weights, worst
                    )
                    if square >= worst:
                        continue
                    place: whole = held if held < most else most - 1
                    while place > 0 and squares[row, place - 1] > square:
                        squares[row, place] = squares[row, place - 1]
                        found[row, place] = found[row, place - 1]
                        place -= 1
                    squares[row, place] = square
                    found[row, place] = cython.cast(code, other)
                    if held < most:
                        held += 1
                    if held == most:
                        worst = squares[row, most - 1]
                strip += STRIP


def within(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    weights: real[::1],
    marks: byte[:, ::1],
    other_marks: byte[:, ::1],
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
                _compare(marks, row, other_marks, strip, size, unlike)
                for step in range(size):
                    other = strip + step
                    most = reach[other]
                    if unlike[step] > most:
                        continue
                    square = _square(
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
def _compare(
    marks: byte[:, ::1],
    row: whole,
    other_marks: byte[:, ::1],
    begin: whole,
    size: whole,
    unlike: byte[::1],
) -> cython.void:
    """How many marks of some other rows differ from a row's."""
    for step in range(size):
        unlike[step] = 0
    for column in range(marks.shape[1]):
        mark = marks[row, column]
        for step in range(size):
            unlike[step] += other_marks[column, begin + step] != mark


@cython.cfunc
def _square(
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
