"""Noise: the right size, whole numbers stay whole, nothing falls below zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.core.randomness import Randomness
from tokumei.tables.anonymizers.noise import Distribution, Noise, draw_noise
from tokumei.tables.data.table import Table

N = 40_000


def noisy(values: Any, **params: Any) -> pl.Series:
    source = Table.of(pl.DataFrame({"q": [1] * len(values), "s": values}), qi=["q"], sa=["s"])
    made = Noise(**params).anonymize(source, rng=Randomness(1), shuffle=False)
    return made.public.frame["s"]


@pytest.mark.parametrize(
    ("distribution", "kurtosis"), [("laplace", 6.0), ("normal", 3.0), ("uniform", 1.8)]
)
@pytest.mark.parametrize(("scale", "unit"), [(0.1, "sd"), (2.0, "sd"), (30.0, "absolute")])
def test_mean_spread_and_shape(
    distribution: Distribution, kurtosis: float, scale: float, unit: Any
) -> None:
    values = np.random.default_rng(2).normal(1e6, 50.0, N)
    moved = noisy(values, scale=scale, unit=unit, distribution=distribution).to_numpy() - values
    sd = scale * values.std() if unit == "sd" else scale
    assert abs(moved.mean()) < 5 * sd / np.sqrt(N)
    assert moved.std() == pytest.approx(sd, rel=0.03)
    assert stats.kurtosis(moved, fisher=False) == pytest.approx(kurtosis, rel=0.15)
    assert abs(np.corrcoef(moved, values)[0, 1]) < 5 / np.sqrt(N)


def test_uniform_noise_is_bounded() -> None:
    drawn = draw_noise("uniform", 2.0, N, np.random.default_rng(1))
    assert np.abs(drawn).max() <= 2.0 * np.sqrt(3.0)


def test_columns_get_independent_noise() -> None:
    same = np.full(N, 1e6)
    source = Table.of(pl.DataFrame({"q": [1] * N, "s": same, "t": same}), qi=["q"], sa=["s", "t"])
    made = Noise(1.0, unit="absolute").anonymize(source, rng=Randomness(1), shuffle=False)
    s, t = made.public.numbers(["s", "t"]).T
    assert abs(np.corrcoef(s, t)[0, 1]) < 5 / np.sqrt(N)


@given(
    values=st.lists(st.integers(-5, 50), min_size=1, max_size=20),
    scale=st.floats(0, 5),
    distribution=st.sampled_from(["laplace", "normal", "uniform"]),
)
def test_whole_numbers_and_signs_are_kept(
    values: list[int], scale: float, distribution: Distribution
) -> None:
    found = noisy(values, scale=scale, distribution=distribution)
    assert found.dtype == pl.Int64
    if min(values) >= 0:
        assert found.min() >= 0


def test_negative_columns_may_grow_more_negative() -> None:
    assert noisy([-1.0] * 500, scale=1.0, unit="absolute").min() < -1


@pytest.mark.parametrize("values", [[3, 0, -2, 7], [0.5, 0.25, -1.5], [0, 0, 0], [2.5], [2**40, 1]])
def test_scale_zero_changes_nothing(values: list[float]) -> None:
    assert noisy(values, scale=0.0).to_list() == values


def test_a_constant_column_has_no_sd_and_gets_no_noise() -> None:
    assert noisy([7, 7, 7], scale=5.0).to_list() == [7, 7, 7]


def test_small_integer_types_do_not_overflow() -> None:
    found = noisy(pl.Series([0, 255, 250, 255] * 20, dtype=pl.UInt8), scale=1.0)
    assert found.max() > 255


@pytest.mark.parametrize("scale", [-0.1, float("nan"), float("inf")])
def test_impossible_scale(scale: float) -> None:
    with pytest.raises(UsageError, match="scale must be a finite number of at least 0"):
        Noise(scale)


def test_chosen_columns_only() -> None:
    frame = pl.DataFrame({"q": [1, 2, 3], "s": [10, 20, 30], "t": [10, 20, 30]})
    source = Table.of(frame, qi=["q"], sa=["s", "t"])
    made = Noise(5.0, columns=("t",)).anonymize(source, rng=Randomness(1), shuffle=False)
    assert made.public.frame["s"].equals(frame["s"])
    assert not made.public.frame["t"].equals(frame["t"])
    with pytest.raises(UnknownNameError, match="noise: unknown column 'u'"):
        Noise(columns=("u",)).anonymize(source, rng=Randomness(1))


@pytest.mark.parametrize("values", [["a", "b"], [1.0, math.inf], ["[1;2]", "3"]])
def test_what_is_no_number_is_named(values: list[Any]) -> None:
    with pytest.raises(InputError, match=r"noise: .*finite numbers"):
        noisy(values)
