"""Tests of tokumei.pseudonyms.measures.topk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pseudonyms.measures.judges_utilities_helpers import distance, items_of, one
from support.period_cases import DELETED, Row, Small, smalls
from tokumei.pseudonyms.measures.topk import TopK, TopKSimilarity


def top(rows: list[Row], items: list[str], k: int) -> list[str]:
    buyers = {item: {row[0] for row in rows if row[4] == item} for item in items}
    ranked = sorted(items, key=lambda item: (len(buyers[item]), item), reverse=True)
    return [item for item in ranked[:k] if buyers[item]]


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
