"""Tests of tokumei.core.datasets.customers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokumei.core.datasets.customers import (
    DAY_COUNT,
    FAVOURITE_PRODUCT_TYPES,
    Customers,
    draw_customers,
    draw_visits,
)
from tokumei.core.datasets.items import draw_catalogue
from tokumei.core.randomness import Randomness


def _customers(count: int, rows: int, seed: int) -> Customers:
    rng = Randomness(seed)
    return draw_customers(count, rows, draw_catalogue(200, rng.child("goods")), rng.child("people"))


@settings(max_examples=60)
@given(count=st.integers(1, 80), more=st.integers(0, 500), seed=st.integers(0, 2**32))
def test_rows_are_shared_out_exactly(count: int, more: int, seed: int) -> None:
    customers = _customers(count, count + more, seed)
    assert customers.rows.sum() == count + more
    assert customers.rows.min() >= 1
    assert len(set(customers.code.tolist())) == count
    assert customers.things.shape == (count, FAVOURITE_PRODUCT_TYPES)
    assert (np.diff(customers.start) > 0).all()
    assert customers.start[-1] == len(customers.favourite)


@settings(max_examples=40)
@given(count=st.integers(1, 60), more=st.integers(0, 400), seed=st.integers(0, 2**32))
def test_a_visit_belongs_to_one_customer_and_visits_are_in_time_order(
    count: int, more: int, seed: int
) -> None:
    customers = _customers(count, count + more, seed)
    visits = draw_visits(customers, Randomness(seed))
    assert np.bincount(visits.row_customer, minlength=count).tolist() == customers.rows.tolist()
    assert (np.diff(visits.day) >= 0).all()
    assert visits.day.min() >= 0
    assert visits.day.max() < DAY_COUNT
    owners: dict[int, int] = {}
    for visit, owner in zip(visits.row_visit.tolist(), visits.row_customer.tolist(), strict=True):
        assert owners.setdefault(visit, owner) == owner


@pytest.mark.parametrize(("count", "digits"), [(1, 5), (90_000, 5), (90_001, 6)])
def test_customer_numbers_have_five_digits_while_they_last(count: int, digits: int) -> None:
    codes = _customers(count, count, 1).code
    assert len(np.unique(codes)) == count
    assert {len(str(code)) for code in codes.tolist()} == {digits}


def test_favourites_are_mostly_of_the_favourite_things() -> None:
    rng = Randomness(4)
    catalogue = draw_catalogue(2000, rng)
    customers = draw_customers(50, 5000, catalogue, rng)
    shares = []
    for place in range(50):
        own = customers.favourite[customers.start[place] : customers.start[place + 1]]
        shares.append(np.isin(catalogue.thing[own], customers.things[place]).mean())
    assert 0.65 < np.mean(shares) < 0.85
