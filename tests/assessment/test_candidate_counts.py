"""How many people fit what is known of a target, and whether the target is among them."""

from __future__ import annotations

import numpy as np
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, column, known

from tokumei.assessment.candidate_counts import find_candidate_sets

TEN = np.arange(10)


def test_rows_that_fit_are_counted() -> None:
    sets = find_candidate_sets([known(AGES, CLASSES_OF_FIVE)], TEN, TEN)
    assert sets.size.tolist() == [5] * 10
    assert sets.holds_target.all()
    assert (sets.classes, sets.is_sampled) == (2, False)


def test_people_are_counted_once_however_many_rows_they_have() -> None:
    people = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 2])
    sets = find_candidate_sets([known(AGES, CLASSES_OF_FIVE)], TEN, people)
    assert sets.size.tolist() == [2] * 5 + [1] * 5


def test_people_in_several_classes_that_fit_are_counted_once() -> None:
    cells = ["[20;30]", "[20;25]", "*", "[30;34]"]
    sets = find_candidate_sets(
        [known([20, 21, 22, 33], cells)], np.arange(4), np.array([0, 0, 1, 2])
    )
    # 20 to 22: rows 0 and 1 (person 0) and row 2; 33: row 2 and row 3.
    assert sets.size.tolist() == [2, 2, 2, 2]


def test_linked_rows_must_fit_all_that_is_known() -> None:
    towns = ["x", "y", "x", "z", "y", "z"]
    people = np.array([0, 0, 1, 1, 2, 2])
    apart = find_candidate_sets([known(towns)], np.arange(6), people)
    linked = find_candidate_sets([known(towns)], np.arange(6), people, linked_rows=True)
    assert apart.size.tolist() == [2] * 6
    assert linked.size.tolist() == [1] * 6


def test_a_target_whose_own_cells_do_not_fit_is_not_held() -> None:
    link = np.array([1, 0, 2])
    sets = find_candidate_sets([known(["a", "b", "c"])], link, np.arange(3))
    assert sets.size.tolist() == [1, 1, 1]
    assert sets.holds_target.tolist() == [False, False, True]


def test_another_row_of_the_person_may_fit() -> None:
    link = np.array([1, 0, 2])
    sets = find_candidate_sets([known(["a", "b", "c"])], link, np.array([0, 0, 1]))
    assert sets.holds_target.all()


def test_a_value_is_certain_if_all_candidates_have_it() -> None:
    illness = column(["flu"] * 5 + ["flu", "gout", "flu", "flu", "flu"])
    sets = find_candidate_sets([known(AGES, CLASSES_OF_FIVE)], TEN, TEN, sensitive=[illness])
    assert sets.certain[0].tolist() == [True] * 5 + [False] * 5


def test_a_suppressed_or_missing_value_is_never_certain() -> None:
    cells = column(["flu"] * 10, ["*"] * 5 + [None] * 5)
    sets = find_candidate_sets([known(AGES, CLASSES_OF_FIVE)], TEN, TEN, sensitive=[cells])
    assert not sets.certain[0].any()


def test_too_many_pairs_are_sampled() -> None:
    ages = known(AGES, CLASSES_OF_FIVE)
    sets = find_candidate_sets([ages], TEN, TEN, max_pairs=4)
    # 2 classes of 5 vectors each: 10 pairs, 4 of them for 4 of the 10 targets.
    assert sets.is_sampled
    assert len(np.unique(sets.targets)) == 4
    assert sets.size.tolist() == [5] * 4
