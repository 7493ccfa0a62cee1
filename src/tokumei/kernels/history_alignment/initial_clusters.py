"""First clusters: simulated annealing on a cheap stand-in for the true loss.

The stand-in of a cluster with lengths L, shortest m and mean pair cost c is
4 * (sum of (L - m) + k * m * min(1, gamma * c)); a dropped customer costs 4 * L.
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import float as single
from cython import int as small
from cython import longlong as whole
from cython import uint as word
from cython.cimports.libc.math import exp

from tokumei.kernels.history_alignment.group_cost import COLUMNS
from tokumei.kernels.mersenne_twister import draw_below, draw_uniform, seed_state

HOT = cython.declare(real, 0.02)
"""The first temperature as a share of a cluster's mean cost; the last is 1/300 of it."""
COLD = cython.declare(real, 1.0 / 300.0)
NOBODY = cython.declare(whole, -1)


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Seats:
    """Customers in lines of seats; lines from `clusters` on are dropped.

    `pair_sum` and `value` are the sum of pair costs and the stand-in cost of each line.
    """

    lengths: whole[::1]
    cost: single[:, ::1]
    partners: small[:, ::1]
    seats: whole[:, ::1]
    line: whole[::1]
    place: whole[::1]
    pair_sum: real[::1]
    value: real[::1]
    twister: word[::1]
    clusters: whole
    gamma: real
    hot: real = 0.0
    heat: real = 0.0
    new_sum: real = 0.0


def prepare_seats(s: Seats, seed: cython.ulonglong) -> None:
    """Note where everybody sits and what the lines cost."""
    with cython.nogil:
        seed_state(s.twister, seed)
        _record_places(s)
        total: real = 0.0
        for g in range(s.clusters):
            for p in range(s.seats.shape[1]):
                s.pair_sum[g] += _link_cost(s, g, p, s.seats[g, p]) / 2
            s.value[g] = _stand_in_cost(s, g, s.pair_sum[g], 0, s.seats[g, 0])
            total += s.value[g]
        s.hot = HOT * total / s.clusters


def exchange_seats(s: Seats, first: whole, last: whole, moves: whole) -> None:
    """Moves first … last − 1 of so many: each brings a customer into a good partner's cluster."""
    with cython.nogil:
        for move in range(first, last):
            if move % 1024 == 0:
                s.heat = s.hot * COLD ** (float(move) / moves)
            _try_move(s)


@cython.cfunc
def _try_move(s: Seats) -> cython.void:
    a = draw_below(s.twister, s.lengths.shape[0])
    friend = draw_below(s.twister, s.partners.shape[1])
    q = draw_below(s.twister, s.seats.shape[1])
    g, p = s.line[a], s.place[a]
    h = s.line[s.partners[a, friend]]
    b = s.seats[h, q]
    if g == h or b == NOBODY:
        return
    value_g = _line_cost_after(s, g, p, b)
    sum_g = s.new_sum
    value_h = _line_cost_after(s, h, q, a)
    rise = value_g + value_h - s.value[g] - s.value[h]
    if rise > 0:
        chance = draw_uniform(s.twister)
        if chance * s.heat >= s.heat * exp(-rise / max(s.heat, 1e-300)):
            return
    s.seats[g, p], s.seats[h, q] = b, a
    s.line[a], s.place[a], s.line[b], s.place[b] = h, q, g, p
    s.value[g], s.value[h] = value_g, value_h
    s.pair_sum[g], s.pair_sum[h] = sum_g, s.new_sum


@cython.cfunc
def _record_places(s: Seats) -> cython.void:
    """The line and place of each customer."""
    for g in range(s.seats.shape[0]):
        for p in range(s.seats.shape[1]):
            if s.seats[g, p] != NOBODY:
                s.line[s.seats[g, p]] = g
                s.place[s.seats[g, p]] = p


@cython.cfunc
def _line_cost_after(s: Seats, g: whole, p: whole, newcomer: whole) -> real:
    """The stand-in cost of a line with the newcomer in one place; its pair costs in `new_sum`."""
    leaver = s.seats[g, p]
    if g >= s.clusters:
        s.new_sum = 0.0
        return s.value[g] + COLUMNS * float(s.lengths[newcomer] - s.lengths[leaver])
    s.new_sum = s.pair_sum[g] + _link_cost(s, g, p, newcomer) - _link_cost(s, g, p, leaver)
    return _stand_in_cost(s, g, s.new_sum, p, newcomer)


@cython.cfunc
def _link_cost(s: Seats, g: whole, place: whole, customer: whole) -> real:
    """The pair costs of a customer with all in a line but the one at a place."""
    total: real = 0.0
    for p in range(s.seats.shape[1]):
        if p != place:
            total += s.cost[customer, s.seats[g, p]]
    return total


@cython.cfunc
def _stand_in_cost(s: Seats, g: whole, pair_sum: real, place: whole, newcomer: whole) -> real:
    """The stand-in cost of a line with the newcomer in one place."""
    rows: whole = 0
    least_rows: whole = s.lengths[newcomer]
    k = s.seats.shape[1]
    for p in range(k):
        rows_here = s.lengths[s.seats[g, p] if p != place else newcomer]
        rows += rows_here
        least_rows = min(least_rows, rows_here)
    mean = 2.0 * pair_sum / (k * (k - 1))
    return COLUMNS * (rows - k * least_rows * (1.0 - min(1.0, s.gamma * mean)))
