"""Tests of tokumei.pseudonyms.measures.contest_measures."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings

from pseudonyms.measures.judges_utilities_helpers import number
from support.period_cases import DELETED, Small, smalls
from tokumei.core.errors import UsageError
from tokumei.pseudonyms.measures.contest_measures import (
    DateShift,
    PriceChange,
    RowsDeleted,
    WorstMeasure,
    judge_safety,
    judge_total,
    score_measures,
    select_measures,
)
from tokumei.pseudonyms.registry import measures as period_measures


@pytest.mark.parametrize("name", ["cross_tables", "master_k"])
def test_measures_of_customers_need_them(name: str):
    case = Small([DELETED], [DELETED]).case
    with pytest.raises(UsageError, match=f"{name} needs the customers"):
        score_measures(case, [name])


def day(text: str) -> date | None:
    try:
        return date(*map(int, text.split("/")))
    except ValueError:
        return None


@given(small=smalls())
def test_row_losses_by_loops(small: Small):
    days = prices = 0.0
    for row, new in small.pairs:
        before, after = day(row[2]), day(new[2])
        days += 31 if after is None else min(abs((after - before).days), 31)
        old, price = float(row[5]), number(new[5])
        if price is None or price <= 0:
            prices += 1
        else:
            prices += 1 - min(old, price) / max(old, price)
    rows = len(small.rows)
    assert DateShift().score(small.case).value == pytest.approx(days / 31 / rows)
    assert PriceChange().score(small.case).value == pytest.approx(prices / rows)
    gone = (rows - len(small.pairs)) / rows
    assert RowsDeleted(digits=None).score(small.case).value == pytest.approx(gone)
    assert RowsDeleted().score(small.case).value == pytest.approx(gone, abs=0.5001e-4)


def test_cells_that_were_odd_before_cost_nothing_if_they_stay():
    rows = [["c1", "0", "?", "9:00", "a", price, "1"] for price in ("", "0", "-1")]
    small = Small(rows, [["p", *row[1:]] for row in rows])
    assert PriceChange().score(small.case).value == DateShift().score(small.case).value == 0
    moved = Small(rows, [["p", "0", "2011/1/1", "9:00", "a", "2", "1"] for _ in rows])
    assert PriceChange().score(moved.case).value == DateShift().score(moved.case).value == 1


def test_a_day_far_outside_its_month_costs_no_more_than_one():
    row = ["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]
    small = Small([row, row], [["p", "0", "2011/3/1", *row[3:]], ["p", *row[1:]]])
    assert DateShift().score(small.case).value == 1 / 2


def test_rows_are_rounded_as_by_the_judge():
    rows = [["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]] * 3
    case = Small(rows, [DELETED, *rows[1:]]).case
    assert RowsDeleted().score(case).value == 0.3333


NINE = ["itemcf", "itemcf_supply", "itemcf_retail", "topk", "topk_similarity", "date", "price",
        "rows", "worst"]  # fmt: skip


@settings(max_examples=30)
@given(small=smalls(odd=False))
def test_every_loss_is_within_its_bounds_and_worst_is_the_largest_of_seven(small: Small):
    scores = score_measures(small.case)
    assert list(scores) == NINE
    for name, score in scores.items():
        low, high = period_measures.get(name).bounds
        assert low <= score.value <= high, name
    seven = [scores[name].value for name in NINE[1:-1]]
    assert scores["worst"].value == max(seven) == WorstMeasure().score(small.case).value


@settings(max_examples=30)
@given(small=smalls())
def test_nothing_is_lost_when_only_names_change(small: Small):
    same = Small(small.rows, [["p" + row[0], *row[1:]] for row in small.rows])
    scores = score_measures(same.case)
    assert [score.value for score in scores.values()] == pytest.approx([0] * len(NINE), abs=1e-12)


def test_names_stand_for_several_measures():
    case = Small([DELETED], [DELETED]).case
    assert select_measures(False) == NINE
    further = select_measures(False, ["all"])
    assert further[: len(NINE)] == NINE
    assert "rfm" in further
    assert "master_k" not in further
    assert select_measures(False, ["rfm", "default"]) == ["rfm", *NINE]
    assert [score.value for score in score_measures(case).values()] == [0] * 7 + [1, 1]


def test_the_judges_total():
    rates = {"S1": [0.1, 0.2, 0.3, 0.4], "S2": [0.9, 0.0, 0.0, 0.0]}
    assert judge_safety(rates) == pytest.approx(0.25)
    assert judge_total(0.75, 0.25) == 0.5
    for nothing in ({}, {"S1": []}):
        with pytest.raises(UsageError, match="no attack"):
            judge_safety(nothing)
