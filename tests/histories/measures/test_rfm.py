"""RFM segments against loops over customers and pseudonyms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given

from support.released_histories import Row, Small, row_lists, smalls, unchanged
from tokumei.histories.measures.protocol import HistoryCase
from tokumei.histories.measures.rfm import (
    Rfm,
    RfmFrequency,
    RfmMonetary,
    RfmRecency,
    original_quintiles,
    released_quintiles,
)

MEASURES = (RfmRecency(), RfmFrequency(), RfmMonetary())


def quintiles(values: dict[str, Any]) -> dict[str, int]:
    found = {}
    for name, value in values.items():
        below = sum(other < value for other in values.values())
        equal = sum(other == value for other in values.values())
        place = (below + Fraction(equal, 2)) / len(values)
        found[name] = next(q for q in range(1, 6) if place < Fraction(q, 5))
    return found


def segments(
    rows: list[Any], day: Callable[[Any], Any], sales: Callable[[Any], Any]
) -> dict[str, list[int]]:
    people = dict.fromkeys(row[0] for row in rows)
    own = {name: [row for row in rows if row[0] == name] for name in people}
    parts = [
        quintiles({name: max(day(row) for row in mine) for name, mine in own.items()}),
        quintiles({name: len(mine) for name, mine in own.items()}),
        quintiles({name: sum(sales(row) for row in mine) for name, mine in own.items()}),
    ]
    return {name: [part[name] for part in parts] for name in people}


def both_sides(small: Small) -> list[tuple[list[int], list[int] | None]]:
    true = segments(small.rows, lambda row: row[1], lambda row: row[3] * row[4])
    seen = segments(small.left, lambda row: small.estimate("day", row[1]), small.sales)
    return [(true[name], seen.get(small.pseudonym(name) or "")) for name in small.customers]


def agreement(case: HistoryCase) -> SimpleNamespace:
    """The shares of customers in the same quintiles, and in the same ones of all three."""
    same = original_quintiles(case) == released_quintiles(case)
    recency, frequency, monetary = same.mean(axis=0)
    cell = same.all(axis=1).mean()
    return SimpleNamespace(recency=recency, frequency=frequency, monetary=monetary, cell=cell)


@given(small=smalls())
def test_quintiles_are_those_of_the_loops(small: Small):
    sides = both_sides(small)
    number = len(sides)
    found = agreement(small.case)
    for place, part in enumerate(("recency", "frequency", "monetary")):
        same = sum(seen is not None and seen[place] == true[place] for true, seen in sides)
        assert getattr(found, part) == pytest.approx(same / number)
    assert found.cell == pytest.approx(sum(true == seen for true, seen in sides) / number)


@given(small=smalls())
def test_measures_give_the_agreement_and_what_chance_would(small: Small):
    sides, number = both_sides(small), len(small.customers)
    found = agreement(small.case)
    chances = []
    for place, measure in enumerate(MEASURES):
        pairs = [(true[place], seen and seen[place]) for true, _ in sides for _, seen in sides]
        chances.append(sum(true == seen for true, seen in pairs) / number**2)
        score = measure.score(small.case)
        assert score.value == getattr(found, measure.parts[0])
        assert score.baseline == pytest.approx(chances[-1])
    score = Rfm().score(small.case)
    assert score.value == pytest.approx((found.recency + found.frequency + found.monetary) / 3)
    assert score.baseline == pytest.approx(sum(chances) / 3)
    assert score.sample == number


@given(rows=row_lists())
def test_a_release_that_says_everything_keeps_every_segment(rows: list[Row]):
    found = agreement(Small(rows, unchanged(rows)).case)
    assert (found.recency, found.frequency, found.monetary, found.cell) == (1, 1, 1, 1)


def test_nothing_is_kept_when_all_is_deleted():
    rows = [("c1", 0, "i1", 100, 1), ("c2", 3, "i1", 100, 1)]
    found = agreement(Small(rows, [None, None]).case)
    assert (found.recency, found.cell) == (0, 0)
    assert Rfm().score(Small(rows, [None, None]).case).baseline == 0


def test_one_customer_is_in_the_middle_on_both_sides_even_if_all_is_given_up():
    rows = [("c1", 0, "i1", 100, 1)]
    assert agreement(Small(rows, [("17", None, None, None, None)]).case).cell == 1


def test_equal_histories_tie_in_whatever_order_their_rows_come():
    """The mean that stands for `*` is 61/3 here, and floats would add up differently."""
    orders = {"c1": (10, 20, 31, None, None, None), "c2": (10, None, None, None, 20, 31)}
    mean = 61 / 3
    sums = {sum(mean if price is None else price for price in prices) for prices in orders.values()}
    assert len(sums) == 2
    rows, released = [], []
    for name, prices in orders.items():
        for price in prices:
            rows.append((name, 0, "i1", 10, 1))
            cell = None if price is None else (price, price)
            released.append((f"1{name[1:]}", (0, 0), ("i1",), cell, (1, 1)))
    assert agreement(Small(rows, released).case).monetary == 1
