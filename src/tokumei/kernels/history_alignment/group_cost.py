"""What it costs to put rows of several customers into one group, without looping over the rows.

The contest's error of a whole group follows from the sums of its slots in closed form, for an
interval [a, b] and k rows x: sum of (a-x)^2 + (b-x)^2 = k(a^2 + b^2) - 2(a+b) sum x + 2 sum x^2.
A column whose errors sum to more than k is given up and costs k.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.history_alignment.assignment import FAR
from tokumei.kernels.history_alignment.workspace import SlotSums, Workspace

COLUMNS = cython.declare(whole, 4)
cython.declare(LOW=whole, HIGH=whole, SUM=whole, SQUARES=whole)
LOW, HIGH, SUM, SQUARES = range(4)


@cython.cfunc
def load_slots(
    r: Workspace,
    side: SlotSums,
    members: whole[::1],
    n: whole,
    slot: small[::1],
    first: whole,
    slots: whole,
) -> cython.void:
    """Sum up the rows that the first n members have in the slots first, first + 1, ..."""
    side.slots, side.width = slots, n
    for column in range(3):
        for s in range(slots):
            side.spans[column, LOW, s] = FAR
            side.spans[column, HIGH, s] = -FAR
            side.spans[column, SUM, s] = 0.0
            side.spans[column, SQUARES, s] = 0.0
    for s in range(slots):
        side.count[s] = 0
    for i in range(n):
        for row in range(r.start[members[i]], r.start[members[i] + 1]):
            at: whole = slot[row] - first
            if 0 <= at < slots:
                _add_row(r, side, at, row)


@cython.cfunc
def _add_row(r: Workspace, side: SlotSums, s: whole, row: whole) -> cython.void:
    for column in range(3):
        x = r.values[column, row]
        side.spans[column, LOW, s] = min(side.spans[column, LOW, s], x)
        side.spans[column, HIGH, s] = max(side.spans[column, HIGH, s], x)
        side.spans[column, SUM, s] += x
        side.spans[column, SQUARES, s] += x * x
    for n in range(side.count[s]):
        if side.kinds[s, n] == r.items[row]:
            return
    side.kinds[s, side.count[s]] = r.items[row]
    side.count[s] += 1


@cython.cfunc
def load_row(r: Workspace, side: SlotSums, s: whole, row: whole) -> cython.void:
    """One row in a slot of its own."""
    side.kinds[s, 0] = r.items[row]
    side.count[s] = 1
    for column in range(3):
        x = r.values[column, row]
        side.spans[column, LOW, s] = x
        side.spans[column, HIGH, s] = x
        side.spans[column, SUM, s] = x
        side.spans[column, SQUARES, s] = x * x


@cython.cfunc
def slot_costs(r: Workspace, side: SlotSums, size: whole) -> real:
    """The cost of all slots together, each of which holds `size` rows."""
    in_all: real = 0.0
    for s in range(side.slots):
        total: real = size - float(size) / side.count[s]
        for column in range(3):
            low, high = side.spans[column, LOW, s], side.spans[column, HIGH, s]
            width = high - low
            numerator = size * (low * low + high * high + width) + 2.0 * (
                side.spans[column, SQUARES, s] - (low + high) * side.spans[column, SUM, s]
            )
            error = numerator * r.weights[column] / (width + 1.0)
            total += error if error < size else size
        in_all += total
    return in_all


@cython.cfunc
def joint_costs(r: Workspace, one: SlotSums, other: SlotSums, size: whole) -> cython.void:
    """The cost of joining each slot with each other slot; together they hold `size` rows.

    `head` has one entry per item, all -1, and is left so.
    """
    others = other.slots
    for d in range(one.width + other.width + 1):
        r.share[d] = float(size) / max(d, 1)
    _index_items(r, other)
    for s in range(one.slots):
        line = s * others
        _add_numeric_costs(r, one, s, other, size)
        for t in range(others):
            r.distinct[t] = one.count[s] + other.count[t]
            r.cost[line + t] += size - r.share[r.distinct[t]]
        for n in range(one.count[s]):
            _discount_shared_item(r, line, one.kinds[s, n], other.width)
    for t in range(others):
        for n in range(other.count[t]):
            r.head[other.kinds[t, n]] = -1


@cython.cfunc
def _discount_shared_item(r: Workspace, line: whole, item: small, width: whole) -> cython.void:
    """Where the other slot has the item too, there is one distinct item less."""
    entry: whole = r.head[item]
    while entry >= 0:
        t: whole = entry // width
        r.cost[line + t] += r.share[r.distinct[t]] - r.share[r.distinct[t] - 1]
        r.distinct[t] -= 1
        entry = r.follow[entry]


@cython.cfunc
def _index_items(r: Workspace, side: SlotSums) -> cython.void:
    """Chains of the places where each item occurs, starting at `head[item]`."""
    for t in range(side.slots):
        for n in range(side.count[t]):
            place = t * side.width + n
            r.follow[place] = r.head[side.kinds[t, n]]
            r.head[side.kinds[t, n]] = place


@cython.cfunc
def _add_numeric_costs(
    r: Workspace, one: SlotSums, s: whole, other: SlotSums, rows: whole
) -> cython.void:
    """The summed errors of day, price and quantity of slot s joined with each other slot."""
    size: real = rows
    line = s * other.slots
    for column in range(3):
        low, high = one.spans[column, LOW, s], one.spans[column, HIGH, s]
        total, squares = one.spans[column, SUM, s], one.spans[column, SQUARES, s]
        weight = r.weights[column]
        for t in range(other.slots):
            a = min(low, other.spans[column, LOW, t])
            b = max(high, other.spans[column, HIGH, t])
            width = b - a
            numerator = size * (a * a + b * b + width) + 2.0 * (
                squares
                + other.spans[column, SQUARES, t]
                - (a + b) * (total + other.spans[column, SUM, t])
            )
            error = min(numerator * weight / (width + 1.0), size)
            r.cost[line + t] = error if column == 0 else r.cost[line + t] + error
