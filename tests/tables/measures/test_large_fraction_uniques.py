"""Tests of tokumei.tables.measures.large_fraction_uniques."""

from __future__ import annotations

from math import comb, exp, isfinite, lgamma

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.measures.population_uniques_helpers import MANY, SIZES
from tokumei.tables.measures.class_size_counts import SampleClasses
from tokumei.tables.measures.large_fraction_uniques import (
    _SlideNegativeBinomial,
    slide_negative_binomial,
    zayatz,
)


@given(sizes=SIZES, more=st.integers(0, 40))
def test_zayatz_equals_bayes_with_whole_numbers(sizes: np.ndarray, more: int) -> None:
    n, population = int(sizes.sum()), int(sizes.sum()) + more
    chances = [j * comb(population - j, n - 1) / comb(population, n) for j in sizes.tolist()]
    ones = int((sizes == 1).sum())
    bayes = ones * chances[list(sizes).index(1)] / sum(chances) if ones else 0.0
    found = zayatz(SampleClasses.from_sizes(sizes), population)
    assert found.uniques == pytest.approx(ones * population / n * bayes, rel=1e-9)


def test_snb_solves_both_equations() -> None:
    sample = SampleClasses.from_sizes(MANY)
    found = slide_negative_binomial(sample, 20_000)
    model = _SlideNegativeBinomial(
        found.parameters["alpha"], found.parameters["beta"], sample.rows / 20_000
    )
    classes = 20_000 / model.mean
    assert classes * (1 - model.unseen) == pytest.approx(sample.classes, rel=1e-6)
    assert classes * model.chance_seen_once == pytest.approx(sample.of_size(1), rel=1e-6)
    assert found.uniques == pytest.approx(classes * (1 - model.beta) ** model.alpha)


@pytest.mark.parametrize(("alpha", "beta"), [(0.5, 0.3), (2.0, 0.6), (0.1, 0.9)])
def test_snb_chances_equal_sums_over_class_sizes(alpha: float, beta: float) -> None:
    pi, none, once, mean = 0.2, 0.0, 0.0, 0.0
    for x in range(600):
        chance = exp(lgamma(x + alpha) - lgamma(alpha) - lgamma(x + 1)) * beta**x
        chance *= (1 - beta) ** alpha
        mean += chance * (x + 1)
        none += chance * (1 - pi) ** (x + 1)
        once += chance * (x + 1) * pi * (1 - pi) ** x
    model = _SlideNegativeBinomial(alpha, beta, pi)
    assert [model.mean, model.unseen, model.chance_seen_once] == pytest.approx([mean, none, once])


def test_snb_without_a_solution_says_so() -> None:
    found = slide_negative_binomial(SampleClasses.from_sizes(np.array([50, 50, 50])), 1500)
    assert not found.usable
    assert not isfinite(found.uniques)
