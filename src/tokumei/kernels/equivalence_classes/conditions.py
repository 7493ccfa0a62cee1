"""Whether classes fulfil conditions: all formulas.

A class counts only the values present in it; time grows with these, not with those of the table
(but for the ordered and hierarchical distance).
"""

from __future__ import annotations

import cython
from cython import double as real
from cython import longlong as whole
from cython import uchar as byte
from cython.cimports.libc.math import fabs, log

from tokumei.kernels.sorting import sort

ROUNDING = cython.declare(real, 1e-9)
cython.declare(DISTINCT=whole, ENTROPY=whole, RECURSIVE=whole, SHARE=whole, EQUAL=whole)
cython.declare(ORDERED=whole, HIERARCHICAL=whole, BASIC=whole, ENHANCED=whole, DELTA=whole)
cython.declare(NEED=whole)
DISTINCT, ENTROPY, RECURSIVE, SHARE, EQUAL, ORDERED, HIERARCHICAL, BASIC, ENHANCED, DELTA = range(
    10
)
NEED = 10


@cython.dataclasses.dataclass(eq=False, repr=False)
@cython.cclass
class Checks:
    """Demands, what each tuple holds, and workspace: see `tokumei.kernels.condition_checks`."""

    kinds: whole[::1]
    limits: real[:, ::1]
    first: whole[::1]
    end: whole[::1]
    all_rows: whole[::1]
    totals: whole[::1]
    heights: whole[::1]
    trees: whole[::1]
    parents: whole[::1]
    starts: whole[::1]
    values: whole[::1]
    counts: whole[::1]
    rows: whole[::1]
    table: whole[::1]
    present: whole[::1]
    inside: whole[::1]
    nodes: real[:, ::1]


def check_stretches(c: Checks, order: whole[::1], starts: whole[::1], held: byte[::1]) -> None:
    """Whether the class of the tuples of every stretch of `order` fulfils all conditions."""
    with cython.nogil:
        for place in range(held.shape[0]):
            held[place] = class_holds(c, order, starts[place], starts[place + 1])


@cython.cfunc
def class_holds(c: Checks, tuples: whole[::1], begin: whole, end: whole) -> cython.bint:
    """Whether the class of these tuples fulfils all conditions; an empty one does."""
    if c.kinds.shape[0] == 0:
        return True
    number: whole = 0
    rows: whole = 0
    for place in range(begin, end):
        t = tuples[place]
        rows += c.rows[t]
        for entry in range(c.starts[t], c.starts[t + 1]):
            value = c.values[entry]
            if c.table[value] == 0:
                c.present[number] = value
                number += 1
            c.table[value] += c.counts[entry]
    good: cython.bint = rows == 0 or _fulfils_conditions(c, number, rows)
    for place in range(number):
        c.table[c.present[place]] = 0
    return good


@cython.cfunc
def _fulfils_conditions(c: Checks, present: whole, rows: whole) -> cython.bint:
    for d in range(c.kinds.shape[0]):
        kind, limit = c.kinds[d], c.limits[d, 0]
        good: cython.bint
        if kind == ORDERED:
            good = _ordered_distance(c, d, rows) <= limit * (1 + ROUNDING)
        elif kind == HIERARCHICAL:
            good = _hierarchical_distance(c, d, rows) <= limit * (1 + ROUNDING)
        elif kind == NEED:
            value = c.first[d] + cython.cast(whole, limit)
            good = c.table[value] == 0 or rows >= c.limits[d, 1]
        else:
            number: whole = 0
            for place in range(present):
                if c.first[d] <= c.present[place] < c.end[d]:
                    c.inside[number] = c.present[place]
                    number += 1
            if kind <= SHARE:
                good = _is_diverse(c, number, kind, limit, c.limits[d, 1], rows)
            else:
                good = _is_close_to_release(c, number, kind, limit, rows, c.all_rows[d])
        if not good:
            return False
    return True


@cython.cfunc
def _is_diverse(
    c: Checks, number: whole, kind: whole, limit: real, more: real, rows: whole
) -> cython.bint:
    """Conditions on the class alone, of the values `inside`, which are then overwritten.

    Rows without a value count for shares (`rows`), and for no diversity.
    """
    if kind == DISTINCT:
        return number >= limit
    if kind == ENTROPY:
        entropy: real = 0.0
        filled: whole = 0
        for place in range(number):
            filled += c.table[c.inside[place]]
        for place in range(number):
            share = float(c.table[c.inside[place]]) / filled
            entropy -= share * log(share)
        return entropy >= log(limit) * (1 - ROUNDING)
    if number == 0:
        return kind == SHARE
    for place in range(number):
        c.inside[place] = c.table[c.inside[place]]
    sort(c.inside, 0, number)
    if kind == SHARE:
        return c.inside[number - 1] <= limit * (1 + ROUNDING) * rows
    left: whole = 0
    for place in range(min(max(number - cython.cast(whole, more) + 1, 0), number)):
        left += c.inside[place]
    return c.inside[number - 1] < limit * left * (1 - ROUNDING)


@cython.cfunc
def _is_close_to_release(
    c: Checks, number: whole, kind: whole, limit: real, rows: whole, all_rows: whole
) -> cython.bint:
    """Conditions that compare shares p with those of the release, q: of values present only."""
    work: real = 0.0
    for place in range(number):
        # In whole numbers: equal shares differ by exactly 0.
        count, total = c.table[c.inside[place]], c.totals[c.inside[place]]
        even = rows * total
        surplus = count * all_rows - even
        work += max(surplus, 0) / (float(rows) * all_rows)
        if kind == DELTA:
            if fabs(log(count * float(all_rows) / even)) >= limit * (1 - ROUNDING):
                return False
        elif kind != EQUAL:
            most: real = limit
            if kind != BASIC:
                most = min(limit, -log(float(total) / all_rows))
            if float(surplus) / even > most * (1 + ROUNDING):
                return False
    return kind != EQUAL or work <= limit * (1 + ROUNDING)


@cython.cfunc
def _ordered_distance(c: Checks, d: whole, rows: whole) -> real:
    """Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1); values that the release lacks are none."""
    work: real = 0.0
    here: whole = 0
    in_all: whole = 0
    number: whole = 0
    for value in range(c.first[d], c.end[d]):
        if c.totals[value]:
            here += c.table[value]
            in_all += c.totals[value]
            work += fabs(float(here) / rows - float(in_all) / c.all_rows[d])
            number += 1
    return work / max(number - 1, 1)


@cython.cfunc
def _hierarchical_distance(c: Checks, d: whole, rows: whole) -> real:
    """Bottom up, each node settles what it can between its children and passes on the rest."""
    first = c.first[d]
    size = c.end[d] - first
    for value in range(size):
        share = float(c.totals[first + value]) / c.all_rows[d]
        c.nodes[0, value] = float(c.table[first + value]) / rows - share
    work: real = 0.0
    place: whole = c.trees[d]
    for height in range(1, c.heights[d] + 1):
        for node in range(size):
            c.nodes[1, node] = 0.0
            c.nodes[2, node] = 0.0
        for node in range(size):
            parent = c.parents[place + node]
            c.nodes[1, parent] += max(c.nodes[0, node], 0.0)
            c.nodes[2, parent] -= min(c.nodes[0, node], 0.0)
        settled: real = 0.0
        for node in range(size):
            settled += min(c.nodes[1, node], c.nodes[2, node])
            c.nodes[0, node] = c.nodes[1, node] - c.nodes[2, node]
        work += float(height) / c.heights[d] * settled
        place += size
    return work
