"""Tests of tokumei.pseudonyms.measures.itemcf."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pseudonyms.measures.judges_utilities_helpers import distance, items_of, number, one
from support.period_cases import DELETED, Row, Small, smalls
from tokumei.pseudonyms.measures import itemcf as item_distance
from tokumei.pseudonyms.measures.contest_measures import score_measures
from tokumei.pseudonyms.measures.itemcf import ItemCf, ItemCfRetail, ItemCfSupply


def pieces(row: Row) -> float:
    return max(number(row[6]) or 0, 0)


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


@settings(max_examples=30)
@given(small=smalls(), cells=st.sampled_from([1, 2, 7]))
def test_similarities_may_be_computed_in_any_pieces(small: Small, cells: int):
    whole = ItemCf().score(small.case).value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(item_distance, "CELLS_PER_BLOCK", cells)
        assert ItemCf().score(small.case).value == pytest.approx(whole)


def test_what_worst_shares_with_its_seven_is_computed_once(monkeypatch):
    small = Small([["c1", "0", "2011/1/1", "9:00", "a", "1", "1"]], [DELETED])
    calls = []
    real = ItemCfSupply.score
    monkeypatch.setattr(
        ItemCfSupply, "score", lambda self, case: calls.append(self) or real(self, case)
    )
    as_paper = {name: {"as_paper": True} for name in ("itemcf_supply", "worst")}
    score_measures(small.case, params=as_paper)
    assert calls == [ItemCfSupply(as_paper=True)]
