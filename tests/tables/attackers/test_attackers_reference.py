"""Every attacker against a brute-force loop, on small tables full of ties and duplicates.

The reference names, for each released row, all equally good answers with their chances.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.small_tables import Small, chances, small_tables, uniform
from tables.attackers.attackers_reference_helpers import (
    ANY,
    NO_SA,
    OPTIONS,
    assert_chances,
    attack,
    euclid,
    everyone,
    nearest_of,
    plain_box,
    same_qi,
)
from tokumei.core.errors import UnknownNameError
from tokumei.tables.registry import attackers


@given(ANY)
def test_e1_is_anyone_with_the_same_qi(case: Small) -> None:
    reference = [
        uniform(same_qi(case, row) or everyone(case), len(case.original)) for row in case.released
    ]
    assert_chances(attack("E1", case), case, reference)


@given(case=ANY, data=st.data())
def test_e2_is_the_nearest_in_one_sa_with_the_same_qi(case: Small, data: st.DataObject) -> None:
    j = data.draw(st.integers(0, len(case.sa) - 1))
    reference = [
        nearest_of(case, row, same_qi(case, row) or everyone(case), [j]) for row in case.released
    ]
    assert_chances(attack("E2", case, column=f"s{j}"), case, reference)
    if j == 0:
        assert_chances(attack("E2", case), case, reference)


@given(case=ANY, data=st.data())
def test_e4_is_the_nearest_in_one_sa_of_all(case: Small, data: st.DataObject) -> None:
    j = data.draw(st.integers(0, len(case.sa) - 1))
    reference = [nearest_of(case, row, everyone(case), [j]) for row in case.released]
    assert_chances(attack("E4", case, column=f"s{j}"), case, reference)
    if j == 0:
        assert_chances(attack("E4", case), case, reference)


def released_sum(case: Small, row: list[Any]) -> float:
    return sum(plain_box(case, row, j)[0] for j in range(len(case.sa)))


def tie_orders(sums: list[float]) -> list[tuple[int, ...]]:
    """Every order of the rows that sorts them."""
    return [
        order
        for order in itertools.permutations(range(len(sums)))
        if all(sums[a] <= sums[b] for a, b in itertools.pairwise(order))
    ]


@given(small_tables(rows=4))
def test_e3_by_chance_is_the_mean_over_all_tie_orders(case: Small) -> None:
    left = tie_orders([sum(case.sa_of(row)) for row in case.original])
    right = tie_orders([released_sum(case, row) for row in case.released])
    reference = [[0.0] * len(case.original) for _ in case.released]
    for known, released in itertools.product(left, right):
        for answer, row in zip(known, released, strict=False):
            reference[row][answer] += 1 / (len(left) * len(right))
    assert_chances(attack("E3", case), case, reference)


@given(small_tables(rows=6, general_sa=True))
def test_e3_in_file_order_is_a_stable_sort(case: Small) -> None:
    known = sorted(everyone(case), key=lambda i: sum(case.sa_of(case.original[i])))
    released = sorted(range(len(case.released)), key=lambda i: released_sum(case, case.released[i]))
    reference = [[0.0] * len(case.original) for _ in case.released]
    for answer, row in zip(known, released, strict=False):
        reference[row][answer] = 1.0
    assert_chances(attack("E3", case, ties="file"), case, reference)


@given(st.one_of(ANY, NO_SA))
def test_euc1_answers_its_own_number_without_a_match(case: Small) -> None:
    for options in OPTIONS:
        reference = euclid(case, lambda i: uniform([i], len(case.original)), **options)
        assert_chances(attack("EUC1", case, **options), case, reference)


@settings(max_examples=150)
@given(st.one_of(ANY, NO_SA))
def test_euc2_searches_everyone_without_a_match(case: Small) -> None:
    for options in OPTIONS:
        reference = euclid(case, None, **options)
        assert_chances(attack("EUC2", case, **options), case, reference)


@pytest.mark.parametrize("name", ["E2", "E4"])
@pytest.mark.parametrize("column", ["s9", "q0"])  # one that does not exist, and a QI
def test_one_column_attacks_name_the_sensitive_columns(name: str, column: str) -> None:
    case = Small(["q0"], ["s0"], [[1, 2]], [[1, 2]], [0])
    with pytest.raises(UnknownNameError, match=f"unknown column '{column}'.*Valid: s0"):
        attack(name, case, column=column)


@settings(max_examples=20)
@given(NO_SA)
def test_without_sensitive_columns_one_column_attacks_abstain(case: Small) -> None:
    for name in ("E2", "E4"):
        assert not attack(name, case).answered.any()


@settings(max_examples=20)
@given(NO_SA)
def test_without_sensitive_columns_sorting_is_blind(case: Small) -> None:
    n = len(case.original)
    assert_chances(attack("E3", case), case, [[1 / n] * n for _ in case.released])


def test_a_missing_or_endless_value_is_no_crash() -> None:
    rows = [[1, "a", 1, 1], [1, "a", 2, 2], [1, "a", 9, 3]]
    for cell in (None, "*", "[2;inf]"):
        released = [rows[0], [1, "a", cell, 2], rows[2]]
        case = Small(["q0", "q1"], ["s0", "s1"], rows, released, [0, 1, 2])
        for name in attackers.names():
            assert attack(name, case).answered.all(), (name, cell)
        assert chances(attack("linkage", case), 3, 3)[1][1] == 1.0


def test_a_known_cell_that_is_itself_general_matches_itself() -> None:
    """Age bands such as [20;29] in the original are plain values to the attacker."""
    rows = [["[20;29]", "a", 1, 1], ["[30;39]", "a", 2, 2]]
    released = [["[30;39]", "{a;b}", 2, 2], ["[20;29]", "{a;b}", 1, 1]]
    case = Small(["q0", "q1"], ["s0", "s1"], rows, released, [1, 0])
    assert chances(attack("EUC1", case, aware=True), 2, 2) == [[0.0, 1.0], [1.0, 0.0]]
