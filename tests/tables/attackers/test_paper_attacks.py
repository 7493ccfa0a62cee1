"""The worked example's attacks. Row numbers in comments are the paper's, from 1."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from support.boxes import number_boxes
from support.paper import SA, B, D, F, G, X, against_x
from tokumei.core.randomness import Randomness
from tokumei.tables.data.guess import Guess, Knowledge
from tokumei.tables.data.table import Table
from tokumei.tables.evaluation_suite import attack_suite
from tokumei.tables.registry import attackers

RNG = Randomness(1)


def guess(name: str, released: Table, **params: object) -> Guess:
    return attackers.build(name, params).attack(released, Knowledge(X), rng=RNG)


def test_distances_of_b1() -> None:
    b1 = B.numbers(SA)[:1]
    to_a1, to_a2 = np.sqrt(
        number_boxes(X.numbers(SA)[:2], b1, b1).squares(np.zeros(2, int), np.arange(2))
    )
    assert round(float(to_a1), 3) == 14.142
    assert round(float(to_a2), 1) == 322.8


@pytest.mark.parametrize(
    ("released", "attack", "rate"),
    [
        (B, "E1", 0.5),  # two rows share each vector
        (B, "E2", 1.0),
        (B, "E3", 1.0),  # X sorts 1,3,2,4 (sums 200,500,600,900), so does B (200,490,610,910)
        (B, "E4", 1.0),
        (B, "EUC1", 1.0),
        (B, "EUC2", 1.0),
        (D, "E1", 0.375),  # rows 1, 2: one of two; rows 3, 4 match nobody: one of four
        (D, "E2", 1.0),
        (D, "EUC1", 1.0),  # rows 3, 4 answer their own numbers
        (D, "EUC2", 1.0),
        (F, "E1", 0.5),
        (F, "E2", 0.5),  # 150 is as far from 100 as from 200
        (F, "EUC1", 0.5),
        (F, "EUC2", 0.5),
        (F, "E3", 0.5),  # in the file's order; by chance it is .25, see below
    ],
)
def test_expected_rates_in_file_order(released: Table, attack: str, rate: float) -> None:
    found = attack_suite(against_x(released), [attack], rng=RNG, as_is=True, expected=True)
    assert found[attack].rate == rate


def test_euc1_on_d_answers_the_rows_own_numbers() -> None:
    answers = guess("EUC1", D).draw(np.random.default_rng(1))
    assert (answers + 1).tolist() == [1, 2, 3, 4]
    turned = guess("EUC1", D.take(np.array([3, 2, 1, 0]))).draw(np.random.default_rng(1))
    # Rows 1 and 2 of the turned file have no match and answer 1 and 2, whoever they are.
    assert (turned + 1).tolist() == [1, 2, 2, 1]


def test_sort_on_f_over_all_tie_orders() -> None:
    """F's sums are 400,400,700,700; X's 200,600,500,900.

    The page's E3 = .5 on F holds only when equal sums keep the file's order, as R's stable sort
    did: rows 1 and 4 are then right. Over all four tie orders the mean is .25: rows 1 and 2 of F
    get ranks 1 and 2, which are rows 1 and 3 of X, so only half of the time row 1 is right; the
    same for row 4.
    """
    ranks_of_x = [0, 2, 1, 3]  # rows of X by sum
    hits = []
    for low, high in itertools.product(itertools.permutations([0, 1]), repeat=2):
        ranks_of_f = [*low, *(2 + row for row in high)]
        hits.append(sum(f == x for f, x in zip(ranks_of_f, ranks_of_x, strict=True)) / 4)
    assert math.fsum(hits) / len(hits) == 0.25
    by_chance = attack_suite(against_x(F), ["E3"], rng=RNG, expected=True)
    assert by_chance["E3"].rate == 0.25
    given_ties = {"E3": {"ties": "random"}}
    asked = attack_suite(
        against_x(F), ["E3"], rng=RNG, as_is=True, expected=True, params=given_ties
    )
    assert asked["E3"].rate == 0.25


def test_swap_defeats_the_nearest_row() -> None:
    # (200,100) is nearer to (100,100) than to (200,400), (100,400) nearer to (200,400);
    # (300,500) goes to (400,500), (400,200) to (300,200)
    assert (guess("EUC1", G).draw(np.random.default_rng(1)) + 1).tolist() == [1, 2, 4, 3]
