"""Merge classes that break a condition with others until all hold, or suppress them.

The smallest failing class joins the class where that costs least among those with which it holds,
or where it costs least at all, again and again.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython import uchar as byte

from tokumei.kernels.equivalence_classes.conditions import Checks, class_holds

PARTNERS = cython.declare(whole, 128)
"""How many of the cheapest classes are tried; more gain nothing on UCI Adult."""
INFINITE = cython.declare(real, float("inf"))


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Merging:
    """Hierarchies, classes and workspace: see `tokumei.kernels.local_recoding.class_merging`."""

    nodes: whole[::1]
    node_cost: real[::1]
    starts: whole[:, ::1]
    leaf: whole[:, ::1]
    level: whole[:, ::1]
    rows: whole[::1]
    cost: real[::1]
    first: whole[::1]
    last: whole[::1]
    after: whole[::1]
    costs: real[::1]
    members: whole[::1]
    chosen: whole = -1


def write_numbers(m: Merging, numbers: whole[::1], class_of: whole[::1]) -> None:
    """Write the number of each class that is left to its tuples."""
    for place in range(numbers.shape[0]):
        if m.rows[place]:
            t = m.first[place]
            while t >= 0:
                class_of[t] = numbers[place]
                t = m.after[t]


def merge(m: Merging, checks: Checks, failing: byte[::1], budget: whole, steps: whole) -> int:
    """Merge or suppress until none fails, or so often; the budget left.

    Classes that are gone have no rows.
    """
    with cython.nogil:
        for _ in range(steps):
            if not _choose_failing(m, failing):
                break
            budget = _merge_or_suppress(m, checks, failing, budget)
    return budget


@cython.cfunc
def _choose_failing(m: Merging, failing: byte[::1]) -> cython.bint:
    """Find the smallest class that fails, if one does."""
    m.chosen = -1
    for c in range(failing.shape[0]):
        if failing[c] and (m.chosen < 0 or m.rows[c] < m.rows[m.chosen]):
            m.chosen = c
    return m.chosen >= 0


@cython.cfunc
def _merge_or_suppress(m: Merging, checks: Checks, failing: byte[::1], budget: whole) -> whole:
    """Merge or suppress the chosen class; the budget left."""
    one = m.chosen
    for other in range(failing.shape[0]):
        m.costs[other] = _merge_cost(m, one, other)
    cheapest = _cheapest_class(m)
    increase = m.costs[cheapest]
    partner = _find_partner(m, checks)
    if partner >= 0:
        increase = m.costs[partner]
    failing[one] = False
    lost = m.rows[one] * (m.leaf.shape[1] - m.cost[one])
    if m.rows[one] <= budget and increase >= lost:
        budget -= m.rows[one]
        m.rows[one] = 0
    elif increase < INFINITE:
        _absorb_class(m, one, partner if partner >= 0 else cheapest)
        failing[partner if partner >= 0 else cheapest] = partner < 0
    return budget


@cython.cfunc
def _cheapest_class(m: Merging) -> whole:
    best: whole = 0
    for c in range(m.costs.shape[0]):
        if m.costs[c] < m.costs[best]:
            best = c
    return best


@cython.cfunc
def _find_partner(m: Merging, checks: Checks) -> whole:
    """The cheapest class with which the chosen one holds; −1: none of those tried."""
    here = _add_members(m, m.chosen, 0)
    for _ in range(min(PARTNERS, m.costs.shape[0] - 1)):
        best = _cheapest_class(m)
        if m.costs[best] == INFINITE:
            break
        if class_holds(checks, m.members, 0, _add_members(m, best, here)):
            return best
        m.costs[best] = INFINITE
    return -1


@cython.cfunc
def _add_members(m: Merging, number: whole, filled: whole) -> whole:
    """Write down the tuples of a class behind those that are there; how many there are then."""
    t = m.first[number]
    while t >= 0 and filled < m.members.shape[0]:
        m.members[filled] = t
        filled += 1
        t = m.after[t]
    return filled


@cython.cfunc
def _merge_cost(m: Merging, one: whole, other: whole) -> real:
    """What both classes lose more in all in one common box."""
    if other == one or m.rows[other] == 0:
        return INFINITE
    cost: real = 0.0
    for j in range(m.leaf.shape[1]):
        cost += m.node_cost[m.starts[j, _common_level(m, one, other, j)] + m.leaf[one, j]]
    return m.rows[one] * (cost - m.cost[one]) + m.rows[other] * (cost - m.cost[other])


@cython.cfunc
def _common_level(m: Merging, one: whole, other: whole, j: whole) -> whole:
    """The lowest level at which one node of a column holds both boxes."""
    level: whole = max(m.level[one, j], m.level[other, j])
    here, there = m.leaf[one, j], m.leaf[other, j]
    while m.nodes[m.starts[j, level] + here] != m.nodes[m.starts[j, level] + there]:
        level += 1
    return level


@cython.cfunc
def _absorb_class(m: Merging, one: whole, other: whole) -> cython.void:
    """Let the other class take this one in."""
    cost: real = 0.0
    for j in range(m.leaf.shape[1]):
        level = _common_level(m, one, other, j)
        m.level[other, j] = level
        cost += m.node_cost[m.starts[j, level] + m.leaf[other, j]]
    m.cost[other] = cost
    m.rows[other] += m.rows[one]
    m.rows[one] = 0
    m.after[m.last[other]] = m.first[one]
    m.last[other] = m.last[one]
