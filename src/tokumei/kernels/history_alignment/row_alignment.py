"""Aligning the rows of the customers of one cluster.

The alignment is one array: `slot[row]` is the group of the row inside its cluster, or -1 if the
row is deleted. A cluster with `slots` groups uses the numbers 0 ... slots - 1, and every member
has exactly one row in each.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import int as small
from cython import longlong as whole
from cython import uint as word

from tokumei.kernels.history_alignment.assignment import solve_assignment
from tokumei.kernels.history_alignment.group_cost import (
    COLUMNS,
    joint_costs,
    load_row,
    load_slots,
    slot_costs,
)
from tokumei.kernels.history_alignment.workspace import SlotSums, Workspace, customer_row_count
from tokumei.kernels.mersenne_twister import draw_below, seed_state

LEAST_GAIN = cython.declare(real, 1e-9)


def align_cluster(
    r: Workspace, members: whole[::1], slot: small[::1], passes: whole, steps: whole
) -> tuple[int, float]:
    """Align a cluster none of whose rows is in a slot yet: (slots, cost)."""
    require_order(r, members, members.shape[0], slot, 0)
    with cython.nogil:
        slots = extend_slots(r, members, members.shape[0], slot, 0, steps)
        cost = realign_members(r, members, slot, slots, passes, steps)
    return slots, cost


def realign(
    r: Workspace, members: whole[::1], slot: small[::1], slots: whole, passes: whole, steps: whole
) -> float:
    """Align each member anew against the rest while that helps; the cluster's cost."""
    require_order(r, members, members.shape[0], slot, slots)
    with cython.nogil:
        cost = realign_members(r, members, slot, slots, passes, steps)
    return cost


def require_order(
    r: Workspace, members: whole[::1], n: whole, slot: small[::1], slots: whole
) -> None:
    """Raise ValueError if one of n members has two rows in one slot, or one beyond the last."""
    with cython.nogil:
        good = _slots_valid(r, members, n, slot, slots)
    if not good:
        raise ValueError("slot: not one row of each member in each slot")


@cython.cfunc
def _slots_valid(
    r: Workspace, members: whole[::1], n: whole, slot: small[::1], slots: whole
) -> cython.bint:
    if slots > fewest_member_rows(r, members, n):
        return False
    for s in range(slots):
        r.number[s] = -1
    for i in range(n):
        for row in range(r.start[members[i]], r.start[members[i] + 1]):
            at: whole = slot[row]
            if at >= slots or (at >= 0 and r.number[at] == i):
                return False
            if at >= 0:
                r.number[at] = i
    return True


@cython.cfunc
def load_history(r: Workspace, side: SlotSums, customer: whole) -> cython.void:
    """All rows of a customer, each in a slot of its own."""
    first = r.start[customer]
    side.slots, side.width = customer_row_count(r, customer), 1
    for s in range(side.slots):
        load_row(r, side, s, first + s)


@cython.cfunc
def pair_slots(r: Workspace, size: whole, steps: whole) -> real:
    """Pair the slots of both sides as cheaply as possible; the cost.

    Pair i of the `rows` there are is slot `chosen[i]` of the right side and i of the left one, or
    the other way round if the sides are `swapped`.
    """
    r.swapped = r.left.slots > r.right.slots
    if r.swapped:
        joint_costs(r, r.right, r.left, size)
        r.rows = r.right.slots
        return solve_assignment(r, r.rows, r.left.slots, steps)
    joint_costs(r, r.left, r.right, size)
    r.rows = r.left.slots
    return solve_assignment(r, r.rows, r.right.slots, steps)


@cython.cfunc
def row_count(r: Workspace, members: whole[::1], n: whole) -> whole:
    """All rows of the first n members together."""
    total: whole = 0
    for i in range(n):
        total += customer_row_count(r, members[i])
    return total


@cython.cfunc
def fewest_member_rows(r: Workspace, members: whole[::1], n: whole) -> whole:
    """The smallest number of rows one of the first n members has."""
    least_rows: whole = customer_row_count(r, members[0])
    for i in range(n):
        least_rows = min(least_rows, customer_row_count(r, members[i]))
    return least_rows


@cython.cfunc
def copy_other_members(r: Workspace, members: whole[::1], place: whole) -> whole:
    """Put all members but one into `rest`; how many they are."""
    n: whole = 0
    for i in range(members.shape[0]):
        if i != place:
            r.rest[n] = members[i]
            n += 1
    return n


@cython.cfunc
def extend_slots(
    r: Workspace, members: whole[::1], n: whole, slot: small[::1], slots: whole, steps: whole
) -> whole:
    """Open slots from unused rows until the shortest history is used up; the number of slots.

    The shortest member opens them; the others join by growing length.
    """
    target = fewest_member_rows(r, members, n)
    _sort_by_length(r, members, n)
    for i in range(_list_free_rows(r, r.order[0], slot)):
        slot[r.free[i]] = slots + i
    for member in range(1, n):
        load_slots(r, r.left, r.order, member, slot, slots, target - slots)
        r.right.slots, r.right.width = _list_free_rows(r, r.order[member], slot), 1
        for i in range(r.right.slots):
            load_row(r, r.right, i, r.free[i])
        pair_slots(r, member + 1, steps)
        for i in range(r.rows):
            if r.swapped:
                slot[r.free[i]] = slots + r.chosen[i]
            else:
                slot[r.free[r.chosen[i]]] = slots + i
    return target


@cython.cfunc
def _sort_by_length(r: Workspace, members: whole[::1], n: whole) -> cython.void:
    """The members by growing length, equally long ones as they stand, into `order`."""
    for i in range(n):
        member = members[i]
        at: whole = i
        while at > 0 and customer_row_count(r, r.order[at - 1]) > customer_row_count(r, member):
            r.order[at] = r.order[at - 1]
            at -= 1
        r.order[at] = member


@cython.cfunc
def _list_free_rows(r: Workspace, member: whole, slot: small[::1]) -> whole:
    """Put the rows of a member that are in no slot into `free`; how many they are."""
    n: whole = 0
    for row in range(r.start[member], r.start[member + 1]):
        if slot[row] < 0:
            r.free[n] = row
            n += 1
    return n


@cython.cfunc
def realign_members(
    r: Workspace, members: whole[::1], slot: small[::1], slots: whole, passes: whole, steps: whole
) -> real:
    """Align each member anew against the rest while that helps; the cluster's cost."""
    size = members.shape[0]
    better: cython.bint = size > 1
    for _ in range(passes):
        if not better:
            break
        better = False
        for place in range(size):
            if _realign_member(r, members, place, slot, slots, steps):
                better = True
    load_slots(r, r.left, members, size, slot, 0, slots)
    deleted = row_count(r, members, size) - size * slots
    return slot_costs(r, r.left, size) + COLUMNS * deleted


@cython.cfunc
def _realign_member(
    r: Workspace, members: whole[::1], place: whole, slot: small[::1], slots: whole, steps: whole
) -> cython.bint:
    """Choose the rows of one member anew; whether that helped."""
    rest = copy_other_members(r, members, place)
    load_slots(r, r.left, r.rest, rest, slot, 0, slots)
    load_history(r, r.right, members[place])
    joint_costs(r, r.left, r.right, members.shape[0])
    first, end = r.start[members[place]], r.start[members[place] + 1]
    now: real = 0.0
    for row in range(first, end):
        if slot[row] >= 0:
            now += r.cost[slot[row] * (end - first) + row - first]
    if solve_assignment(r, slots, end - first, steps) >= now - LEAST_GAIN:
        return False
    for row in range(first, end):
        slot[row] = -1
    for s in range(slots):
        slot[first + r.chosen[s]] = s
    return True


def reshuffle(
    r: Workspace,
    members: whole[::1],
    slot: small[::1],
    slots: whole,
    rounds: whole,
    steps: whole,
    seed: cython.ulonglong,
    twister: word[::1],
) -> None:
    """Split the members in two at random and pair the slots of both parts anew, several times."""
    require_order(r, members, members.shape[0], slot, slots)
    with cython.nogil:
        seed_state(twister, seed)
        for _ in range(rounds):
            _reshuffle_once(r, members, slot, slots, steps, twister)


@cython.cfunc
def _reshuffle_once(
    r: Workspace,
    members: whole[::1],
    slot: small[::1],
    slots: whole,
    steps: whole,
    twister: word[::1],
) -> cython.void:
    size = members.shape[0]
    _shuffle_members(r, members, twister)
    part = 1 + draw_below(twister, size // 2)
    load_slots(r, r.left, r.order, part, slot, 0, slots)
    for i in range(part, size):
        r.rest[i - part] = r.order[i]
    load_slots(r, r.right, r.rest, size - part, slot, 0, slots)
    joint_costs(r, r.left, r.right, size)
    now: real = 0.0
    for s in range(slots):
        now += r.cost[s * slots + s]
    if solve_assignment(r, slots, slots, steps) < now - LEAST_GAIN:
        for s in range(slots):
            r.number[s] = r.chosen[s]
        renumber_slots(r, r.order, part, slot)


@cython.cfunc
def _shuffle_members(r: Workspace, members: whole[::1], twister: word[::1]) -> cython.void:
    """The members in random order, into `order`."""
    for i in range(members.shape[0]):
        r.order[i] = members[i]
    for i in range(members.shape[0] - 1, 0, -1):
        j = draw_below(twister, i + 1)
        r.order[i], r.order[j] = r.order[j], r.order[i]


@cython.cfunc
def renumber_slots(r: Workspace, members: whole[::1], n: whole, slot: small[::1]) -> cython.void:
    """Give the slots of the first n members' rows new numbers (-1: the row is deleted)."""
    for i in range(n):
        for row in range(r.start[members[i]], r.start[members[i] + 1]):
            if slot[row] >= 0:
                slot[row] = r.number[slot[row]]
