"""Exchanging customers between clusters: what it would cost, and doing it.

The rest of a cluster keeps its alignment; only the newcomer's rows are assigned, so one trial
is one assignment per cluster.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.aligned.cost import COLUMNS, load
from tokumei.kernels.aligned.room import Room, length
from tokumei.kernels.aligned.rows import (
    extend,
    history,
    join,
    leave_out,
    renumber,
    require_order,
    row_count,
    shortest,
)


def exchange_costs(
    r: Room,
    members: whole[:, ::1],
    exchanges: whole[:, ::1],
    slot: small[::1],
    slots: whole[::1],
    steps: whole,
    tried: small[::1],
    costs: real[:, ::1],
) -> None:
    """What both clusters would cost after each exchange (customer, other, cluster, cluster).

    A cluster number past the last means the dropped customers; these cost nothing here. `tried` is
    room for slots of rows.
    """
    for n in range(exchanges.shape[0]):
        for side in range(2):
            if exchanges[n, 2 + side] < members.shape[0]:
                g = exchanges[n, 2 + side]
                require_order(r, members[g], members.shape[1], slot, slots[g])
    with cython.nogil:
        for n in range(exchanges.shape[0]):
            for side in range(2):
                g = exchanges[n, 2 + side]
                if g < members.shape[0]:
                    leaver, newcomer = exchanges[n, side], exchanges[n, 1 - side]
                    costs[n, side] = _replacement_cost(
                        r, members[g], leaver, newcomer, slot, slots[g], steps, tried
                    )


@cython.cfunc
def _replacement_cost(
    r: Room,
    members: whole[::1],
    leaver: whole,
    newcomer: whole,
    slot: small[::1],
    slots: whole,
    steps: whole,
    tried: small[::1],
) -> real:
    """The cluster's cost if the newcomer took the leaver's place."""
    rest = leave_out(r, members, _place(members, leaver))
    size = members.shape[0]
    if shortest(r, r.rest, rest) > slots:
        for i in range(rest):
            for row in range(r.start[r.rest[i]], r.start[r.rest[i] + 1]):
                tried[row] = slot[row]
        slots = extend(r, r.rest, rest, tried, slots, steps)
        load(r, r.left, r.rest, rest, tried, 0, slots)
    else:
        load(r, r.left, r.rest, rest, slot, 0, slots)
    history(r, r.right, newcomer)
    total = join(r, size, steps)
    rows = row_count(r, r.rest, rest) + length(r, newcomer)
    return total + COLUMNS * (rows - size * r.rows)


@cython.cfunc
def _place(members: whole[::1], customer: whole) -> whole:
    """Where a customer stands among the members."""
    place: whole = 0
    while place < members.shape[0] - 1 and members[place] != customer:
        place += 1
    return place


def replace(
    r: Room,
    members: whole[::1],
    leaver: whole,
    newcomer: whole,
    slot: small[::1],
    slots: whole,
    steps: whole,
) -> int:
    """Let the newcomer take the leaver's place; the new number of slots.

    The rows of both must be in no slot: another cluster may be taking the leaver in meanwhile.
    """
    place = _place(members, leaver)
    rest = leave_out(r, members, place)
    require_order(r, r.rest, rest, slot, slots)
    with cython.nogil:
        members[place] = newcomer
        if shortest(r, r.rest, rest) > slots:
            slots = extend(r, r.rest, rest, slot, slots, steps)
        load(r, r.left, r.rest, rest, slot, 0, slots)
        history(r, r.right, newcomer)
        join(r, members.shape[0], steps)
        for s in range(slots):
            r.number[s] = -1
        for i in range(r.rows):
            if r.swapped:
                r.number[r.chosen[i]] = i
                slot[r.start[newcomer] + i] = i
            else:
                r.number[i] = i
                slot[r.start[newcomer] + r.chosen[i]] = i
        renumber(r, r.rest, rest, slot)
    return r.rows
