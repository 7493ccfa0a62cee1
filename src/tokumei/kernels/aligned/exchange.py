"""Exchanging customers between clusters: what it would cost, and doing it.

The rest of a cluster keeps its alignment; only the newcomer's rows are assigned, so one trial
is one assignment per cluster.
"""

from __future__ import annotations

import numpy as np

from tokumei.kernels.aligned.cost import COLUMNS
from tokumei.kernels.aligned.rows import (
    Table,
    extend,
    held,
    history,
    join,
    renumber,
    row_count,
    shortest,
    without,
)
from tokumei.kernels.compiled import compiled


@compiled
def exchange_costs(
    table: Table,
    members: np.ndarray,
    exchanges: np.ndarray,
    slot: np.ndarray,
    slots: np.ndarray,
    steps: int,
) -> np.ndarray:
    """What both clusters would cost after each exchange (customer, other, cluster, cluster).

    A cluster number past the last means the dropped customers; these cost nothing here.
    """
    costs = np.zeros((len(exchanges), 2))
    for n in range(len(exchanges)):
        for side in range(2):
            g = exchanges[n, 2 + side]
            if g < len(members):
                leaver, newcomer = exchanges[n, side], exchanges[n, 1 - side]
                costs[n, side] = replacement_cost(
                    table, members[g], leaver, newcomer, slot, slots[g], steps
                )
    return costs


@compiled
def replacement_cost(
    table: Table,
    members: np.ndarray,
    leaver: int,
    newcomer: int,
    slot: np.ndarray,
    slots: int,
    steps: int,
) -> float:
    """The cluster's cost if the newcomer took the leaver's place."""
    rest = without(members, np.flatnonzero(members == leaver)[0])
    if shortest(table, rest) > slots:
        slot = slot.copy()
        slots = extend(table, rest, slot, slots, steps)
    left, right = held(table, rest, slot, 0, slots), history(table, newcomer)
    total, places, _ = join(left, right, members.size, table, steps)
    rows = row_count(table, rest) + right[2].size
    return total + COLUMNS * (rows - members.size * places.size)


@compiled
def replace(
    table: Table,
    members: np.ndarray,
    leaver: int,
    newcomer: int,
    slot: np.ndarray,
    slots: int,
    steps: int,
) -> int:
    """Let the newcomer take the leaver's place; the new number of slots.

    The rows of both must be in no slot: another cluster may be taking the leaver in meanwhile.
    """
    place = np.flatnonzero(members == leaver)[0]
    rest = without(members, place)
    members[place] = newcomer
    if shortest(table, rest) > slots:
        slots = extend(table, rest, slot, slots, steps)
    left, right = held(table, rest, slot, 0, slots), history(table, newcomer)
    _, places, rows = join(left, right, members.size, table, steps)
    number = np.full(slots, -1, slot.dtype)
    for i in range(places.size):
        number[places[i]] = i
        slot[table.start[newcomer] + rows[i]] = i
    renumber(table, rest, slot, number)
    return places.size
