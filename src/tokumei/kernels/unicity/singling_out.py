"""Whom a few points single out."""

from __future__ import annotations

import cython
from cython import longlong as whole
from cython import uchar as byte


def single_out(
    people: whole[::1],
    drawn: whole[:, ::1],
    starts: whole[::1],
    points: whole[::1],
    holder_starts: whole[::1],
    holders: whole[::1],
    alone: byte[::1],
) -> None:
    """Ask the holders of the rarest point, one by one, until one has all the others too."""
    with cython.nogil:
        for line in range(people.shape[0]):
            rarest: whole = drawn[line, 0]
            for column in range(drawn.shape[1]):
                point = drawn[line, column]
                held = holder_starts[point + 1] - holder_starts[point]
                if held < holder_starts[rarest + 1] - holder_starts[rarest]:
                    rarest = point
            alone[line] = True
            for place in range(holder_starts[rarest], holder_starts[rarest + 1]):
                other = holders[place]
                if other != people[line] and _has_all(drawn, line, starts, points, other):
                    alone[line] = False
                    break


@cython.cfunc
def _has_all(
    drawn: whole[:, ::1], line: whole, starts: whole[::1], points: whole[::1], person: whole
) -> cython.bint:
    """Whether a person has all points of a line."""
    for column in range(drawn.shape[1]):
        low: whole = starts[person]
        high: whole = starts[person + 1]
        while low < high:
            middle = (low + high) >> 1
            if points[middle] < drawn[line, column]:
                low = middle + 1
            else:
                high = middle
        if low == starts[person + 1] or points[low] != drawn[line, column]:
            return False
    return True
