"""Tests of tokumei.tables.verification.class_check_base."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from scipy.optimize import linprog

from support.privacy_reference import climb, step
from tables.verification.privacy_models_helpers import ORDER, QI, TABLES, TREE, table
from tokumei.tables.data.table import Table
from tokumei.tables.verification.class_check_base import ClassValues, class_values
from tokumei.tables.verification.t_closeness import (
    equal_distance,
    hierarchical_distance,
    number_ancestors,
    ordered_distance,
    rank_values,
)


def transport(counts: list[int], totals: list[int], ground: np.ndarray) -> float:
    """The least Σ flow·distance that turns p into q, by linear programming."""
    m = len(counts)
    leaves = np.kron(np.eye(m), np.ones(m))
    arrives = np.kron(np.ones(m), np.eye(m))
    shares = [np.array(n) / sum(n) for n in (counts, totals)]
    solved = linprog(ground.ravel(), A_eq=np.vstack([leaves, arrives]), b_eq=np.concatenate(shares))
    assert solved.success
    return float(solved.fun)


def ground_distances(kind: str, values: list[int]) -> np.ndarray:
    m = range(len(values))
    if kind == "ordered":
        return np.array([[float(step(i, j, len(values))) for j in m] for i in m])
    if kind == "hierarchical":
        return np.array([[float(climb(i, j)) for j in values] for i in values])
    return 1 - np.eye(len(values))


def distances(kind: str, found: ClassValues) -> list[float]:
    if kind == "ordered":
        return list(ordered_distance(found, rank_values(found.values, ORDER)))
    if kind == "hierarchical":
        return list(hierarchical_distance(found, number_ancestors(found.values, TREE)))
    return list(equal_distance(found))


@pytest.mark.parametrize("kind", ["equal", "ordered", "hierarchical"])
def test_distances_solve_the_transport_problem(kind: str) -> None:
    for small in TABLES[:60]:
        (found,) = class_values(table(small), QI, ["s"])
        ground = ground_distances(kind, small.values)
        expected = [transport(n, small.totals, ground) for n in small.classes.values()]
        assert distances(kind, found) == pytest.approx(expected, abs=1e-9)


def test_ordered_distance_with_many_values_equals_cumulated_shares() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({"a": rng.integers(0, 40, 3000), "s": rng.normal(size=3000).round(2)})
    (found,) = class_values(Table.of(frame, qi=["a"], sa=["s"]), ["a"], ["s"])
    distance = ordered_distance(found, rank_values(found.values, ()))
    values = np.unique(frame["s"].to_numpy())
    for place, row in enumerate(found.first):
        members = frame.filter(pl.col("a") == frame["a"][int(row)])["s"].to_numpy()
        ours = np.searchsorted(np.sort(members), values, side="right") / len(members)
        all_of = np.searchsorted(np.sort(frame["s"].to_numpy()), values, side="right") / 3000
        expected = np.abs(ours - all_of).sum() / (len(values) - 1)
        assert distance[place] == pytest.approx(expected, abs=1e-12)
