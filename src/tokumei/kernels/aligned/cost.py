"""What it costs to put rows of several customers into one group, without looping over the rows.

Rows that share a *slot* are summed up by three arrays: `spans[column, :, slot]` holds
minimum, maximum, sum and sum of squares of day, price and quantity, `kinds[slot, :count[slot]]`
the distinct items. The contest's error of a whole group follows from these in closed form, for
an interval [a, b] and k rows x: sum of (a-x)^2 + (b-x)^2 = k(a^2 + b^2) - 2(a+b) sum x + 2 sum x^2.
A column whose errors sum to more than k is given up and costs k.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.compiled import compiled

COLUMNS = 4
Slots = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Spans, kinds and count, as `load` makes them."""
LOW, HIGH, SUM, SQUARES = range(4)


@compiled
def load(
    members: np.ndarray,
    start: np.ndarray,
    slot: np.ndarray,
    first: int,
    slots: int,
    values: np.ndarray,
    items: np.ndarray,
) -> Slots:
    """Sum up the rows that the members have in the slots first, first + 1, ..."""
    spans = np.empty((3, 4, slots))
    spans[:, LOW] = np.inf
    spans[:, HIGH] = -np.inf
    spans[:, SUM:] = 0.0
    kinds = np.empty((slots, members.size), np.int32)
    count = np.zeros(slots, np.int32)
    for member in members:
        for row in range(start[member], start[member + 1]):
            s = slot[row] - first
            if 0 <= s < slots:
                _add(spans, s, values, row)
                count[s] = _with_item(kinds[s], count[s], items[row])
    return spans, kinds, count


@compiled
def load_rows(rows: np.ndarray, values: np.ndarray, items: np.ndarray) -> Slots:
    """Every row in a slot of its own."""
    spans = np.empty((3, 4, rows.size))
    kinds = np.empty((rows.size, 1), np.int32)
    for s in range(rows.size):
        kinds[s, 0] = items[rows[s]]
        for column in range(3):
            x = values[column, rows[s]]
            spans[column, LOW, s] = x
            spans[column, HIGH, s] = x
            spans[column, SUM, s] = x
            spans[column, SQUARES, s] = x * x
    return spans, kinds, np.ones(rows.size, np.int32)


@compiled
def _add(spans: np.ndarray, s: int, values: np.ndarray, row: int) -> None:
    for column in range(3):
        x = values[column, row]
        spans[column, LOW, s] = min(spans[column, LOW, s], x)
        spans[column, HIGH, s] = max(spans[column, HIGH, s], x)
        spans[column, SUM, s] += x
        spans[column, SQUARES, s] += x * x


@compiled
def _with_item(kinds: np.ndarray, count: int, item: int) -> int:
    for n in range(count):
        if kinds[n] == item:
            return count
    kinds[count] = item
    return count + 1


@compiled
def slot_costs(spans: np.ndarray, count: np.ndarray, size: int, weights: np.ndarray) -> np.ndarray:
    """The cost of each slot that holds `size` rows."""
    total = np.empty(count.size)
    for s in range(count.size):
        total[s] = size - size / count[s]
        for column in range(3):
            low, high = spans[column, LOW, s], spans[column, HIGH, s]
            width = high - low
            numerator = size * (low * low + high * high + width) + 2.0 * (
                spans[column, SQUARES, s] - (low + high) * spans[column, SUM, s]
            )
            error = numerator * weights[column] / (width + 1.0)
            total[s] += error if error < size else size
    return total


@compiled
def joint_costs(
    spans: np.ndarray,
    kinds: np.ndarray,
    count: np.ndarray,
    other_spans: np.ndarray,
    other_kinds: np.ndarray,
    other_count: np.ndarray,
    size: int,
    weights: np.ndarray,
    head: np.ndarray,
) -> np.ndarray:
    """The cost of joining each slot with each other slot; together they hold `size` rows.

    `head` is a scratch array with one entry per item, all -1, and is left so.
    """
    slots, others = count.size, other_count.size
    cost = np.empty((slots, others))
    share = np.empty(kinds.shape[1] + other_kinds.shape[1] + 1)
    for d in range(share.size):
        share[d] = size / max(d, 1)
    follow = _index(other_kinds, other_count, head)
    distinct = np.empty(others, np.int32)
    width_of_kinds = other_kinds.shape[1]
    for s in range(slots):
        line = cost[s]
        _numeric(line, spans, s, other_spans, float(size), weights)
        for t in range(others):
            distinct[t] = count[s] + other_count[t]
            line[t] += size - share[distinct[t]]
        for n in range(count[s]):
            entry = head[kinds[s, n]]
            while entry >= 0:
                t = entry // width_of_kinds
                line[t] += share[distinct[t]] - share[distinct[t] - 1]
                distinct[t] -= 1
                entry = follow[entry]
    for t in range(others):
        for n in range(other_count[t]):
            head[other_kinds[t, n]] = -1
    return cost


@compiled
def _index(kinds: np.ndarray, count: np.ndarray, head: np.ndarray) -> np.ndarray:
    """Chains of the places where each item occurs, starting at `head[item]`."""
    width = kinds.shape[1]
    follow = np.empty(count.size * width, np.int32)
    for t in range(count.size):
        for n in range(count[t]):
            follow[t * width + n] = head[kinds[t, n]]
            head[kinds[t, n]] = t * width + n
    return follow


@compiled
def _numeric(
    line: np.ndarray,
    spans: np.ndarray,
    s: int,
    other_spans: np.ndarray,
    size: float,
    weights: np.ndarray,
) -> None:
    """The summed errors of day, price and quantity of slot s joined with each other slot."""
    line[:] = 0.0
    for column in range(3):
        low, high = spans[column, LOW, s], spans[column, HIGH, s]
        total, squares = spans[column, SUM, s], spans[column, SQUARES, s]
        lows, highs = other_spans[column, LOW], other_spans[column, HIGH]
        totals, square_sums = other_spans[column, SUM], other_spans[column, SQUARES]
        weight = weights[column]
        for t in range(line.size):
            a = low if low < lows[t] else lows[t]
            b = high if high > highs[t] else highs[t]
            width = b - a
            numerator = size * (a * a + b * b + width) + 2.0 * (
                squares + square_sums[t] - (a + b) * (total + totals[t])
            )
            error = numerator * weight / (width + 1.0)
            line[t] += error if error < size else size
