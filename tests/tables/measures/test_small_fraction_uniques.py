"""Tests of tokumei.tables.measures.small_fraction_uniques."""

from __future__ import annotations

from math import exp, lgamma, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from tables.measures.population_uniques_helpers import MANY, SIZES
from tokumei.tables.measures.class_size_counts import SampleClasses
from tokumei.tables.measures.small_fraction_uniques import (
    _bulmer_expansion,
    _LognormalFit,
    _PitmanLikelihood,
    expected_uniques,
    pitman,
    poisson_lognormal,
)


@given(sizes=SIZES, alpha=st.floats(0.0, 0.95), theta=st.floats(0.1, 50))
def test_pitman_likelihood_equals_its_formula(
    sizes: np.ndarray, alpha: float, theta: float
) -> None:
    n, u = int(sizes.sum()), len(sizes)
    value = sum(log(theta + i * alpha) for i in range(1, u))
    value -= sum(log(theta + i) for i in range(1, n))
    value += sum(log(i - alpha) for size in sizes for i in range(1, size))
    likelihood = _PitmanLikelihood.of(SampleClasses.from_sizes(sizes))
    at = np.array([alpha, log(theta + alpha)])
    loss, slope = likelihood.loss(at)
    assert loss == pytest.approx(-value / n, rel=1e-9, abs=1e-9)
    if alpha > 0.01:
        for j in range(2):
            step = np.eye(2)[j] * 1e-6
            difference = likelihood.loss(at + step)[0] - likelihood.loss(at - step)[0]
            assert slope[j] == pytest.approx(difference / 2e-6, rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(("alpha", "theta"), [(0.0, 2.0), (0.4, 1.0), (0.7, 5.0)])
def test_pitman_expectation_equals_the_chinese_restaurant(alpha: float, theta: float) -> None:
    """Seating 30 customers: E(uniques) by its recursion over the customers."""
    tables = singles = 0.0
    for seated in range(30):
        new = (theta + alpha * tables) / (theta + seated)
        singles += new - singles * (1 - alpha) / (theta + seated)
        tables += new
    assert expected_uniques(alpha, theta, 30) == pytest.approx(singles, rel=1e-9)


def test_pitman_finds_no_better_likelihood_on_a_grid() -> None:
    sample = SampleClasses.from_sizes(MANY)
    found = pitman(sample, 20_000)
    alpha, theta = found.parameters["alpha"], found.parameters["theta"]
    best = _PitmanLikelihood.of(sample).loss(np.array([alpha, log(theta + alpha)]))[0]
    for a in np.linspace(0, 0.95, 20):
        for t in np.geomspace(0.1, 1e5, 40):
            assert best <= _PitmanLikelihood.of(sample).loss(np.array([a, log(t + a)]))[0] + 1e-12
    assert found.usable


@pytest.mark.parametrize(("mu", "sigma"), [(-2.0, 1.5), (0.5, 0.8), (-6.0, 3.0)])
def test_poisson_lognormal_likelihood_equals_the_integral(mu: float, sigma: float) -> None:
    sizes = np.array([1, 1, 1, 2, 5, 30, 290])

    def chance(j: int) -> float:
        def inner(l: float) -> float:  # noqa: E741
            normal = exp(-(((l - mu) / sigma) ** 2) / 2) / (sigma * (2 * np.pi) ** 0.5)
            return normal * exp(j * l - exp(l) - lgamma(j + 1))

        # The chances are tiny: only a relative tolerance means anything.
        middle = [log(j) if j else -3.0, mu]
        return float(quad(inner, -45, 8, limit=500, points=middle, epsabs=0, epsrel=1e-10)[0])

    value = sum(log(chance(int(j))) for j in sizes) - len(sizes) * log(1 - chance(0))
    fit = _LognormalFit.of(SampleClasses.from_sizes(sizes))
    assert fit.loss(np.array([mu, sigma])) == pytest.approx(-value / len(sizes), rel=1e-5)
    # beyond the grid's sizes an expansion takes over
    assert _bulmer_expansion(np.array([301.0]), mu, sigma)[0] == pytest.approx(
        chance(301), rel=0.02
    )


def test_a_model_that_does_not_converge_says_so() -> None:
    everyone = SampleClasses.from_sizes(np.ones(50, dtype=np.int64))
    assert not pitman(everyone, 1000).converged
    flat = SampleClasses.from_sizes(np.full(40, 3))
    assert not poisson_lognormal(flat, 1200).converged
