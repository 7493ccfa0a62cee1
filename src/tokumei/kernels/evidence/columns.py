"""Known against public values of one column of a month (compiled).

weights = column_table(columns[PRICE], shares)       # distinct known × distinct public values
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled

PRICE, USUAL_PRICE, QUANTITY, DAY, TIME = range(5)
"""The columns, in order. A public row's usual price is the median of its item's."""


class Column(NamedTuple):
    """One column of one month: distinct values in ascending order, and every row's place there."""

    known: np.ndarray
    known_place: np.ndarray
    public: np.ndarray
    public_place: np.ndarray
    rarity: np.ndarray  # public values × bins: 1 / share of the known rows in the bin
    edges: np.ndarray


@compiled
def column_table(column: Column, shares: np.ndarray) -> np.ndarray:
    """The weight of every distinct known value against every distinct public one."""
    edges = column.edges
    table = np.empty((len(column.known), len(column.public)), np.float32)
    for i in range(len(column.known)):
        place = len(edges)
        for j in range(len(column.public)):
            while place > 0 and edges[place - 1] > column.known[i] - column.public[j]:
                place -= 1
            table[i, j] = shares[place] * column.rarity[j, place]
    return table


@compiled
def bin_of(edges: np.ndarray, difference: float) -> int:
    """The bin of a difference: how many edges are not above it."""
    low, high = 0, len(edges)
    while low < high:
        middle = (low + high) >> 1
        if edges[middle] <= difference:
            low = middle + 1
        else:
            high = middle
    return low
