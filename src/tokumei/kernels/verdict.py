"""Whether classes fulfil conditions: all formulas, compiled, so that searches can ask often.

    checks = Checks.of(demands, starts, values, counts, rows)
    holds(checks, tuples)               # the class of these tuples
    classes_hold(checks, class_of)      # one truth value per class

A class counts only the values present in it; time grows with these, not with those of the table
(but for the ordered and hierarchical distance).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tokumei.kernels.compiled import compiled

ROUNDING = 1e-9
"""Figures within this relative distance of a limit count as equal to it."""
DISTINCT, ENTROPY, RECURSIVE, SHARE = range(4)
EQUAL, ORDERED, HIERARCHICAL, BASIC, ENHANCED, DELTA = range(4, 10)


class Demands(NamedTuple):
    """Conditions as arrays, each on the values `first` … `end` − 1 (those of one column).

    `totals[v]`: rows of the release with value v; `rows`: its rows. A hierarchy of `heights[d]`
    levels begins at `parents[trees[d]]`: on each level, the parent of every node of the one below.
    """

    kinds: np.ndarray
    limits: np.ndarray
    first: np.ndarray
    end: np.ndarray
    rows: np.ndarray
    totals: np.ndarray
    heights: np.ndarray
    trees: np.ndarray
    parents: np.ndarray


class Checks(NamedTuple):
    """What each tuple holds: `values[starts[t] : starts[t + 1]]`, the `counts` of each, its `rows`.

    `table` (all 0 before and after) and `present` are room to count in.
    """

    demands: Demands
    starts: np.ndarray
    values: np.ndarray
    counts: np.ndarray
    rows: np.ndarray
    table: np.ndarray
    present: np.ndarray

    @classmethod
    def of(
        cls,
        demands: Demands,
        starts: np.ndarray,
        values: np.ndarray,
        counts: np.ndarray,
        rows: np.ndarray,
    ) -> Checks:
        """With the room they need."""
        size = len(demands.totals)
        starts, values, counts, rows = (
            one.astype(np.int64) for one in (starts, values, counts, rows)
        )
        table, present = np.zeros(size, np.int64), np.empty(size, np.int64)
        return cls(demands, starts, values, counts, rows, table, present)


_NONE = np.zeros(0, np.int64)
NO_CHECKS = Checks.of(
    Demands(_NONE, np.zeros((0, 2)), _NONE, _NONE, _NONE, _NONE, _NONE, _NONE, _NONE),
    *(np.zeros(1, np.int64), _NONE, _NONE, _NONE),
)
"""Everything holds."""


def classes_hold(checks: Checks, class_of: np.ndarray) -> np.ndarray:
    """Which of the classes 0 … n − 1 fulfil all conditions; class −1 is not looked at."""
    order = np.argsort(class_of, kind="stable")
    number = int(class_of.max(initial=-1)) + 1
    starts = np.searchsorted(class_of[order], np.arange(number + 1))
    held: np.ndarray = _stretches_hold(checks, order, starts)
    return held


@compiled
def _stretches_hold(checks: Checks, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    held = np.empty(len(starts) - 1, np.bool_)
    for place in range(len(held)):
        held[place] = holds(checks, order[starts[place] : starts[place + 1]])
    return held


@compiled
def holds(checks: Checks, tuples: np.ndarray) -> bool:
    """Whether the class of these tuples fulfils all conditions; an empty one does."""
    if len(checks.demands.kinds) == 0:
        return True
    table, number, rows = checks.table, 0, 0
    for t in tuples:
        rows += checks.rows[t]
        for entry in range(checks.starts[t], checks.starts[t + 1]):
            value = checks.values[entry]
            if table[value] == 0:
                checks.present[number] = value
                number += 1
            table[value] += checks.counts[entry]
    good = rows == 0 or _fulfils(checks.demands, table, checks.present[:number], rows)
    for place in range(number):
        table[checks.present[place]] = 0
    return good


@compiled
def _fulfils(demands: Demands, table: np.ndarray, present: np.ndarray, rows: int) -> bool:
    for d in range(len(demands.kinds)):
        kind, limit = demands.kinds[d], demands.limits[d, 0]
        if kind == ORDERED:
            good = _ordered_work(demands, d, table, rows) <= limit * (1 + ROUNDING)
        elif kind == HIERARCHICAL:
            good = _tree_work(demands, d, table, rows) <= limit * (1 + ROUNDING)
        else:
            inside = (present >= demands.first[d]) & (present < demands.end[d])
            values = present[inside]
            if kind <= SHARE:
                good = _diverse(kind, limit, demands.limits[d, 1], table[values], rows)
            else:
                totals = demands.totals[values]
                good = _alike(kind, limit, table[values], totals, rows, demands.rows[d])
        if not good:
            return False
    return True


@compiled
def _diverse(kind: int, limit: float, more: float, counts: np.ndarray, rows: int) -> bool:
    """Conditions on the class alone."""
    if kind == DISTINCT:
        return len(counts) >= limit
    if kind == ENTROPY:
        entropy = 0.0
        for count in counts:
            entropy -= count / rows * math.log(count / rows)
        return entropy >= math.log(limit) * (1 - ROUNDING)
    if len(counts) == 0:
        return kind == SHARE
    if kind == SHARE:
        return bool(counts.max() <= limit * (1 + ROUNDING) * rows)
    rising = np.sort(counts)
    left = rising[: max(len(rising) - int(more) + 1, 0)].sum()
    return bool(rising[-1] < limit * left * (1 - ROUNDING))


@compiled
def _alike(
    kind: int, limit: float, counts: np.ndarray, totals: np.ndarray, rows: int, all_rows: int
) -> bool:
    """Conditions that compare shares p with those of the release, q: of values present only."""
    work = 0.0
    for place in range(len(counts)):
        # In whole numbers: equal shares differ by exactly 0.
        even = rows * totals[place]
        surplus = counts[place] * all_rows - even
        work += max(surplus, 0) / (float(rows) * all_rows)
        if kind == DELTA:
            ratio = counts[place] * float(all_rows) / even
            if abs(math.log(ratio)) >= limit * (1 - ROUNDING):
                return False
        elif kind != EQUAL:
            most = limit if kind == BASIC else min(limit, -math.log(totals[place] / all_rows))
            if surplus / even > most * (1 + ROUNDING):
                return False
    return kind != EQUAL or work <= limit * (1 + ROUNDING)


@compiled
def _ordered_work(demands: Demands, d: int, table: np.ndarray, rows: int) -> float:
    """Σ_i |Σ_{j≤i} (p_j − q_j)| / (m − 1); values that the release lacks are none."""
    work, here, in_all, number = 0.0, 0, 0, 0
    for value in range(demands.first[d], demands.end[d]):
        if demands.totals[value]:
            here += table[value]
            in_all += demands.totals[value]
            work += abs(here / rows - in_all / demands.rows[d])
            number += 1
    return work / max(number - 1, 1)


@compiled
def _tree_work(demands: Demands, d: int, table: np.ndarray, rows: int) -> float:
    """Bottom up, each node settles what it can between its children and passes on the rest."""
    first, size = demands.first[d], demands.end[d] - demands.first[d]
    surplus = np.empty(size)
    for value in range(size):
        share = demands.totals[first + value] / demands.rows[d]
        surplus[value] = table[first + value] / rows - share
    work, place = 0.0, demands.trees[d]
    for height in range(1, demands.heights[d] + 1):
        give, take = np.zeros(size), np.zeros(size)
        for node in range(size):
            parent = demands.parents[place + node]
            give[parent] += max(surplus[node], 0.0)
            take[parent] -= min(surplus[node], 0.0)
        work += height / demands.heights[d] * np.minimum(give, take).sum()
        surplus, place = give - take, place + size
    return work
