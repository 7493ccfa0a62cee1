"""Tests of tokumei.tables.measures.class_size_counts."""

from __future__ import annotations

import numpy as np
import pytest

from tables.measures.population_uniques_helpers import Codes
from tokumei.tables.measures.class_size_counts import SampleClasses
from tokumei.tables.measures.small_fraction_uniques import pitman, poisson_lognormal


def test_models_recover_their_own_populations() -> None:
    rng = np.random.default_rng(5)
    cells = rng.poisson(np.exp(rng.normal(0.5, 1.5, 40_000)))
    rows = np.repeat(np.arange(len(cells)), cells)
    sample = np.bincount(rng.choice(rows, len(rows) // 10, replace=False))
    found = poisson_lognormal(SampleClasses.from_sizes(sample), len(rows))
    assert found.usable
    assert found.uniques == pytest.approx((cells == 1).sum(), rel=0.1)
    people = restaurant(rng, 30_000, alpha=0.6, theta=300.0)
    counts = np.bincount(people[rng.choice(30_000, 3_000, replace=False)])
    estimate = pitman(SampleClasses.from_sizes(counts), 30_000)
    assert estimate.usable
    assert estimate.uniques == pytest.approx((np.bincount(people) == 1).sum(), rel=0.15)


def restaurant(rng: np.random.Generator, customers: int, *, alpha: float, theta: float) -> Codes:
    """The table of every customer of a Chinese restaurant: Pitman's model itself."""
    tables: list[int] = []
    people = np.zeros(customers, dtype=np.int64)
    for seated in range(customers):
        owner = len(tables)
        if rng.random() >= (theta + alpha * owner) / (theta + seated):
            owner = people[int(rng.integers(seated))]
            while rng.random() < alpha / tables[owner]:
                owner = people[int(rng.integers(seated))]
        if owner == len(tables):
            tables.append(0)
        tables[owner] += 1
        people[seated] = owner
    return people
