"""Ranks of values, and the ranks that cells cover."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.assessment.small_releases import column

from tokumei.assessment.column_codes import ColumnCodes


def covered(codes: ColumnCodes, cell: int, values: list[Any]) -> list[Any]:
    """The original values that a released row's cell covers."""
    ranks = codes.value_rank
    rows = np.full(len(ranks), codes.cell_code[cell])
    return [v for v, fits in zip(values, codes.covers(rows, ranks, ranks), strict=True) if fits]


def test_ranks_are_missing_first_then_ascending() -> None:
    codes = column([3, 1, None, 3], [1, 3, 3, None])
    np.testing.assert_array_equal(codes.numbers, [np.nan, 1, 3])
    assert codes.value_rank.tolist() == [2, 1, 0, 2]
    assert codes.low[codes.cell_code].tolist() == [1, 2, 2, 0]


@pytest.mark.parametrize(
    ("values", "cell", "expected"),
    [
        ([20, 22, 24, 30], "[20;24]", [20, 22, 24]),
        ([20, 22, 24, 30], "[21;23]", [22]),
        ([20, 22, 24, 30], "[25;29]", []),
        ([20, 22, None, 30], "*", [20, 22, None, 30]),
        (["a", "b", "c", "d"], "{a;c}", ["a", "c"]),
        (["a", "b", "c", "d"], "b", ["b"]),
    ],
)
def test_a_cell_covers_what_it_may_stand_for(
    values: list[Any], cell: str, expected: list[Any]
) -> None:
    assert covered(column(values, [cell, *["*"] * 3]), 0, values) == expected


def test_a_set_covers_a_range_that_holds_a_member() -> None:
    codes = column(["a", "b", "c", "d"], ["{a;d}", "b", "c", "*"])
    rank = dict(zip("abcd", codes.value_rank.tolist(), strict=True))
    cells, low = np.full(2, codes.cell_code[0]), np.array([rank["b"], rank["b"]])
    assert codes.covers(cells, low, np.array([rank["c"], rank["d"]])).tolist() == [False, True]


def test_numbers_are_moved_if_one_is_more_frequent_than_before() -> None:
    assert column([1, 2, 2], [2, 2, 2]).is_moved
    assert column([1, 2, 2], [1, 2, 3]).is_moved
    assert not column([1, 2, 2], [2, 1, 2]).is_moved
    assert not column([1, 2, 2], [2]).is_moved
    assert not column(["a", "b"], ["b", "b"]).is_moved


def test_words_that_nothing_explains_are_counted() -> None:
    codes = column(["f"] * 5 + ["m"] * 5, ["woman"] * 4 + ["person"] * 6)
    assert codes.unread_rows == 10
    assert column(["f", "m"], ["f", "*"]).unread_rows == 0


def test_a_column_is_constant_if_all_released_cells_are_the_same() -> None:
    assert column([1, 2, 3], ["*", "*", "*"]).is_constant
    assert not column([1, 2, 3], ["*", "*", "3"]).is_constant
