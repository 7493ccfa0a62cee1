"""Distances where cells are missing, beside a plain loop over all pairs and columns."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from support.boxes import number_boxes
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers import assignment, nearest_rows
from tokumei.tables.attackers.everything import Everything
from tokumei.tables.attackers.sensitive_distance import standard_deviations
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table

NOBODY = float("nan")


def squared(one: np.ndarray, other: np.ndarray) -> float:
    """Gower's way: by what both have; a gap on one side counts 1, on both nothing."""
    total = 0.0
    for a, b in zip(one, other, strict=True):
        if np.isnan(a) and np.isnan(b):
            continue
        total += 1.0 if np.isnan(a) or np.isnan(b) else (a - b) ** 2
    return total


def by_loop(known: np.ndarray, released: np.ndarray) -> list[set[int]]:
    found = []
    for row in released:
        far = [squared(one, row) for one in known]
        found.append({i for i, d in enumerate(far) if d <= min(far) * (1 + 1e-9) ** 2})
    return found


def with_holes(rng: np.random.Generator, rows: int, columns: int, share: float) -> np.ndarray:
    values = rng.integers(0, 6, (rows, columns)) / 2
    return np.where(rng.random((rows, columns)) < share, np.nan, values)


def answers(guess: Guess) -> list[set[int]]:
    return [set(guess.rows[guess.start[g] : guess.start[g + 1]].tolist()) for g in guess.group]


@pytest.mark.parametrize("large", [0, nearest_rows.LARGE])
@pytest.mark.parametrize("columns", [1, 2, 4])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.9])
def test_the_nearest_rows_are_those_of_a_plain_loop(monkeypatch, large, columns, share) -> None:
    monkeypatch.setattr(nearest_rows, "LARGE", large)
    rng = np.random.default_rng(columns)
    for _ in range(5):
        known, released = (with_holes(rng, n, columns, share) for n in (25, 18))
        everyone = Guess(np.zeros(18, np.int64), np.array([0, 25]), np.arange(25))
        found = number_boxes(known, released, released).nearest(everyone)
        assert answers(found) == by_loop(known, released)


def test_the_pairs_that_are_assigned_cost_least(monkeypatch) -> None:
    known = np.array([[1.0, NOBODY], [1.0, 2.0], [NOBODY, 2.0]])
    released = known[[2, 0, 1]] + 0.01
    everyone = Guess(np.zeros(3, np.int64), np.array([0, 3]), np.arange(3))
    boxes = number_boxes(known, released, released)
    assert assignment.assign_in_sets(everyone, boxes).tolist() == [2, 0, 1]
    monkeypatch.setattr(assignment, "DENSE", 0)
    assert assignment.assign_in_sets(everyone, boxes).tolist() == [2, 0, 1]


def test_gaps_do_not_change_the_scale_of_a_column() -> None:
    holes = np.array([[1.0, 5.0], [NOBODY, 5.0], [3.0, NOBODY]])
    assert standard_deviations(holes).tolist() == [1.0, 1.0]
    assert standard_deviations(np.array([[NOBODY], [NOBODY]])).tolist() == [1.0]


def test_a_gap_that_stays_a_gap_finds_its_row_among_noisy_numbers() -> None:
    rng = np.random.default_rng(3)
    pay = rng.normal(400, 90, 40)
    pay[[4, 9]] = np.nan
    frame = pl.DataFrame({"pay": pay, "debt": rng.normal(0, 5, 40)}, nan_to_null=True)
    noisy = frame.with_columns(pl.all() + 0.01)
    table = Table.of(frame, qi=[], sa=["pay", "debt"])
    guess = Everything().attack(Table.of(noisy), Knowledge(table), rng=Randomness(1))
    assert answers(guess) == [{row} for row in range(40)]
