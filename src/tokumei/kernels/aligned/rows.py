"""Aligning the rows of the customers of one cluster.

    slots, cost = build(table, members, slot, passes=2, steps=20)

The alignment is one array: `slot[row]` is the group of the row inside its cluster, or -1 if the
row is deleted. A cluster with `slots` groups uses the numbers 0 ... slots - 1, and every member
has exactly one row in each.
"""
# Compiled code has no other random numbers than these; each thread has its own state.
# ruff: noqa: NPY002

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tokumei.kernels.aligned.assignment import assign
from tokumei.kernels.aligned.cost import (
    COLUMNS,
    Slots,
    joint_costs,
    load,
    load_rows,
    slot_costs,
)
from tokumei.kernels.aligned.purchases import Purchases
from tokumei.kernels.compiled import compiled

LEAST_GAIN = 1e-9


class Table(NamedTuple):
    """What the compiled functions need of the purchases."""

    start: np.ndarray
    values: np.ndarray
    items: np.ndarray
    weights: np.ndarray
    kinds: int

    @classmethod
    def of(cls, purchases: Purchases) -> Table:
        """The arrays of the purchases."""
        items = purchases.items
        kinds = int(items.max(initial=-1)) + 1
        start = purchases.start.astype(np.int64)
        return cls(start, purchases.values, items, purchases.weights, kinds)


@compiled
def scratch(table: Table) -> np.ndarray:
    """The empty item index that `joint_costs` wants."""
    return np.full(table.kinds, -1, np.int64)


@compiled
def held(table: Table, members: np.ndarray, slot: np.ndarray, first: int, slots: int) -> Slots:
    """The members' rows in the slots first, first + 1, ..., summed up."""
    return load(members, table.start, slot, first, slots, table.values, table.items)


@compiled
def history(table: Table, customer: int) -> Slots:
    """All rows of a customer, each in a slot of its own."""
    rows = np.arange(table.start[customer], table.start[customer + 1])
    return load_rows(rows, table.values, table.items)


@compiled
def join(
    left: Slots, right: Slots, size: int, table: Table, steps: int
) -> tuple[float, np.ndarray, np.ndarray]:
    """Pair the slots of both sides as cheaply as possible: (cost, left slots, right slots)."""
    head = scratch(table)
    if left[2].size <= right[2].size:
        cost = joint_costs(*left, *right, size, table.weights, head)
        chosen = np.empty(left[2].size, np.int32)
        total = assign(cost, chosen, steps)
        return total, np.arange(chosen.size).astype(np.int32), chosen
    cost = joint_costs(*right, *left, size, table.weights, head)
    chosen = np.empty(right[2].size, np.int32)
    total = assign(cost, chosen, steps)
    return total, chosen, np.arange(chosen.size).astype(np.int32)


@compiled
def cluster_cost(table: Table, members: np.ndarray, slot: np.ndarray, slots: int) -> float:
    """The cost of the whole cluster: its groups and its deleted rows."""
    spans, _, count = held(table, members, slot, 0, slots)
    total = 0.0
    for cost in slot_costs(spans, count, members.size, table.weights):
        total += cost
    return total + COLUMNS * (row_count(table, members) - members.size * slots)


@compiled
def row_count(table: Table, members: np.ndarray) -> int:
    """All rows of the members together."""
    total = 0
    for member in members:
        total += table.start[member + 1] - table.start[member]
    return total


@compiled
def shortest(table: Table, members: np.ndarray) -> int:
    """The smallest number of rows a member has."""
    least = table.start[members[0] + 1] - table.start[members[0]]
    for member in members:
        least = min(least, table.start[member + 1] - table.start[member])
    return int(least)


@compiled
def without(members: np.ndarray, place: int) -> np.ndarray:
    """All members but one."""
    rest = np.empty(members.size - 1, members.dtype)
    rest[:place] = members[:place]
    rest[place:] = members[place + 1 :]
    return rest


@compiled
def extend(table: Table, members: np.ndarray, slot: np.ndarray, slots: int, steps: int) -> int:
    """Open slots from unused rows until the shortest history is used up; the number of slots.

    The shortest member opens them; the others join by growing length.
    """
    target = shortest(table, members)
    lengths = table.start[members + 1] - table.start[members]
    order = members[np.argsort(lengths, kind="mergesort")]
    opening = _free_rows(table, order[0], slot)
    for n in range(opening.size):
        slot[opening[n]] = slots + n
    for n in range(1, order.size):
        free = _free_rows(table, order[n], slot)
        left = held(table, order[:n], slot, slots, target - slots)
        right = load_rows(free, table.values, table.items)
        _, places, rows = join(left, right, n + 1, table, steps)
        for i in range(places.size):
            slot[free[rows[i]]] = slots + places[i]
    return target


@compiled
def _free_rows(table: Table, member: int, slot: np.ndarray) -> np.ndarray:
    """The rows of a member that are in no slot."""
    first, end = table.start[member], table.start[member + 1]
    return np.asarray(first + np.flatnonzero(slot[first:end] < 0))


@compiled
def realign(
    table: Table, members: np.ndarray, slot: np.ndarray, slots: int, passes: int, steps: int
) -> float:
    """Align each member anew against the rest while that helps; the cluster's cost."""
    better = members.size > 1
    for _ in range(passes):
        if not better:
            break
        better = False
        for place in range(members.size):
            if _realign_one(table, members, place, slot, slots, steps):
                better = True
    return cluster_cost(table, members, slot, slots)


@compiled
def _realign_one(
    table: Table, members: np.ndarray, place: int, slot: np.ndarray, slots: int, steps: int
) -> bool:
    """Choose the rows of one member anew; whether that helped."""
    left = held(table, without(members, place), slot, 0, slots)
    right = history(table, members[place])
    cost = joint_costs(*left, *right, members.size, table.weights, scratch(table))
    first, end = table.start[members[place]], table.start[members[place] + 1]
    now = 0.0
    for row in range(first, end):
        if slot[row] >= 0:
            now += cost[slot[row], row - first]
    chosen = np.empty(slots, np.int32)
    if assign(cost, chosen, steps) >= now - LEAST_GAIN:
        return False
    slot[first:end] = -1
    for s in range(slots):
        slot[first + chosen[s]] = s
    return True


@compiled
def reshuffle(
    table: Table,
    members: np.ndarray,
    slot: np.ndarray,
    slots: int,
    rounds: int,
    steps: int,
    seed: int,
) -> None:
    """Split the members in two at random and pair the slots of both parts anew, several times."""
    np.random.seed(seed)
    for _ in range(rounds):
        mixed = np.random.permutation(members)
        part = mixed[: np.random.randint(1, members.size // 2 + 1)]
        left = held(table, part, slot, 0, slots)
        right = held(table, mixed[part.size :], slot, 0, slots)
        cost = joint_costs(*left, *right, members.size, table.weights, scratch(table))
        now = 0.0
        for s in range(slots):
            now += cost[s, s]
        chosen = np.empty(slots, np.int32)
        if assign(cost, chosen, steps) < now - LEAST_GAIN:
            renumber(table, part, slot, chosen)


@compiled
def renumber(table: Table, members: np.ndarray, slot: np.ndarray, number: np.ndarray) -> None:
    """Give the slots of the members' rows new numbers (-1: the row is deleted)."""
    for member in members:
        for row in range(table.start[member], table.start[member + 1]):
            if slot[row] >= 0:
                slot[row] = number[slot[row]]


@compiled
def build(
    table: Table, members: np.ndarray, slot: np.ndarray, passes: int, steps: int
) -> tuple[int, float]:
    """Align a cluster none of whose rows is in a slot yet: (slots, cost)."""
    slots = extend(table, members, slot, 0, steps)
    return slots, realign(table, members, slot, slots, passes, steps)
