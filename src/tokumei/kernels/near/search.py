"""The nearest rows of a mixed table, and all rows within a reach, by plain comparison.

A distance is given up as soon as it is too large, so that most pairs cost a few columns only.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as code
from cython import longlong as whole


def nearest(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    weights: real[::1],
    begin: whole,
    end: whole,
    found: code[:, ::1],
    squares: real[:, ::1],
) -> None:
    """The nearest other rows of rows `begin` to `end`, nearest first, of equals the first ones."""
    most: whole = found.shape[1]
    others: whole = other_codes.shape[0]
    with cython.nogil:
        for row in range(begin, end):
            held: whole = 0
            worst: real = 1e300
            for other in range(others):
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


def within(
    codes: code[:, ::1],
    numbers: real[:, ::1],
    other_codes: code[:, ::1],
    other_numbers: real[:, ::1],
    weights: real[::1],
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
            for other in range(others):
                most = reach[other]
                square = _square(
                    codes, numbers, row, other_codes, other_numbers, other, weights, most
                )
                if square <= most:
                    squares[place] = square
                    found[place] = cython.cast(code, other)
                    place += 1
            row += 1
            first[row] = place
    return row


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
