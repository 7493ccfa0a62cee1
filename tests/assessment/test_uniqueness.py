"""People whose released cells nobody else has, and the columns that make it so."""

from __future__ import annotations

import numpy as np

from tokumei.assessment.uniqueness import count_unique, measure_uniqueness, name_telling_columns

GRID = {"age": np.array([0, 0, 1, 1]), "sex": np.array([0, 1, 0, 1]), "one": np.zeros(4, int)}
ROWS = np.arange(4)


def test_unique_only_by_several_columns() -> None:
    found = measure_uniqueness(GRID, ROWS)
    assert found.unique == 4
    assert found.without == {"age": 0, "sex": 0, "one": 4}
    assert found.by == [(("age",), 0), (("age", "sex"), 4)]


def test_a_person_is_unique_by_rows_that_only_this_person_has() -> None:
    classes = {"x": np.array([0, 0, 1, 1, 2])}
    # 0 is of person 0 alone, though twice; 1 of two people; 2 again of person 0.
    assert count_unique(classes, ["x"], np.array([0, 0, 1, 2, 0])) == 1
    assert count_unique(classes, ["x"], np.arange(5)) == 1
    assert count_unique(classes, ["x"], np.array([0, 0, 1, 1, 2])) == 3


def test_without_columns_only_a_single_person_is_unique() -> None:
    assert count_unique(GRID, [], ROWS) == 0
    assert count_unique(GRID, [], np.array([0])) == 1
    assert count_unique({}, [], np.array([], dtype=int)) == 0


def test_the_column_that_tells_most_comes_first_and_is_enough() -> None:
    columns = {"age": np.array([0, 0, 1, 2]), "uid": ROWS}
    assert name_telling_columns(columns, ROWS) == [(("uid",), 4)]


def test_nobody_unique_names_no_columns() -> None:
    found = measure_uniqueness({"x": np.array([0, 0, 1, 1])}, ROWS)
    assert (found.unique, found.without, found.by) == (0, {}, [])
    assert found.to_dict() == {"unique": 0, "without": {}, "by": []}
