"""What the tests split from test_attackers_reference share."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from support.small_tables import (
    Small,
    chances,
    covers,
    ends,
    middle,
    same_text,
    small_tables,
    uniform,
)
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.registry import attackers

TIE = 1e-9


PLAIN = small_tables(rows=6)


WITH_NULLS = small_tables(rows=6, nulls=True, general_sa=True)


GENERAL = small_tables(rows=6, nulls=True, general_qi=True, general_sa=True)


ONE_SA = small_tables(rows=6, sa_columns=1, general_qi=True)


NO_SA = small_tables(rows=4, sa_columns=0)


ANY = st.one_of(PLAIN, WITH_NULLS, GENERAL, ONE_SA)


def attack(name: str, case: Small, **params: Any) -> Guess:
    attacker = attackers.build(name, params)
    return attacker.attack(case.y(), Knowledge(case.x()), rng=Randomness(1))


def assert_chances(guess: Guess, case: Small, reference: list[list[float]]) -> None:
    found = chances(guess, len(case.released), len(case.original))
    assert np.allclose(found, reference, atol=1e-12), (found, reference)


def everyone(case: Small) -> list[int]:
    return list(range(len(case.original)))


def same_qi(case: Small, row: list[Any]) -> list[int]:
    return [i for i in everyone(case) if same_text(case.qi_of(case.original[i]), case.qi_of(row))]


def fitting_qi(case: Small, row: list[Any]) -> list[int]:
    return [
        i
        for i in everyone(case)
        if all(
            covers(cell, value)
            for cell, value in zip(case.qi_of(row), case.qi_of(case.original[i]), strict=True)
        )
    ]


def known_column(case: Small, j: int) -> list[float]:
    return [float(case.sa_of(row)[j]) for row in case.original]


def plain_box(case: Small, row: list[Any], j: int) -> tuple[float, float]:
    """Generalized cells by their middle, suppressed ones by the mean of what is known."""
    value = middle(case.sa_of(row)[j])
    value = statistics.fmean(known_column(case, j)) if value is None else value
    return value, value


def aware_box(case: Small, row: list[Any], j: int) -> tuple[float, float]:
    return ends(case.sa_of(row)[j]) or (-math.inf, math.inf)


def distance(
    case: Small, row: list[Any], origin: int, columns: list[int], box: Any, standardize: bool
) -> float:
    total = 0.0
    for j in columns:
        low, high = box(case, row, j)
        value = known_column(case, j)[origin]
        gap = max(low - value, value - high, 0.0)
        sd = statistics.pstdev(known_column(case, j)) if standardize else 1.0
        total += (gap / (sd or 1.0)) ** 2
    return math.sqrt(total)


def nearest_of(
    case: Small,
    row: list[Any],
    among: list[int],
    columns: list[int],
    box: Any = plain_box,
    standardize: bool = False,
) -> list[float]:
    far = {i: distance(case, row, i, columns, box, standardize) for i in among}
    best = [i for i in among if far[i] <= min(far.values()) * (1 + TIE)]
    return uniform(best, len(case.original))


OPTIONS = [
    {"standardize": standardize, "aware": aware}
    for standardize in (False, True)
    for aware in (False, True)
]


def euclid(
    case: Small, fallback: Callable[[int], list[float]] | None, *, standardize: bool, aware: bool
) -> list[list[float]]:
    search, box = (fitting_qi, aware_box) if aware else (same_qi, plain_box)
    columns = list(range(len(case.sa)))
    found = []
    for number, row in enumerate(case.released):
        among = search(case, row)
        if not among and fallback:
            found.append(fallback(number))
        else:
            among = among or everyone(case)
            found.append(nearest_of(case, row, among, columns, box, standardize))
    return found
