"""Can somebody be singled out? Predicates from the release that are true of exactly one person.

    found = singling_out(columns, people=5000, rng=rng)
    found[0].columns, found[0].risk, found[0].predicates, found[0].members

The control is asked the same: what is true of exactly one person who is not in the data was not
learned from it (WP216; Cohen & Nissim 2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from tokumei.core.randomness import Randomness
from tokumei.tables.audit.columns import Column
from tokumei.tables.audit.figures import Interval, clustered_risk
from tokumei.tables.audit.predicates import ask

WIDTH = 4
MOST_SETS = 500
FEWEST = 30
"""Fewer predicates have a number, but no rate."""


@dataclass(frozen=True)
class SinglingOut:
    """Predicates over so many columns: how often each side is singled out.

    `members` and `control`: how many people some predicate singles out, of `people` on each side.
    `corrected` is the risk at the level that takes into account how many widths were tried, `every`
    whether all predicates were, or as many as there is time for, drawn at random.
    """

    columns: int
    sets: int
    predicates: int
    rate: float
    control_rate: float
    risk: Interval | None
    members: int
    control: int
    people: int
    corrected: Interval | None
    every: bool = True
    equal: bool = False
    """Whether numbers are the same, not at least or at most as large: exact values only."""

    def as_json(self) -> dict[str, Any]:
        """As plain data."""
        risks = {"risk": self.risk, "corrected": self.corrected}
        told = {name: None if one is None else one.as_json() for name, one in risks.items()}
        return {**vars(self), **told}


def singling_out(
    columns: Sequence[Column], people: int, *, rng: Randomness, width: int = WIDTH
) -> list[SinglingOut]:
    """By one column, by `width` columns and by all; the first `people` known are the members.

    Numbers of single values are asked for as ranges; by all columns also as they are.
    """
    boxes = any(column.general for column in columns)
    wanted = [(one, boxes) for one in sorted({1, min(width, len(columns)), len(columns)})]
    if not boxes and any(column.numeric for column in columns):
        wanted.append((len(columns), True))
    level = 1 - 0.05 / len(wanted)
    return [
        replace(
            _of_width(columns, people, one, as_is, level, rng.child(one)), equal=as_is and not boxes
        )
        for one, as_is in wanted
    ]


def _of_width(
    columns: Sequence[Column], people: int, width: int, boxes: bool, level: float, rng: Randomness
) -> SinglingOut:
    rows = len(columns[0].released)
    tried, hits, control_hits = np.zeros((3, rows))
    alone = [np.zeros(people, dtype=bool), np.zeros(people, dtype=bool)]
    sets = _sets(len(columns), width, rng.generator)
    every = len(sets) == comb(len(columns), width)
    for chosen in sets:
        some = [columns[j] for j in chosen]
        found = ask(some, people, boxes=boxes, generator=rng.generator, sets=len(sets))
        every &= found.every
        tried += np.bincount(found.row, minlength=rows)
        for total, true_of, who, single in zip(
            (hits, control_hits), found.counts, found.who, alone, strict=True
        ):
            total += np.bincount(found.row, true_of == 1, minlength=rows)
            single[who[true_of == 1]] = True
    count = int(tried.sum())
    risks: list[Interval | None] = [None, None]
    if count >= FEWEST:
        risks = [clustered_risk(hits, control_hits, tried, one) for one in (0.95, level)]
    return SinglingOut(
        width,
        len(sets),
        count,
        float(hits.sum() / max(count, 1)),
        float(control_hits.sum() / max(count, 1)),
        risks[0],
        int(alone[0].sum()),
        int(alone[1].sum()),
        people,
        risks[1],
        every,
    )


def _sets(columns: int, width: int, generator: np.random.Generator) -> list[tuple[int, ...]]:
    """All sets of so many columns, or as many drawn ones as are looked at."""
    if comb(columns, width) <= MOST_SETS:
        return list(combinations(range(columns), width))
    drawn: set[tuple[int, ...]] = set()
    while len(drawn) < MOST_SETS:
        chosen = generator.choice(columns, width, replace=False)
        drawn.add(tuple(sorted(int(one) for one in chosen)))
    return sorted(drawn)
