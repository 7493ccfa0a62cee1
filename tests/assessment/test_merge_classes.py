"""Classes are merged until enough people share them, and no further than needed."""

from __future__ import annotations

import numpy as np
from tests.assessment.small_releases import column

from tokumei.assessment.merge_classes import merge_classes


def merged(values: list, k: int, people: list[int] | None = None, cells: list | None = None):
    owners = np.arange(len(values)) if people is None else np.array(people)
    return merge_classes({"x": column(values, cells)}, owners, k)["x"].to_list()


def test_rows_are_cut_at_the_median() -> None:
    assert merged([31, 20, 30, 21], 2) == ["[30;31]", "[20;21]", "[30;31]", "[20;21]"]


def test_people_are_counted_rather_than_rows() -> None:
    assert merged([20, 21, 30, 31], 2, people=[0, 0, 1, 1]) == ["[20;31]"] * 4
    assert merged([20, 21, 30, 31], 2, people=[0, 1, 0, 1]) == ["[20;21]"] * 2 + ["[30;31]"] * 2


def test_a_class_of_one_value_keeps_it() -> None:
    assert merged([20, 20, 30, 30], 2) == ["20", "20", "30", "30"]
    assert merged([20, 20, 20], 5) == ["20"] * 3


def test_words_become_sets_and_gaps_nothing() -> None:
    assert merged(["a", "b", "c", "c"], 2) == ["{a;b}", "{a;b}", "c", "c"]
    assert merged(["a", None], 2) == ["*", "*"]
    assert merged([20, None], 2) == ["*", "*"]


def test_the_widest_column_is_cut_first() -> None:
    columns = {"x": column([1, 2, 1, 2]), "y": column([5, 5, 5, 5])}
    found = merge_classes(columns, np.arange(4), 2)
    assert found["x"].to_list() == ["1", "2", "1", "2"]
    assert found["y"].to_list() == ["5"] * 4
