"""Singling out: predicates from the release that fit exactly one person.

    results = audit_singling_out(columns, people=5000, rng=rng)
    results[0].columns, results[0].risk, results[0].predicates, results[0].members

The control is asked the same: what is true of exactly one person who is not in the data was not
learned from it (WP216; Cohen & Nissim 2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np

from tokumei.core.json_types import JsonObject
from tokumei.core.randomness import Randomness
from tokumei.tables.audit.attack_statistics import Interval, clustered_risk
from tokumei.tables.audit.predicates import count_predicates
from tokumei.tables.audit.released_columns import ReleasedColumn

DEFAULT_WIDTH = 4
MAX_COLUMN_SETS = 500
MIN_PREDICATES = 30
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

    def as_json(self) -> JsonObject:
        """As plain data."""
        risks = {"risk": self.risk, "corrected": self.corrected}
        risk_data = {
            name: None if interval is None else interval.as_json()
            for name, interval in risks.items()
        }
        return {**vars(self), **risk_data}


def audit_singling_out(
    columns: Sequence[ReleasedColumn], people: int, *, rng: Randomness, width: int = DEFAULT_WIDTH
) -> list[SinglingOut]:
    """By one column, by `width` columns and by all; the first `people` known are the members.

    Numbers of single values are asked for as ranges; by all columns also as they are.
    """
    boxes = any(column.general for column in columns)
    width_modes = [
        (set_width, boxes) for set_width in sorted({1, min(width, len(columns)), len(columns)})
    ]
    if not boxes and any(column.numeric for column in columns):
        width_modes.append((len(columns), True))
    level = 1 - 0.05 / len(width_modes)
    return [
        replace(
            _audit_width(columns, people, set_width, exact_values, level, rng.child(set_width)),
            equal=exact_values and not boxes,
        )
        for set_width, exact_values in width_modes
    ]


def _audit_width(
    columns: Sequence[ReleasedColumn],
    people: int,
    width: int,
    boxes: bool,
    level: float,
    rng: Randomness,
) -> SinglingOut:
    rows = len(columns[0].released)
    tried, hits, control_hits = np.zeros((3, rows))
    is_singled_out = [np.zeros(people, dtype=bool), np.zeros(people, dtype=bool)]
    sets = _choose_column_sets(len(columns), width, rng.generator)
    every = len(sets) == comb(len(columns), width)
    for chosen in sets:
        set_columns = [columns[j] for j in chosen]
        predicate_counts = count_predicates(
            set_columns, people, boxes=boxes, generator=rng.generator, sets=len(sets)
        )
        every &= predicate_counts.every
        tried += np.bincount(predicate_counts.row, minlength=rows)
        for total, true_of, first_person, side_mask in zip(
            (hits, control_hits),
            predicate_counts.counts,
            predicate_counts.who,
            is_singled_out,
            strict=True,
        ):
            total += np.bincount(predicate_counts.row, true_of == 1, minlength=rows)
            side_mask[first_person[true_of == 1]] = True
    count = int(tried.sum())
    risks: list[Interval | None] = [None, None]
    if count >= MIN_PREDICATES:
        risks = [
            clustered_risk(hits, control_hits, tried, confidence) for confidence in (0.95, level)
        ]
    return SinglingOut(
        width,
        len(sets),
        count,
        float(hits.sum() / max(count, 1)),
        float(control_hits.sum() / max(count, 1)),
        risks[0],
        int(is_singled_out[0].sum()),
        int(is_singled_out[1].sum()),
        people,
        risks[1],
        every,
    )


def _choose_column_sets(
    columns: int, width: int, generator: np.random.Generator
) -> list[tuple[int, ...]]:
    """All sets of so many columns, or as many drawn ones as are looked at."""
    if comb(columns, width) <= MAX_COLUMN_SETS:
        return list(combinations(range(columns), width))
    drawn_sets: set[tuple[int, ...]] = set()
    while len(drawn_sets) < MAX_COLUMN_SETS:
        chosen = generator.choice(columns, width, replace=False)
        drawn_sets.add(tuple(sorted(int(column_index) for column_index in chosen)))
    return sorted(drawn_sets)
