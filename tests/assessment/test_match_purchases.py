"""Released rows are matched with purchases of their customer."""

from __future__ import annotations

import numpy as np
import polars as pl

from tokumei.assessment.column_codes import ColumnCodes
from tokumei.assessment.match_purchases import match_noisy_rows, match_rows


def codes(original: list[object], released: list[object]) -> ColumnCodes:
    return ColumnCodes.of(pl.Series("x", original), pl.Series("x", released), None)


def test_every_row_gets_a_purchase_that_fits_it() -> None:
    column = codes([1, 2, 3, 4], ["[1;4]", "1", "[3;4]"])
    link, strays = match_rows({"x": column}, np.zeros(3, int), np.zeros(4, int))
    assert strays == 0
    assert link[1] == 0
    assert link[2] in (2, 3)
    assert len(set(link.tolist())) == 3


def test_rows_of_another_customer_are_strays() -> None:
    column = codes([1, 2, 3, 4], [3, 4])
    link, strays = match_rows({"x": column}, np.zeros(2, int), np.array([0, 0, 1, 1]))
    assert strays == 2
    assert len(set(link.tolist())) == 2


def test_moved_numbers_are_matched_by_what_stayed_and_by_nearness() -> None:
    item = codes(["a", "b", "c", "a"], ["c", "a", "b", "a"])
    price = codes([10, 20, 30, 40], [31, 39, 22, 11])
    columns = {"item": item, "price": price}
    link, strays = match_noisy_rows(columns, np.zeros(4, int), np.zeros(4, int))
    assert (link.tolist(), strays) == ([2, 3, 1, 0], 0)
