"""The judge's utilities against loops over rows, straight from their definitions."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.period_cases import DELETED, Row, Small, smalls
from tokumei.pseudonyms.measures.contest_measures import DateShift, PriceChange, RowsDeleted
from tokumei.pseudonyms.measures.itemcf import ItemCf, ItemCfRetail, ItemCfSupply
from tokumei.pseudonyms.measures.topk import TopK, TopKSimilarity

Value = Callable[[Row], float]


def number(text: str) -> float | None:
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def day(text: str) -> date | None:
    try:
        return date(*map(int, text.split("/")))
    except ValueError:
        return None


def pieces(row: Row) -> float:
    return max(number(row[6]) or 0, 0)


def one(row: Row) -> float:
    return 1


def columns(rows: list[Row], items: list[str], value: Value, entry: Value) -> dict:
    """For each item the entries of its buyers that are not 0."""
    sums: dict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        if row[0] != "DEL" and row[4] in items:
            sums[row[0], row[4]] += value(row)
    found: dict[str, dict[str, float]] = {item: {} for item in items}
    for (user, item), total in sums.items():
        if entry(total):
            found[item][user] = entry(total)
    return found


def cosine(x: dict[str, float], y: dict[str, float]) -> float:
    if not x or not y:
        return 0.0
    product = sum(x[user] * y[user] for user in x if user in y)
    return product / math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))


def distance(small: Small, items: list[str], value: Value, entry: Value, diagonal: bool) -> float:
    original = columns(small.rows, items, value, entry)
    released = columns(small.released, items, value, entry)
    changed = total = 0.0
    for i in items:
        for j in items:
            w = cosine(original[i], original[j])
            if w != 0 and (diagonal or i != j):
                changed += abs(w - cosine(released[i], released[j]))
                total += w
    return min(changed / total, 1) if total else 0.0


def items_of(small: Small) -> list[str]:
    return sorted({row[4] for row in small.rows})


def top(rows: list[Row], items: list[str], k: int) -> list[str]:
    buyers = {item: {row[0] for row in rows if row[4] == item} for item in items}
    ranked = sorted(items, key=lambda item: (len(buyers[item]), item), reverse=True)
    return [item for item in ranked[:k] if buyers[item]]


@given(small=smalls(), diagonal=st.booleans())
def test_itemcf_is_the_distance_of_cosines(small: Small, diagonal: bool):
    wanted = distance(small, items_of(small), one, lambda n: n, diagonal)
    assert ItemCf(as_paper=diagonal).score(small.case).value == pytest.approx(wanted)


@given(small=smalls(), cap=st.sampled_from([1, 2, 6, None]))
def test_supply_counts_capped_dozens(small: Small, cap: int | None):
    wanted = distance(
        small,
        items_of(small),
        pieces,
        lambda n: n // 12 if cap is None else min(n // 12, cap),
        diagonal=False,
    )
    assert ItemCfSupply(cap=cap).score(small.case).value == pytest.approx(wanted)


@given(small=smalls())
def test_retail_counts_up_to_eleven_pieces(small: Small):
    wanted = distance(small, items_of(small), pieces, lambda n: n if n <= 11 else 0, False)
    assert ItemCfRetail().score(small.case).value == pytest.approx(wanted)


def test_as_the_paper_purchases_count_with_the_diagonal_and_without_cap():
    # c1 bought a 150 times and b 12 times, c2 a 12 times, c3 b 24 times.
    bought = [("c1", "a", 150), ("c1", "b", 12), ("c2", "a", 12), ("c3", "b", 24)]
    rows = [[c, "0", "2011/1/1", "9:00", i, "1", "1"] for c, i, n in bought for _ in range(n)]
    released = [["p" + row[0], *row[1:]] for row in rows]
    released[0] = ["q", *released[0][1:]]
    small = Small(rows, released)
    for measure, entry in (
        (ItemCfSupply(as_paper=True), lambda n: n // 12),
        (ItemCfRetail(as_paper=True), lambda n: n if n <= 11 else 0),
    ):
        wanted = distance(small, ["a", "b"], one, entry, True)
        assert measure.score(small.case).value == pytest.approx(wanted)
    # 149 purchases are still 12 dozens; pieces would give no dozen to the pair at all.
    assert ItemCfSupply(as_paper=True).score(small.case).value == 0
    gone = Small(rows, [DELETED if row[4] == "b" else row for row in released])
    assert ItemCfSupply(as_paper=True).score(gone.case).value == pytest.approx(
        distance(gone, ["a", "b"], one, lambda n: n // 12, True)
    )
    assert 0 < ItemCfSupply(as_paper=True).score(gone.case).value < 1


@given(small=smalls(), k=st.integers(1, 7), diagonal=st.booleans())
def test_top_items_by_buyers(small: Small, k: int, diagonal: bool):
    items = items_of(small)
    true, seen = top(small.rows, items, k), top(small.released, items, k)
    lost = len(set(true) - set(seen)) / min(k, len(items))
    assert TopK(k=k).score(small.case).value == pytest.approx(lost)
    wanted = distance(small, true, one, lambda n: 1, diagonal)
    found = TopKSimilarity(k=k, as_paper=diagonal).score(small.case).value
    assert found == pytest.approx(wanted)


def test_among_items_with_as_many_buyers_the_larger_text_is_first():
    rows = [["c1", "0", "2011/1/1", "9:00", item, "1", "1"] for item in ("9", "10", "B", "a")]
    released = [row if row[4] in {"10", "9"} else DELETED for row in rows]
    # As text 10 < 9 < B < a: T's first two are a and B, A(T)'s 9 and 10.
    assert TopK(k=2).score(Small(rows, released).case).value == 1
    assert TopK(k=3).score(Small(rows, released).case).value == pytest.approx(2 / 3)
    assert TopK(k=4).score(Small(rows, released).case).value == pytest.approx(2 / 4)


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
