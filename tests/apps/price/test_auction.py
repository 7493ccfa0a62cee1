"""Tests of tokumei.apps.price.auction."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei.apps.price.auction import auction_cost
from tokumei.core.errors import UsageError


def test_the_cases_of_the_paper():
    assert auction_cost(30, [50, 40], clicks=10) == 300, "below all others: the own bid"
    assert auction_cost(30, [50, 20, 10], clicks=10) == 210, "above: the next bid and one unit"
    assert auction_cost(30, [20], clicks=0, minimum=5) == 5, "no click: the minimum"
    assert auction_cost(30, [29.5], clicks=1, unit=1) == 30, "never more than the own bid"
    assert auction_cost(30, [], clicks=2) == 60


@given(
    bid=st.integers(0, 1000),
    others=st.lists(st.integers(0, 1000), max_size=6),
    clicks=st.integers(1, 50),
)
def test_nobody_pays_more_than_bid_or_less_than_the_next_bid(bid, others, clicks):
    cost = auction_cost(bid, others, clicks=clicks)
    assert cost <= bid * clicks
    assert all(cost >= other * clicks for other in others if other < bid)


def test_negative_figures_are_refused():
    with pytest.raises(UsageError):
        auction_cost(-1, [], clicks=1)
