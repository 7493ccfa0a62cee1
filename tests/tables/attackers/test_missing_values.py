"""Distances where cells are missing, beside a plain loop over all pairs and columns."""

from __future__ import annotations

import numpy as np
import polars as pl

from support.boxes import number_boxes
from tables.attackers.missing_values_helpers import NOBODY, answers
from tokumei.core.randomness import Randomness
from tokumei.tables.attackers import assignment
from tokumei.tables.attackers.everything import Everything
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table


def test_the_pairs_that_are_assigned_cost_least(monkeypatch) -> None:
    known = np.array([[1.0, NOBODY], [1.0, 2.0], [NOBODY, 2.0]])
    released = known[[2, 0, 1]] + 0.01
    everyone = Guess(np.zeros(3, np.int64), np.array([0, 3]), np.arange(3))
    boxes = number_boxes(known, released, released)
    assert assignment.assign_in_sets(everyone, boxes).tolist() == [2, 0, 1]
    monkeypatch.setattr(assignment, "DENSE", 0)
    assert assignment.assign_in_sets(everyone, boxes).tolist() == [2, 0, 1]


def test_a_gap_that_stays_a_gap_finds_its_row_among_noisy_numbers() -> None:
    rng = np.random.default_rng(3)
    pay = rng.normal(400, 90, 40)
    pay[[4, 9]] = np.nan
    frame = pl.DataFrame({"pay": pay, "debt": rng.normal(0, 5, 40)}, nan_to_null=True)
    noisy = frame.with_columns(pl.all() + 0.01)
    table = Table.of(frame, qi=[], sa=["pay", "debt"])
    guess = Everything().attack(Table.of(noisy), Knowledge(table), rng=Randomness(1))
    assert answers(guess) == [{row} for row in range(40)]
