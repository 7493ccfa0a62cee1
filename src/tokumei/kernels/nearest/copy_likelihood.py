"""How likely released rows are as copies of people: a sum over columns for every pair."""

from __future__ import annotations

import cython
from cython import float as single
from cython import int as code
from cython import longlong as whole

BLOCK = cython.declare(whole, 2048)
"""People at a time, so that their sums stay in the cache."""


def fill_copy_likelihoods(
    cells: code[:, ::1],
    gains: single[:, ::1],
    values: code[:, ::1],
    shown: single[:, ::1],
    told: single[:, ::1],
    own: single[:, ::1],
    logs: single[:, ::1],
) -> None:
    """For released rows and people the gains of equal codes, less the squared gaps of numbers.

    `values` and `own` have people along their second axis. `told` is 0 where a cell shows no
    number, and no gap counts.
    """
    people: whole = logs.shape[1]
    with cython.nogil:
        for row in range(logs.shape[0]):
            begin: whole = 0
            while begin < people:
                end: whole = min(begin + BLOCK, people)
                for person in range(begin, end):
                    logs[row, person] = 0
                for column in range(cells.shape[1]):
                    cell: code = cells[row, column]
                    gain: single = gains[row, column]
                    for person in range(begin, end):
                        logs[row, person] += gain if values[column, person] == cell else 0
                for axis in range(shown.shape[1]):
                    if told[row, axis] == 0:
                        continue
                    number: single = shown[row, axis]
                    for person in range(begin, end):
                        gap: single = number - own[axis, person]
                        logs[row, person] -= gap * gap
                begin = end
