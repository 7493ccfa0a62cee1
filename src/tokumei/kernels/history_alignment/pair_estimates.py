"""How well two customers fit together: an estimate, or as well as their rows can be matched."""

from __future__ import annotations

import cython
from cython import double as real
from cython import float as single
from cython import longlong as whole

from tokumei.kernels.history_alignment.assignment import smallest_number_from
from tokumei.kernels.history_alignment.group_cost import COLUMNS, joint_costs, load_row
from tokumei.kernels.history_alignment.row_alignment import load_history, pair_slots
from tokumei.kernels.history_alignment.workspace import Workspace, customer_row_count

SAMPLE = cython.declare(whole, 24)


def estimate_pair_costs(r: Workspace, order: whole[::1], i: whole, cost: single[:, ::1]) -> None:
    """Fill the estimates of the i-th shortest customer with all longer ones."""
    with cython.nogil:
        _load_sample(r, order[i])
        for n in range(i + 1, order.shape[0]):
            _estimate_pair(r, order[i], order[n], cost)


@cython.cfunc
def _load_sample(r: Workspace, customer: whole) -> cython.void:
    """Some rows of a customer, evenly spread."""
    rows = customer_row_count(r, customer)
    sample: whole = min(SAMPLE, rows)
    r.left.slots, r.left.width = sample, 1
    for s in range(sample):
        load_row(r, r.left, s, r.start[customer] + (s * rows) // sample)


@cython.cfunc
def _estimate_pair(r: Workspace, one: whole, other: whole, cost: single[:, ::1]) -> cython.void:
    load_history(r, r.right, other)
    joint_costs(r, r.left, r.right, 2)
    total: real = 0.0
    for s in range(r.left.slots):
        total += smallest_number_from(r.cost, s * r.right.slots, r.right.slots)
    cost[one, other] = total / (2 * COLUMNS * r.left.slots)
    cost[other, one] = cost[one, other]


def exact_pair_costs(r: Workspace, pairs: whole[:, ::1], steps: whole, found: real[::1]) -> None:
    """The mean cell errors of the rows when they are matched as well as possible."""
    with cython.nogil:
        for n in range(pairs.shape[0]):
            load_history(r, r.left, pairs[n, 0])
            load_history(r, r.right, pairs[n, 1])
            total = pair_slots(r, 2, steps)
            found[n] = total / (2 * COLUMNS * r.rows)
