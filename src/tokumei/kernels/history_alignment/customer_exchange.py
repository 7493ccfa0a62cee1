"""Exchanging customers between clusters: what it would cost, and doing it.

The rest of a cluster keeps its alignment; only the newcomer's rows are assigned, so one trial
is one assignment per cluster.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole

from tokumei.kernels.history_alignment.group_cost import COLUMNS, load_slots
from tokumei.kernels.history_alignment.row_alignment import (
    copy_other_members,
    extend_slots,
    fewest_member_rows,
    load_history,
    pair_slots,
    renumber_slots,
    require_order,
    row_count,
)
from tokumei.kernels.history_alignment.workspace import Workspace, customer_row_count


def exchange_costs(
    r: Workspace,
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
    r: Workspace,
    members: whole[::1],
    leaver: whole,
    newcomer: whole,
    slot: small[::1],
    slots: whole,
    steps: whole,
    tried: small[::1],
) -> real:
    """The cluster's cost if the newcomer took the leaver's place."""
    rest = copy_other_members(r, members, _member_place(members, leaver))
    size = members.shape[0]
    if fewest_member_rows(r, r.rest, rest) > slots:
        for i in range(rest):
            for row in range(r.start[r.rest[i]], r.start[r.rest[i] + 1]):
                tried[row] = slot[row]
        slots = extend_slots(r, r.rest, rest, tried, slots, steps)
        load_slots(r, r.left, r.rest, rest, tried, 0, slots)
    else:
        load_slots(r, r.left, r.rest, rest, slot, 0, slots)
    load_history(r, r.right, newcomer)
    total = pair_slots(r, size, steps)
    rows = row_count(r, r.rest, rest) + customer_row_count(r, newcomer)
    return total + COLUMNS * (rows - size * r.rows)


@cython.cfunc
def _member_place(members: whole[::1], customer: whole) -> whole:
    """Where a customer stands among the members."""
    place: whole = 0
    while place < members.shape[0] - 1 and members[place] != customer:
        place += 1
    return place


def replace(
    r: Workspace,
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
    place = _member_place(members, leaver)
    rest = copy_other_members(r, members, place)
    require_order(r, r.rest, rest, slot, slots)
    with cython.nogil:
        members[place] = newcomer
        if fewest_member_rows(r, r.rest, rest) > slots:
            slots = extend_slots(r, r.rest, rest, slot, slots, steps)
        load_slots(r, r.left, r.rest, rest, slot, 0, slots)
        load_history(r, r.right, newcomer)
        pair_slots(r, members.shape[0], steps)
        for s in range(slots):
            r.number[s] = -1
        for i in range(r.rows):
            if r.swapped:
                r.number[r.chosen[i]] = i
                slot[r.start[newcomer] + i] = i
            else:
                r.number[i] = i
                slot[r.start[newcomer] + r.chosen[i]] = i
        renumber_slots(r, r.rest, rest, slot)
    return r.rows
