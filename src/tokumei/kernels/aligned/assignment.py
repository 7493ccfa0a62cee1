"""The cheapest one-to-one assignment of all rows of a cost matrix to some of its columns.

    column_of_row = np.empty(len(cost), np.int32)
    total = assign(cost, column_of_row, EXACT)          # needs rows <= columns

Shortest augmenting paths with dual prices (Jonker and Volgenant 1987): most rows find their
column by bidding; each of the rest is brought in along one cheapest path.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.compiled import compiled

FREE = -1
EXACT = 1 << 40
"""Steps enough for the optimum."""
TIE = 1e-9
FAR = 1e30


@compiled
def assign(cost: np.ndarray, column_of_row: np.ndarray, steps: int) -> float:
    """Fill `column_of_row` with the optimal columns and give the total cost.

    With few `steps` a path is not followed to its end: quicker, and a little above the optimum.
    """
    rows, columns = cost.shape
    price = np.zeros(columns, cost.dtype)
    row_of_column = np.full(columns, FREE, np.int32)
    column_of_row[:] = FREE
    _bid(cost, price, column_of_row, row_of_column)
    distance = np.empty(columns, cost.dtype)
    for row in range(rows):
        if column_of_row[row] == FREE:
            _augment(cost, row, price, distance, column_of_row, row_of_column, steps)
    total = 0.0
    for row in range(rows):
        total += cost[row, column_of_row[row]]
    return float(total)


@compiled
def least(numbers: np.ndarray) -> float:
    """The smallest of the numbers."""
    best = numbers[0]
    for j in range(numbers.size):
        best = numbers[j] if numbers[j] < best else best
    return float(best)


@compiled
def position(numbers: np.ndarray, wanted: float) -> int:
    """The first place of a number that is there."""
    j = 0
    while j < numbers.size - 1 and numbers[j] != wanted:
        j += 1
    return j


@compiled
def least_open(numbers: np.ndarray, penalty: np.ndarray) -> float:
    """The smallest sum of a number and its penalty."""
    best = numbers[0] + penalty[0]
    for j in range(numbers.size):
        total = numbers[j] + penalty[j]
        best = total if total < best else best
    return float(best)


@compiled
def position_open(numbers: np.ndarray, penalty: np.ndarray, wanted: float) -> int:
    """The first place of a sum that is there."""
    j = 0
    while j < numbers.size - 1 and numbers[j] + penalty[j] != wanted:
        j += 1
    return j


@compiled
def _bid(
    cost: np.ndarray, price: np.ndarray, column_of_row: np.ndarray, row_of_column: np.ndarray
) -> None:
    """Let every row bid for its best column, and rows that lost it once or twice again."""
    rows, columns = cost.shape
    if columns < 2:
        return
    net = np.empty(columns, cost.dtype)
    waiting = np.arange(rows)
    count = rows
    for _ in range(3):
        losers = 0
        for n in range(count):
            row = waiting[n]
            line = cost[row]
            for j in range(columns):
                net[j] = line[j] - price[j]
            first = least(net)
            best = position(net, first)
            net[best] = FAR
            second = least(net)
            owner = row_of_column[best]
            if owner != FREE and second <= first:
                best = position(net, second)
                owner = row_of_column[best]
            else:
                price[best] -= second - first
            if owner != FREE:
                column_of_row[owner] = FREE
                waiting[losers] = owner
                losers += 1
            row_of_column[best] = row
            column_of_row[row] = best
        count = losers


@compiled
def _augment(
    cost: np.ndarray,
    start: int,
    price: np.ndarray,
    distance: np.ndarray,
    column_of_row: np.ndarray,
    row_of_column: np.ndarray,
    steps: int,
) -> None:
    """Bring one free row in along the cheapest alternating path (Dijkstra on reduced costs)."""
    columns = price.size
    open_price = price.copy()
    before = np.full(columns, start, np.int32)
    line = cost[start]
    for j in range(columns):
        distance[j] = line[j] - price[j]
    taken = np.zeros(columns, cost.dtype)
    for j in range(columns):
        if row_of_column[j] != FREE:
            taken[j] = FAR
    closed = np.empty(columns, np.int32)
    reached = np.empty(columns, cost.dtype)
    count = 0
    nearest = least(distance)
    free = least_open(distance, taken)
    while free > nearest + TIE and count < steps:
        column = position(distance, nearest)
        owner = row_of_column[column]
        closed[count] = column
        reached[count] = nearest
        count += 1
        line = cost[owner]
        shift = line[column] - price[column] - nearest
        open_price[column] = -FAR
        distance[column] = FAR
        for j in range(columns):
            way = line[j] - open_price[j] - shift
            shorter = way < distance[j]
            distance[j] = way if shorter else distance[j]
            before[j] = owner if shorter else before[j]
        nearest = least(distance)
        free = least_open(distance, taken)
    for n in range(count):
        price[closed[n]] += min(reached[n] - free, 0.0)
    end = position_open(distance, taken, free)
    while True:
        row = before[end]
        row_of_column[end] = row
        following = column_of_row[row]
        column_of_row[row] = end
        if row == start:
            break
        end = following
