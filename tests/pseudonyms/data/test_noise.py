"""Spelling and noise of cells, against the obvious way."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tokumei.core.randomness import Randomness
from tokumei.pseudonyms.data.noise import (
    draw_days_in_month,
    format_days,
    format_prices,
    format_quantities,
    format_times,
    month_bounds,
    round_half_up,
    scale_prices,
    set_day_of_month,
    shift_values,
)

EPOCH = date(1970, 1, 1)


days = st.lists(st.integers(0, 40_000), min_size=1, max_size=20).map(np.array)


def as_date(day: int) -> date:
    return EPOCH + timedelta(days=int(day))


@given(days)
def test_days_are_spelled_without_zeros(numbers):
    found = format_days(numbers).to_list()
    assert found == [f"{d.year}/{d.month}/{d.day}" for d in map(as_date, numbers)]


@given(st.lists(st.integers(0, 1439), min_size=1))
def test_times_are_spelled_as_in_the_files(minutes):
    found = format_times(np.array(minutes)).to_list()
    assert found == [f"{m // 60}:{m % 60:02d}" for m in minutes]


@given(st.lists(st.integers(0, 9_999_999), min_size=1))
def test_prices_have_no_needless_zeros(cents):
    found = format_prices(np.array(cents) / 100).to_list()
    assert [round(float(text) * 100) for text in found] == cents
    assert found == [f"{c / 100:.2f}".rstrip("0").rstrip(".") for c in cents]
    assert format_quantities(np.array(cents, dtype=float)).to_list() == [str(c) for c in cents]


@given(days, st.integers(1, 31))
def test_a_fixed_day_is_the_last_of_a_short_month(numbers, day):
    for old, new in zip(numbers, set_day_of_month(numbers, day), strict=True):
        month = as_date(old)
        last = calendar.monthrange(month.year, month.month)[1]
        assert as_date(new) == month.replace(day=min(day, last))


@given(days, st.integers(0, 40), st.integers(0, 5))
def test_moved_days_stay_near_and_in_their_month(numbers, most, seed):
    first, last = month_bounds(numbers)
    moved = shift_values("day", numbers, most, Randomness(seed))
    assert (np.abs(moved - numbers) <= most).all()
    for found in (moved, draw_days_in_month(numbers, Randomness(seed))):
        assert ((first <= found) & (found <= last)).all()
        for old, new in zip(map(as_date, numbers), map(as_date, found), strict=True):
            assert (old.year, old.month) == (new.year, new.month)


def test_every_day_of_the_month_is_as_likely():
    found = draw_days_in_month(np.full(30_000, 45), Randomness(1))
    counts = np.bincount(found - 31)
    assert len(counts) == 28
    assert (np.abs(counts - 30_000 / 28) < 150).all()


@given(st.lists(st.integers(0, 1439), min_size=1), st.integers(0, 2000), st.integers(0, 5))
def test_moved_times_stay_on_their_day(minutes, most, seed):
    moved = shift_values("time", np.array(minutes), most, Randomness(seed))
    assert (np.abs(moved - minutes) <= most).all()
    assert ((moved >= 0) & (moved < 1440)).all()


@given(st.lists(st.integers(0, 9_999_999), min_size=1), st.floats(0, 0.99), st.integers(0, 5))
def test_prices_stay_within_their_share(cents, share, seed):
    prices = np.array(cents) / 100
    moved = scale_prices(prices, share, Randomness(seed))
    assert (np.abs(moved - prices) <= prices * share + 0.01).all()
    assert ((moved > 0) == (prices > 0)).all()
    assert (moved <= 99_999.99).all()


def test_noise_uses_its_whole_range_and_no_more():
    moved = shift_values("quantity", np.full(5000, 7.0), 2, Randomness(1))
    assert sorted(set(moved.tolist())) == [5, 6, 7, 8, 9]
    low = shift_values("quantity", np.full(5000, 1.0), 2, Randomness(1))
    assert sorted(set(low.tolist())) == [1, 2, 3]
    assert (shift_values("quantity", np.full(99, 999_999.0), 5, Randomness(1)) <= 999_999).all()
    prices = scale_prices(np.full(5000, 100.0), 0.1, Randomness(1))
    assert prices.min() < 90.1 < 109.9 < prices.max()


def test_halves_are_rounded_up():
    assert [round_half_up(0.5, n) for n in range(6)] == [0, 1, 1, 2, 2, 3]
    # 0.29 · 50 is 14.4999… in binary.
    assert round_half_up(0.29, 50) == 15
    assert round_half_up(0.25, 44_917) == 11_229
    assert round_half_up(1.0, 7) == 7
