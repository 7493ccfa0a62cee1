"""Identified, guessed right, smallest class, confidently wrong: by their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from tests.assessment.small_releases import AGES, CLASSES_OF_FIVE, column, figures, known

from tokumei.assessment.attacker_figures import attack_exactly, name_exact_attacker

TEN = np.arange(10)


def test_two_classes_of_five() -> None:
    found = attack_exactly([known(AGES, CLASSES_OF_FIVE)], TEN, TEN)
    assert (found.identified, found.confidently_wrong, found.not_fitting) == (0, 0, 0)
    assert found.guessed_right == pytest.approx(2)  # 10 · 1/5
    assert found.share == pytest.approx(0.2)
    assert found.smallest_class == 5
    assert found.baseline == pytest.approx(0.1)


def test_whoever_is_alone_is_identified() -> None:
    found = attack_exactly([known([1, 1, 1, 2])], np.arange(4), np.arange(4))
    assert found.identified == 1
    assert found.guessed_right == pytest.approx(3 * 1 / 3 + 1)
    assert found.smallest_class == 1


def test_a_person_is_found_by_the_row_that_tells_most() -> None:
    people = np.array([0, 0, 1, 2])
    found = attack_exactly([known(["x", "y", "x", "x"])], np.arange(4), people)
    # Person 0 alone has y; for the others three people have x.
    assert (found.total, found.identified) == (3, 1)
    assert found.guessed_right == pytest.approx(1 + 1 / 3 + 1 / 3)


def test_a_wrong_link_makes_the_attacker_confidently_wrong() -> None:
    found = attack_exactly([known(["a", "b", "c"])], np.array([1, 0, 2]), np.arange(3))
    assert (found.identified, found.confidently_wrong, found.not_fitting) == (1, 2, 2)
    assert found.guessed_right == 1
    assert found.if_all_fit == (3, 3.0)


@pytest.mark.parametrize(("fraction", "identified"), [(0.91, 2), (0.9, 2), (0.89, 0)])
def test_sure_from_nine_of_ten_on(fraction: float, identified: int) -> None:
    found = attack_exactly([known(["a", "b"])], np.arange(2), np.arange(2), fraction=fraction)
    assert found.identified == identified
    assert found.guessed_right == pytest.approx(2 * fraction)


def test_a_journalist_chooses_from_the_population() -> None:
    found = attack_exactly([known(AGES, CLASSES_OF_FIVE)], TEN, TEN, fraction=0.1)
    assert found.share == pytest.approx(0.02)
    assert found.smallest_class == 50
    assert found.baseline == pytest.approx(0.01)


def test_certain_values_are_counted_in_people() -> None:
    people = np.array([0, 0, 1, 2])
    found = attack_exactly(
        [known(["x", "x", "x", "y"])],
        np.arange(4),
        people,
        sensitive=[column(["flu", "flu", "flu", "gout"])],
    )
    assert found.certain_values == {"x": 3}


def test_chances_by_row_are_those_of_the_target() -> None:
    found = attack_exactly([known(["a", "a", "b", "c"])], np.array([0, 1, 3, 2]), np.arange(4))
    assert found.row_chances is not None
    assert found.row_chances.tolist() == [0.5, 0.5, 0, 0]


def test_the_interval_is_that_of_wilson() -> None:
    low, high = figures(total=10, targets=10).interval(1)
    assert (low, high) == pytest.approx((0.0179, 0.4042), abs=5e-5)


def test_a_limit_is_held_against_the_end_of_the_interval_only_if_sampled() -> None:
    assert figures(total=10, targets=10).upper(1) == pytest.approx(0.1)
    assert figures(total=10, targets=10, is_sampled=True).upper(1) == pytest.approx(
        0.4042, abs=5e-5
    )


def test_identified_makes_an_attacker_stronger_than_guessing() -> None:
    assert figures(identified=1, guessed_right=1).strength > figures(guessed_right=50).strength


def test_whoever_knows_nothing_guesses_blindly() -> None:
    found = attack_exactly([], TEN, TEN)
    assert found.share == found.baseline == pytest.approx(0.1)
    assert found.name.show("en") == "guesses blindly"
    assert name_exact_attacker(["age", "sex"]).show("en") == "links by age, sex"
