"""Monthly sales against adding up day by day in fractions."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.histories import history, rows
from support.released_histories import Row, Small, day, row_lists, smalls, unchanged
from tokumei.core.randomness import Randomness
from tokumei.histories.anonymizers.rank_match import RankMatch
from tokumei.histories.measures.monthly_sales import MonthlySales, MonthlyShape, monthly_curves
from tokumei.histories.measures.protocol import HistoryCase

Curve = dict[date, Fraction]


def month(number: int) -> date:
    return day(number).replace(day=1)


def true_curve(small: Small) -> Curve:
    curve: Curve = {}
    for row in small.rows:
        curve[month(row[1])] = curve.get(month(row[1]), Fraction(0)) + row[3] * row[4]
    return curve


def seen_curve(small: Small) -> Curve:
    curve: Curve = {}
    unknown = Fraction(0)
    for row in small.left:
        if row[1] is None:
            unknown += small.sales(row)
            continue
        low, high = row[1]
        for number in range(low, high + 1):
            share = small.sales(row) / (high - low + 1)
            curve[month(number)] = curve.get(month(number), Fraction(0)) + share
    size = sum(abs(sales) for sales in curve.values())
    return {at: sales + (unknown * abs(sales) / size if size else 0) for at, sales in curve.items()}


@given(small=smalls())
def test_curves_and_error_are_those_of_the_loops(small: Small):
    true, seen = true_curve(small), seen_curve(small)
    curves = monthly_curves(small.case)
    months = curves["month"].to_list()
    assert months[0] == min([*true, *seen])
    assert months[-1] == max([*true, *seen])
    assert curves["original"].to_list() == [float(true.get(at, 0)) / 100 for at in months]
    wanted = [float(seen.get(at, 0)) / 100 for at in months]
    assert curves["released"].to_list() == pytest.approx(wanted, rel=1e-9, abs=1e-6)
    sold = sum(abs(sales) for sales in true.values())
    if sold:
        wrong = sum(abs(seen.get(at, 0) - true.get(at, 0)) for at in months)
        value = MonthlySales().score(small.case).value
        assert value == pytest.approx(float(wrong / sold), rel=1e-9, abs=1e-6)


@given(rows=row_lists())
def test_a_release_that_says_everything_has_no_error(rows: list[Row]):
    assert MonthlySales().score(Small(rows, unchanged(rows)).case).value == 0


def test_an_interval_is_spread_over_its_days():
    """12 days of December and 8 of January: 20 pieces at 1.00, one a day."""
    rows = [("c1", 0, "i1", 100, 20)]
    case = Small(rows, [("11", (0, 19), ("i1",), (100, 100), (20, 20))]).case
    curves = monthly_curves(case)
    assert curves["month"].to_list() == [date(2010, 12, 1), date(2011, 1, 1)]
    assert curves["original"].to_list() == [20.0, 0.0]
    assert curves["released"].to_list() == pytest.approx([12.0, 8.0])
    assert MonthlySales().score(case).value == pytest.approx(16 / 20)


def test_a_day_given_up_follows_the_known_curve():
    rows = [("c1", 0, "i1", 100, 3), ("c1", 20, "i1", 100, 1), ("c1", 20, "i1", 100, 4)]
    released = unchanged(rows)
    released[2] = ("11", None, ("i1",), (100, 100), (4, 4))
    assert monthly_curves(Small(rows, released).case)["released"].to_list() == [6.0, 2.0]


def test_deleted_or_unplaceable_sales_are_missing():
    rows = [("c1", 0, "i1", 100, 3), ("c2", 1, "i1", 100, 1)]
    assert MonthlySales().score(Small(rows, [None, None]).case).value == 1
    given_up = [(name, None, None, None, None) for name in ("11", "12")]
    assert MonthlySales().score(Small(rows, given_up).case).value == 1
    unplaced = [(name, None, ("i1",), (100, 100), (2, 2)) for name in ("11", "12")]
    assert MonthlySales().score(Small(rows, unplaced).case).value == 1
    assert MonthlySales().score(Small(rows, [unchanged(rows)[0], None]).case).value == 0.25


def test_without_any_sales_there_is_no_error_or_no_measure_of_it():
    rows = [("c1", 0, "i1", 0, 3)]
    assert MonthlySales().score(Small(rows, unchanged(rows)).case).value == 0
    wrong = [("11", (0, 0), ("i1",), (0, 100), (3, 3))]
    assert MonthlySales().score(Small(rows, wrong).case).value == math.inf


@given(data=rows(customers=4, most=30), k=st.integers(2, 3), factor=st.integers(1, 5))
def test_the_shape_does_not_see_the_level(data: list[Row], k: int, factor: int) -> None:
    source = history(data)
    if len(source.customers) < k:
        return
    release = RankMatch(k).anonymize(source, rng=Randomness(1)).rows
    curves = monthly_curves(HistoryCase(source, release))
    true, seen = curves["original"].to_list(), curves["released"].to_list()
    wrong = sum(abs(s / (sum(seen) or 1) - t / sum(true)) for s, t in zip(seen, true, strict=True))
    spans = replace(release.quantity, low=release.quantity.low * factor,
                    high=release.quantity.high * factor)  # fmt: skip
    case = HistoryCase(source, replace(release, quantity=spans))
    assert MonthlyShape().score(case).value == pytest.approx(wrong / 2)
