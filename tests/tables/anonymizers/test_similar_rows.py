"""Tests of tokumei.tables.anonymizers.similar_rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tables.anonymizers.microaggregate_helpers import real
from tokumei.tables.anonymizers.similar_rows import (
    group_within_classes,
    mdav_groups,
    mdav_on_scaled,
)


@given(n=st.integers(2, 40), k=st.integers(2, 6), seed=st.integers(0, 99), ties=st.booleans())
def test_mdav_groups_have_k_to_2k_minus_1_rows(n: int, k: int, seed: int, ties: bool) -> None:
    values = np.random.default_rng(seed).normal(size=(n, 2))
    groups = mdav_groups(values.round() if ties else values, k)
    sizes = Counter(groups.tolist())
    if n >= k:
        assert all(k <= size <= 2 * k - 1 for size in sizes.values())
    assert sum(sizes.values()) == n


def slow_mdav(points: list[list[float]], k: int) -> set[frozenset[int]]:
    """Domingo-Ferrer and Torra 2005, on points without ties."""

    def far(i: int, center: list[float]) -> float:
        return sum((a - b) ** 2 for a, b in zip(points[i], center, strict=True))

    def center(rows: list[int]) -> list[float]:
        return [sum(points[i][j] for i in rows) / len(rows) for j in range(len(points[0]))]

    def around(row: int, rows: list[int]) -> list[int]:
        return sorted(rows, key=lambda i: far(i, points[row]))[:k]

    left, groups = list(range(len(points))), []
    while len(left) >= 3 * k:
        middle = center(left)
        first = max(left, key=lambda i: far(i, middle))
        groups.append(around(first, left))
        left = [i for i in left if i not in groups[-1]]
        second = max(left, key=lambda i: far(i, points[first]))
        groups.append(around(second, left))
        left = [i for i in left if i not in groups[-1]]
    if len(left) >= 2 * k:
        middle = center(left)
        groups.append(around(max(left, key=lambda i: far(i, middle)), left))
        left = [i for i in left if i not in groups[-1]]
    return {frozenset(group) for group in [*groups, left]}


@given(n=st.integers(4, 30), k=st.integers(2, 4), seed=st.integers(0, 999))
def test_mdav_groups_are_those_of_the_slow_mdav(n: int, k: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=(n, 3)) * [1, 100, 0.01]
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    groups = mdav_groups(values, k)
    found = {frozenset(np.flatnonzero(groups == g).tolist()) for g in np.unique(groups)}
    assert found == slow_mdav(scaled.tolist(), k)


@given(
    st.lists(st.tuples(st.integers(0, 2), real, real), min_size=1, max_size=30),
    st.integers(2, 4),
)
def test_near_groups_are_those_of_each_class_alone(rows: list[tuple[Any, ...]], k: int) -> None:
    values, classes = np.array([row[1:] for row in rows]), np.array([row[0] for row in rows])
    sd = values.std(axis=0)
    scaled = (values - values.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    found = group_within_classes(values, classes, k)
    for one in set(classes.tolist()):
        inside = np.flatnonzero(classes == one)
        assert not set(found[inside]) & set(found[classes != one])
        sizes = Counter(found[inside].tolist()).values()
        assert all(min(k, len(inside)) <= size <= max(2 * k - 1, 0) for size in sizes)
        alone = mdav_on_scaled(scaled[inside], k)
        together = Counter(zip(found[inside].tolist(), alone.tolist(), strict=True))
        assert len(together) == len(set(found[inside])) == len(set(alone))
