"""Tests of tokumei.histories.data.cell_parsing."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

from support.histories import history
from tokumei.histories.data.cell_parsing import parse_general_history
from tokumei.histories.data.generalized_history import format_general_history
from tokumei.histories.data.history import COLUMNS, History
from tokumei.histories.measures.protocol import history_loss


def test_strange_items_of_a_release_count_as_members() -> None:
    source = history([("a", date(2011, 1, 1), "x", 1.0, 1)])
    cells = [("1", "2011/1/1", "{x;z}", "1", "*"), ("1", "*", "*", "*", "1")]
    text = pl.DataFrame(cells, schema=list(COLUMNS), orient="row")
    assert format_general_history(parse_general_history(text, source)).equals(text)
    back = parse_general_history(text.head(1), source)
    assert back.item.sizes.tolist() == [2]
    assert back.quantity.star.tolist() == [True]
    assert back.item.holds(np.array([0])).tolist() == [True]


ONE = ("a", date(2011, 1, 1), "x", 1.0, 1)


@pytest.mark.parametrize(
    ("column", "cell", "low", "high"),
    [
        ("quantity", "[9;2]", None, None),
        ("quantity", "[2;9]", 2, 9),
        ("quantity", "two", None, None),
        ("price", "[1.495;1.505]", 149, 151),
        ("price", "1.5", 150, 150),
        ("day", "[2011/2/30;2011/3/1]", None, None),
    ],
)
def test_cells_that_are_no_intervals_are_stars(
    column: str, cell: str, low: int | None, high: int | None
) -> None:
    cells = {"customer": "1", "day": "2011/1/1", "item": "x", "price": "1", "quantity": "1"}
    text = pl.DataFrame([cells | {column: cell}])
    spans = parse_general_history(text, history([ONE])).interval_cells(column)
    assert spans.star.tolist() == [low is None]
    if low is not None:
        assert (spans.low[0], spans.high[0]) == (low, high)


@pytest.mark.parametrize("cell", ["{x;*}", "{}", "", "{x;}", "*"])
def test_item_cells_that_are_no_sets_are_stars(cell: str) -> None:
    text = pl.DataFrame([("1", "2011/1/1", cell, "1", "1")], schema=list(COLUMNS), orient="row")
    assert parse_general_history(text, history([ONE])).item.sizes.tolist() == [0]


def test_prices_of_more_decimals_are_still_counted_in_cents():
    plain = [("c1", "2011/1/1", "i1", "0.001", "1"), ("c2", "2011/1/1", "i1", "0.005", "1")]
    original = History.of(pl.DataFrame(plain, schema=list(COLUMNS), orient="row"))
    text = pl.DataFrame(
        [("7", "2011/1/1", "i1", "[0.001;0.005]", "1"), ("*",) * 5],
        schema=list(COLUMNS),
        orient="row",
    )
    released = parse_general_history(text, original)
    assert original.decimals == 3
    cell = (0.4**2 + 0.4) / (2 * 0.2 * 1.4)
    assert history_loss(original, released).parts["price"] == pytest.approx((cell + 1) / 2)
