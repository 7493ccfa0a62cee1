"""What aligning works on: purchases, two sides of slots to be paired, and room for costs."""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class SlotSums:
    """Rows that share a *slot*, summed up.

    `spans[column, :, slot]` holds minimum, maximum, sum and sum of squares of day, price and
    quantity, `kinds[slot, :count[slot]]` the distinct items; at most `width` of them.
    """

    spans: real[:, :, ::1]
    kinds: small[:, ::1]
    count: small[::1]
    slots: whole = 0
    width: whole = 0


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Workspace:
    """Rows of customer c are `start[c]:start[c + 1]` of values and items; the rest is room.

    `cost` is a matrix of slots × other slots, line by line.
    """

    start: whole[::1]
    values: real[:, ::1]
    items: small[::1]
    weights: real[::1]
    head: whole[::1]
    left: SlotSums
    right: SlotSums
    cost: real[::1]
    share: real[::1]
    price: real[::1]
    distance: real[::1]
    taken: real[::1]
    open_price: real[::1]
    reached: real[::1]
    follow: small[::1]
    distinct: small[::1]
    row_of_column: small[::1]
    before: small[::1]
    closed: small[::1]
    waiting: small[::1]
    chosen: small[::1]
    number: small[::1]
    free: whole[::1]
    rest: whole[::1]
    order: whole[::1]
    nearest: real = 0.0
    nearest_free: real = 0.0
    rows: whole = 0
    swapped: cython.bint = False


@cython.cfunc
def customer_row_count(r: Workspace, customer: whole) -> whole:
    """How many rows a customer has."""
    return r.start[customer + 1] - r.start[customer]
