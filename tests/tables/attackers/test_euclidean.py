"""The worked example's attacks. Row numbers in comments are the paper's, from 1."""

from __future__ import annotations

import numpy as np

from support.boxes import number_boxes
from support.paper import SA, B, D, G, X
from tables.attackers.paper_attacks_helpers import RNG
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.registry import attackers


def guess(name: str, released: Table, **params: object) -> Guess:
    return attackers.build(name, params).attack(released, Knowledge(X), rng=RNG)


def test_distances_of_b1() -> None:
    b1 = B.numbers(SA)[:1]
    to_a1, to_a2 = np.sqrt(
        number_boxes(X.numbers(SA)[:2], b1, b1).squares(np.zeros(2, int), np.arange(2))
    )
    assert round(float(to_a1), 3) == 14.142
    assert round(float(to_a2), 1) == 322.8


def test_euc1_on_d_answers_the_rows_own_numbers() -> None:
    answers = guess("EUC1", D).draw(np.random.default_rng(1))
    assert (answers + 1).tolist() == [1, 2, 3, 4]
    turned = guess("EUC1", D.take(np.array([3, 2, 1, 0]))).draw(np.random.default_rng(1))
    # Rows 1 and 2 of the turned file have no match and answer 1 and 2, whoever they are.
    assert (turned + 1).tolist() == [1, 2, 2, 1]


def test_swap_defeats_the_nearest_row() -> None:
    # (200,100) is nearer to (100,100) than to (200,400), (100,400) nearer to (200,400);
    # (300,500) goes to (400,500), (400,200) to (300,200)
    assert (guess("EUC1", G).draw(np.random.default_rng(1)) + 1).tolist() == [1, 2, 4, 3]
