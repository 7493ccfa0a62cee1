"""Lattices that cannot be held, and the greedy climb of Datafly."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from support.recoding_problems import adult_problem, problem_of, random_problem, wide_problem
from tokumei.core.errors import InputError
from tokumei.tables.anonymizers.recoding import lattice
from tokumei.tables.anonymizers.recoding.lattice import ENUMERABLE, count_nodes
from tokumei.tables.anonymizers.recoding.lattice_task import LatticeQuery


def best_levels(problem, k, **asked):
    return lattice.find_best_levels(problem, LatticeQuery(k=k, **asked))


def datafly(problem, k, **asked):
    return lattice.search_datafly(problem, LatticeQuery(k=k, **asked))


def shown(problem, levels):
    """Rows by their generalized tuple, in plain Python."""
    found = Counter()
    for leaves, count in zip(problem.codes.tolist(), problem.counts.tolist(), strict=True):
        cells = zip(problem.up, levels, leaves, strict=True)
        found[tuple(int(up[level, leaf]) for up, level, leaf in cells)] += count
    return found


def too_small(problem, levels, k):
    return sum(count for count in shown(problem, levels).values() if count < k)


@pytest.mark.parametrize("columns", [12, 20])
@pytest.mark.parametrize("suppression", [0.0, 0.05])
def test_many_columns_end_within_the_budget(columns, suppression):
    problem = wide_problem(columns, columns=columns)
    assert count_nodes(problem.heights) > ENUMERABLE
    few, many = (
        best_levels(problem, 3, suppression=suppression, budget=budget) for budget in (60, 400)
    )
    for found, budget in ((few, 60), (many, 400)):
        assert found.visited <= budget
        assert not found.optimal
        assert found.bound < found.loss < 1
        rows = too_small(problem, found.levels, 3)
        assert rows == problem.counts[found.suppressed].sum() <= suppression * problem.rows
    assert many.loss <= few.loss


def test_large_search_repeats_and_depends_on_nothing_else():
    problem = wide_problem(5, columns=12)
    first, second = (best_levels(problem, 3, suppression=0.05, budget=80) for _ in range(2))
    assert (first.levels, first.visited) == (second.levels, second.visited)


def test_a_way_up_that_ends_is_a_proof():
    """k = 1: the most specific node itself, found although the lattice is huge."""
    found = best_levels(wide_problem(2, columns=20), 1)
    assert (found.levels, found.loss, found.optimal) == ((0,) * 20, 0.0, True)


@pytest.mark.parametrize("objective", ["ncp", "dm", "classes"])
def test_large_search_is_honest_on_small_lattices(objective, monkeypatch):
    for seed in range(60):
        problem = random_problem(seed, tuples=30)
        if problem.rows < 3:
            continue
        asked = {"suppression": 0.125, "objective": objective}
        best = best_levels(problem, 3, **asked)
        with monkeypatch.context() as patch:
            patch.setattr(lattice, "ENUMERABLE", 0)
            for budget in (2, 10, 40):
                found = best_levels(problem, 3, budget=budget, **asked)
                assert found.visited <= budget
                assert found.bound <= best.loss + 1e-9 <= found.loss + 2e-9
                assert not found.optimal or found.levels == best.levels


def test_large_search_without_an_answer():
    problem = wide_problem(1, columns=12, rows=30)
    with pytest.raises(InputError, match=r"not even \* everywhere"):
        best_levels(problem, 31)


def slow_datafly(problem, k, suppression):
    levels = [0] * problem.columns
    while too_small(problem, levels, k) > suppression * problem.rows:
        values = [
            len({up[level, leaf] for leaf in codes}) if level < len(up) - 1 else 0
            for up, level, codes in zip(problem.up, levels, problem.codes.T, strict=True)
        ]
        if not max(values):
            return None
        levels[values.index(max(values))] += 1
    return tuple(levels)


def test_datafly_climbs_as_its_plain_form():
    for seed in range(150):
        problem, k = random_problem(seed), seed % 7 + 1
        suppression = [0.0, 0.125, 0.5][seed % 3]
        levels = slow_datafly(problem, k, suppression)
        if levels is None:
            with pytest.raises(InputError):
                datafly(problem, k, suppression=suppression)
            continue
        found = datafly(problem, k, suppression=suppression)
        assert found.levels == levels
        assert problem.counts[found.suppressed].sum() == too_small(problem, levels, k)
        assert found.loss >= best_levels(problem, k, suppression=suppression).loss - 1e-9


def test_datafly_by_hand():
    """Three values against two: the second column goes first, and that is enough."""
    up = [[[0, 1], [0, 0]], [[0, 1, 2], [0, 0, 0]]]
    problem = problem_of([[0, 0], [0, 1], [1, 0], [1, 2]], [1, 1, 1, 1], up)
    found = datafly(problem, 2)
    assert (found.levels, found.loss, found.classes, found.optimal) == ((0, 1), 0.5, 2, False)


@pytest.mark.data
def test_adult_as_if_it_were_large(real_data, monkeypatch):
    problem = adult_problem(real_data / "adult")
    best = best_levels(problem, 5, suppression=0.02)
    monkeypatch.setattr(lattice, "ENUMERABLE", 0)
    found = best_levels(problem, 5, suppression=0.02, budget=1000)
    assert (found.levels, found.optimal) == (best.levels, True)
    assert np.array_equal(found.suppressed, best.suppressed)
    assert datafly(problem, 5, suppression=0.02).loss > best.loss
