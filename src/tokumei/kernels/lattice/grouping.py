"""The classes of tuples at a node of a lattice: a number per tuple, and a table of numbers met."""

from __future__ import annotations

import cython
from cython import longlong as whole


def group_tuples(
    codes: cython.int[:, ::1],
    tuples: cython.int[::1],
    counts: whole[::1],
    columns: whole[::1],
    starts: whole[::1],
    weights: whole[::1],
    numbers: whole[::1],
    table: cython.int[::1],
    firsts: cython.int[::1],
    sizes: whole[::1],
) -> int:
    """How many classes there are; the first tuple and the rows of each, in order of the first.

    `weights[starts[i] + code]` is what a code of `columns[i]` adds to a tuple's number. `numbers`
    and `table` are room: a number per tuple, and the classes by their number's place (a power of
    two, more than there are tuples).
    """
    found: whole = 0
    with cython.nogil:
        _number_tuples(codes, tuples, columns, starts, weights, numbers)
        table[:] = -1
        last: whole = table.shape[0] - 1
        for i in range(tuples.shape[0]):
            number: whole = numbers[i]
            place: whole = (number ^ (number >> 15) ^ (number >> 31)) & last
            one: cython.int = table[place]
            while one >= 0 and numbers[one] != number:
                place = (place + 1) & last
                one = table[place]
            if one < 0:
                # What comes later never needs the numbers before it, but for those of classes.
                one = cython.cast(cython.int, found)
                table[place] = one
                numbers[one] = number
                firsts[one] = tuples[i]
                sizes[one] = counts[i]
                found += 1
            else:
                sizes[one] += counts[i]
    return found


@cython.cfunc
def _number_tuples(
    codes: cython.int[:, ::1],
    tuples: cython.int[::1],
    columns: whole[::1],
    starts: whole[::1],
    weights: whole[::1],
    numbers: whole[::1],
) -> cython.void:
    """A number per tuple, equal where the generalized tuples are."""
    for i in range(tuples.shape[0]):
        numbers[i] = 0
    for c in range(columns.shape[0]):
        column: whole = columns[c]
        start: whole = starts[c]
        if tuples.shape[0] == codes.shape[1]:
            for i in range(tuples.shape[0]):
                numbers[i] += weights[start + codes[column, i]]
        else:
            for i in range(tuples.shape[0]):
                numbers[i] += weights[start + codes[column, tuples[i]]]
