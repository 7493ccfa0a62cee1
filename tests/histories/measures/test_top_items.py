"""Top items against counting in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.released_histories import Row, Small, row_lists, smalls, unchanged
from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.histories.measures.top_items import TopItems, top_original_items, top_released_items

BY = st.sampled_from(["rows", "quantity", "revenue"])


def best(totals: dict[str, Fraction], n: int) -> list[str]:
    return sorted(totals, key=lambda name: (-totals[name], name))[:n]


def true_top(small: Small, n: int, by: str) -> list[str]:
    totals: dict[str, Fraction] = {}
    for _, _, item, price, quantity in small.rows:
        weight = {"rows": 1, "quantity": quantity, "revenue": price * quantity}[by]
        totals[item] = totals.get(item, Fraction(0)) + weight
    return best(totals, n)


def seen_top(small: Small, n: int, by: str) -> list[str]:
    totals: dict[str, Fraction] = {}
    for row in small.left:
        pieces = small.estimate("quantity", row[4])
        weight = {"rows": Fraction(1), "quantity": pieces, "revenue": small.sales(row)}[by]
        for item in row[2] or ():
            totals[item] = totals.get(item, Fraction(0)) + weight / len(row[2])
    return best(totals, n)


@given(small=smalls(), n=st.integers(1, 6), by=BY)
def test_overlap_is_that_of_the_loops(small: Small, n: int, by: Any):
    case = small.case
    n = min(n, len({row[2] for row in small.rows}))
    true, seen = true_top(small, n, by), seen_top(small, n, by)
    assert top_original_items(case.original, n, by) == true
    assert top_released_items(case.released, n, by) == seen
    assert TopItems(n=n, by=by).score(case).value == len(set(true) & set(seen)) / n


@given(rows=row_lists(), by=BY)
def test_a_release_that_says_everything_keeps_all(rows: list[Row], by: Any):
    score = TopItems(by=by).score(Small(rows, unchanged(rows)).case)
    assert (score.value, score.sample) == (1.0, len({row[2] for row in rows}))


def test_deleted_and_given_up_items_are_no_top_items():
    rows = [("c1", 0, "i1", 100, 1), ("c2", 0, "i2", 100, 1)]
    assert TopItems().score(Small(rows, [None, None]).case).value == 0
    given_up = [("11", None, None, None, None), ("12", None, None, None, None)]
    assert TopItems(by="revenue").score(Small(rows, given_up).case).value == 0
    half = [("11", (0, 0), ("i1",), None, None), None]
    assert TopItems().score(Small(rows, half).case).value == 0.5


def test_ten_tenths_tie_with_one():
    """As floats they add up to a little less."""
    assert sum([0.1] * 10) < 1
    ten = tuple(f"a{n}" for n in range(10))
    cells = [*[ten] * 10, ("b",)]
    rows = [("c1", 0, cell[0], 100, 1) for cell in cells]
    small = Small(rows, [("11", (0, 0), cell, (100, 100), (1, 1)) for cell in cells])
    assert top_released_items(small.case.released, 11, "rows") == [*ten, "b"]


def test_wrong_parameters_are_refused():
    with pytest.raises(UsageError, match="at least 1"):
        TopItems(n=0)
    with pytest.raises(UnknownNameError, match="revenue"):
        TopItems(by="revenu")
