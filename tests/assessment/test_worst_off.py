"""Groups of ten people or more who are guessed right more often than all."""

from __future__ import annotations

import numpy as np
from tests.assessment.small_releases import column

from tokumei.assessment.worst_off import WorstOffGroup, find_worst_off

TOWNS = column(["Aki"] * 10 + ["Ino"] * 20)
CHANCES = np.array([0.5] * 10 + [0.2] * 20)


def test_the_group_above_the_average_is_named() -> None:
    found = find_worst_off({"town": TOWNS}, CHANCES, np.arange(30))
    assert found == [WorstOffGroup("town", "Aki", 10, 0.5)]


def test_fewer_than_ten_people_are_never_named() -> None:
    nine = column(["Aki"] * 9 + ["Ino"] * 21)
    chances = np.array([1.0] * 9 + [0.2] * 21)
    assert find_worst_off({"town": nine}, chances, np.arange(30)) == []
    rows_of_five = np.concatenate([np.arange(10) // 2, np.arange(5, 25)])
    assert find_worst_off({"town": TOWNS}, CHANCES, rows_of_five) == []


def test_a_person_counts_by_the_row_that_tells_most() -> None:
    people = np.concatenate([np.arange(10), np.arange(10), 10 + np.arange(10)])
    chances = np.array([0.4] * 10 + [0.1] * 20)
    # Aki: rows of people 0 to 9 at .4; over all: (10 · .4 + 10 · .1) / 20 = .25.
    (found,) = find_worst_off({"town": TOWNS}, chances, people)
    assert (found.cell, found.people, round(found.share, 12)) == ("Aki", 10, 0.4)
