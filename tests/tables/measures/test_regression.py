"""The overlap of regression coefficients against the formulas of one explaining number."""

from __future__ import annotations

import math
import random

import numpy as np
import polars as pl
import pytest

from tokumei.core.errors import UnknownNameError, UsageError
from tokumei.tables.data.comparison import Comparison
from tokumei.tables.data.table import Table
from tokumei.tables.measures.regression import (
    Intervals,
    RegressionOverlap,
    fit_intervals,
    interval_overlaps,
)


def slope_interval(x: list[float], y: list[float]) -> tuple[float, float]:
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    sxx = sum((a - mx) ** 2 for a in x)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sxx
    rest = sum((b - my - slope * (a - mx)) ** 2 for a, b in zip(x, y, strict=True))
    half = 1.959963984540054 * math.sqrt(rest / (n - 2) / sxx)
    return slope - half, slope + half


def test_the_interval_of_a_slope() -> None:
    chance = random.Random(1)
    x = [chance.uniform(0, 10) for _ in range(40)]
    y = [2 * a + chance.gauss(0, 3) for a in x]
    found = fit_intervals(np.array(x)[:, None], np.array(y))
    assert (found.low[0], found.high[0]) == pytest.approx(slope_interval(x, y))


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ((0, 2), (0, 2), 1.0),
        ((0, 2), (1, 3), 0.5),
        ((0, 4), (1, 2), (1 / 4 + 1) / 2),
        ((0, 1), (2, 3), 0.0),
        ((1, 1), (1, 1), 1.0),
        ((1, 1), (2, 2), 0.0),
    ],
)
def test_overlaps(first: tuple[float, float], second: tuple[float, float], overlap: float) -> None:
    pair = [Intervals(np.array([float(a)]), np.array([float(b)])) for a, b in (first, second)]
    assert interval_overlaps(*pair).tolist() == [overlap]


def case() -> Comparison:
    """Ages are released as ranges of which the middle is known."""
    chance = random.Random(2)
    ages = [chance.randrange(20, 60) for _ in range(300)]
    sexes = [chance.choice("fm") for _ in ages]
    people = zip(ages, sexes, strict=True)
    pay = [3.0 * age + 20 * (sex == "m") + chance.gauss(0, 30) for age, sex in people]
    frame = pl.DataFrame({"age": ages, "sex": sexes, "pay": pay})
    ranges = [f"[{age // 10 * 10};{age // 10 * 10 + 9}]" for age in ages]
    released = frame.with_columns(age=pl.Series(ranges))
    tables = [Table.of(one, qi=["age", "sex"], sa=["pay"]) for one in (frame, released)]
    return Comparison(*tables, np.arange(300))


def test_ranges_count_as_the_mean_of_their_values() -> None:
    compared = case()
    found = RegressionOverlap("pay ~ age").score(compared).value
    ages = compared.original.frame["age"].to_list()
    pay = compared.original.frame["pay"].to_list()
    values = sorted(set(ages))
    means = [
        sum(inside) / len(inside)
        for age in ages
        for inside in [[v for v in values if v // 10 == age // 10]]
    ]
    before, after = slope_interval([float(a) for a in ages], pay), slope_interval(means, pay)
    common = min(before[1], after[1]) - max(before[0], after[0])
    widths = [end - begin for begin, end in (before, after)]
    assert found == pytest.approx((common / widths[0] + common / widths[1]) / 2, rel=1e-6)
    assert 0.5 < RegressionOverlap("pay ~").score(compared).value <= 1
    assert RegressionOverlap("pay ~ sex + age").score(compared).sample == 2


def test_what_cannot_be_asked_for() -> None:
    for model, error, words in (
        ("pay", UsageError, "write the model like"),
        ("age ~ sex", UnknownNameError, "unknown column 'age'"),
        ("pay ~ pay", UnknownNameError, "unknown column 'pay'"),
    ):
        with pytest.raises(error, match=words):
            RegressionOverlap(model).score(case())
