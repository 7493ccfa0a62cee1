"""Both kernels find the same pairs as a loop over all distances, ties included."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial import cKDTree

from tokumei.tables.attackers import neighbour_search
from tokumei.tables.attackers.neighbour_search import (
    nearest_points,
    search_by_ball,
    search_by_blocks,
    search_two_nearest,
)

Kernel = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
Pairs = list[tuple[int, int]]

KERNELS: dict[str, Kernel] = {
    "ball": lambda points, queries: search_by_ball(cKDTree(points), queries),
    "tree": lambda points, queries: search_two_nearest(cKDTree(points), queries),
    "blocks": search_by_blocks,
    "chosen": nearest_points,
}


def brute(points: np.ndarray, queries: np.ndarray) -> Pairs:
    pairs = []
    for i, query in enumerate(queries):
        far = np.sqrt(((points - query) ** 2).sum(axis=1))
        pairs += [(i, j) for j in np.flatnonzero(far <= far.min() * (1 + 1e-9)).tolist()]
    return pairs


def pairs_of(kernel: Kernel, points: np.ndarray, queries: np.ndarray) -> Pairs:
    who, near = kernel(points, queries)
    found = list(zip(who.tolist(), near.tolist(), strict=True))
    assert len(set(found)) == len(found)
    return sorted(found)


def draw(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


GRID = np.array(list(itertools.product(range(4), repeat=2)), dtype=float)
CASES = {
    "ties: the middle of every square has four corners": (GRID, GRID[:9] + 0.5),
    "queries on the points": (GRID, GRID),
    "duplicate points": (np.repeat(GRID, 3, axis=0), GRID + 0.25),
    "one point": (GRID[:1], GRID),
    "one column": (np.array([[0.0], [1.0], [3.0]]), np.array([[0.5], [2.0], [9.0]])),
    "a constant column": (np.insert(GRID, 1, 7e5, axis=1), np.insert(GRID + 0.5, 1, 7e5, axis=1)),
    "all points equal": (np.full((5, 2), 3.0), GRID),
    "an outlier among the points": (np.vstack([GRID, [[1e9, -1e9]]]), GRID + 0.5),
    "outliers among the queries": (GRID, np.array([[1e9, 0.0], [-1e9, 1e9], [0.4, 0.4]])),
    "far from zero, near each other": (GRID + 1e9, GRID + 1e9 + 0.5),
    "tiny differences": (GRID * 1e-6 + 1e3, GRID * 1e-6 + 1e3 + 4e-7),
    "tiny numbers": (GRID * 1e-30, GRID * 1e-30 + 4e-31),
    "numbers whose squares single precision cannot hold": (GRID * 1e25, GRID * 1e25 + 4e24),
    "a query beyond single precision": (GRID, np.array([[1e60, 0.0], [0.4, 0.4]])),
    "yen of many columns": (draw(1).lognormal(11, 1, (60, 12)), draw(2).lognormal(11, 1, (40, 12))),
    "coarse yen with ties": (
        draw(3).integers(0, 3, (80, 4)) * 1000.0,
        draw(4).integers(0, 3, (50, 4)) * 1000.0,
    ),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", CASES)
def test_kernels_find_all_nearest_points(kernel: str, name: str) -> None:
    points, queries = CASES[name]
    assert pairs_of(KERNELS[kernel], points, queries) == brute(points, queries)


small_numbers = st.integers(-3, 3).map(float)


@given(
    points=arrays(float, st.tuples(st.integers(1, 8), st.just(3)), elements=small_numbers),
    queries=arrays(float, st.tuples(st.integers(1, 8), st.just(3)), elements=small_numbers),
    outlier=st.sampled_from([0.0, 1e9, -1e12]),
    scale=st.sampled_from([1.0, 1e-9, 1e7]),
)
def test_kernels_agree(
    points: np.ndarray, queries: np.ndarray, outlier: float, scale: float
) -> None:
    points = points * scale
    points[0, 0] += outlier
    queries = queries * scale
    expected = brute(points, queries)
    for name, kernel in KERNELS.items():
        assert pairs_of(kernel, points, queries) == expected, name


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_blocks_of_any_size_give_the_same(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_search, "BLOCK", block * len(GRID))
    assert pairs_of(search_by_blocks, GRID, GRID + 0.5) == brute(GRID, GRID + 0.5)


@pytest.mark.parametrize("fastest", ["ball", "tree", "blocks"])
def test_whichever_kernel_is_chosen_the_answer_is_the_same(
    fastest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large searches try each kernel on a sample; what that costs is ours to say here."""
    points = draw(5).integers(0, 99, (5000, 3)).astype(float)
    queries = draw(6).integers(0, 99, (4500, 3)) + draw(7).integers(0, 2, (4500, 3)) / 2
    costs = iter(float(name != fastest) for name in ("ball", "tree", "blocks"))
    used = []
    monkeypatch.setattr(neighbour_search, "_process_seconds", lambda way, sample: next(costs))
    for name, function in (
        ("ball", "search_by_ball"),
        ("tree", "search_two_nearest"),
        ("blocks", "search_by_blocks"),
    ):
        kernel = getattr(neighbour_search, function)
        monkeypatch.setattr(neighbour_search, function, _noting(kernel, name, used))
    found = pairs_of(nearest_points, points, queries)
    assert used == [fastest]
    monkeypatch.undo()
    assert found == pairs_of(KERNELS["tree"], points, queries)
    sample = range(0, 4500, 300)
    wanted = [(i, j) for i in sample for _, j in brute(points, queries[i : i + 1])]
    assert [pair for pair in found if pair[0] in sample] == wanted


def test_a_sample_is_tried_when_the_search_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neighbour_search, "SMALL", 0)
    assert pairs_of(nearest_points, GRID, GRID + 0.5) == brute(GRID, GRID + 0.5)


def _noting(kernel: Callable[..., Any], name: str, used: list[str]) -> Callable[..., Any]:
    def search(*given: Any) -> Any:
        used.append(name)
        return kernel(*given)

    return search


def test_the_order_of_tied_points_does_not_depend_on_the_kernel() -> None:
    """Draws among ties follow this order, so that a seed gives the same bytes either way."""
    grouped: list[dict[int, list[int]]] = []
    for kernel in KERNELS.values():
        who, near = kernel(GRID, GRID + 0.5)
        grouped.append({i: near[who == i].tolist() for i in range(len(GRID))})
    assert all(order == grouped[0] for order in grouped)
