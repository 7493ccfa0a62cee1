"""Months for days, groups of items for items."""

from __future__ import annotations

import datetime

import polars as pl

from tokumei.assessment.coarser_purchases import group_items, widen_days


def test_days_and_intervals_become_whole_months() -> None:
    cells = pl.Series("day", ["2011-02-03", "[2011-01-31;2011-03-01]", "*"])
    widened = widen_days(cells)
    assert widened is not None
    assert widened.to_list() == ["[2011-02-01;2011-02-28]", "[2011-01-01;2011-03-31]", "*"]
    dates = widen_days(pl.Series("day", [datetime.date(2012, 2, 10)]))
    assert dates is not None
    assert dates.to_list() == ["[2012-02-01;2012-02-29]"]


def test_what_is_no_day_is_left() -> None:
    assert widen_days(pl.Series("day", ["*", "*"])) is None


def test_items_that_begin_alike_are_one_group() -> None:
    items = pl.Series("item", ["10a", "10b", "20c"])
    grouped = group_items(pl.Series("item", ["10a", "20c", "{10a;20c}", "*"]), items, 2)
    assert grouped is not None
    assert grouped.to_list() == ["{10a;10b}", "20c", "{10a;10b;20c}", "*"]


def test_items_with_a_semicolon_have_no_sets() -> None:
    assert group_items(pl.Series("item", ["a;b"]), pl.Series("item", ["a;b"]), 1) is None
