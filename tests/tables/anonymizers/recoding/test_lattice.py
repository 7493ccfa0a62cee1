"""Full-domain search equals looking at every node."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from support.recoding_problems import adult_problem, problem_of, random_problem
from tables.anonymizers.recoding.lattice_helpers import (
    OBJECTIVES,
    all_nodes,
    classes_at,
    random_question,
)
from tokumei.core.errors import InputError, UnknownNameError, UsageError
from tokumei.tables.anonymizers.recoding import lattice, lattice_large
from tokumei.tables.anonymizers.recoding.lattice_task import LatticeQuery


def best_levels(problem, k, **asked):
    return lattice.find_best_levels(problem, LatticeQuery(k=k, **asked))


UNIT = 2520
"""Costs are whole multiples of 1/2520 for up to 11 leaves."""


def exact_costs(problem, objective):
    """The cost of a cell by column, level and leaf, in units: whole numbers."""
    found = []
    for up in problem.up:
        height, leaves = max(len(up) - 1, 1), max(up.shape[1] - 1, 1)
        if objective == "prec":
            found.append([[UNIT * level // height] * up.shape[1] for level in range(len(up))])
        else:
            widths = [[row.count(node) for node in row] for row in up.tolist()]
            found.append([[UNIT * (width - 1) // leaves for width in row] for row in widths])
    return found


def exact_loss(problem, k, objective, costs, levels, kept, dropped):
    counts = problem.counts.tolist()
    lost = sum(counts[at] for members in dropped for at in members)
    if objective == "dm":
        squares = sum(sum(counts[at] for at in members) ** 2 for members in kept)
        return squares + problem.rows * lost
    if objective == "classes":
        return Fraction(problem.rows, len(kept) * k) if kept else float("inf")
    total = lost * UNIT * problem.columns
    for at in itertools.chain(*kept):
        cells = zip(costs, levels, problem.codes[at].tolist(), strict=True)
        total += counts[at] * sum(cost[level][leaf] for cost, level, leaf in cells)
    return Fraction(total, UNIT * problem.columns * problem.rows)


def exhaustive(problem, k, *, suppression=0.0, objective="ncp", good=lambda members: True):
    """The best of all nodes, by loss, more classes, lexicographic order; None if none will do."""
    keys, costs, counts = [], exact_costs(problem, objective), problem.counts.tolist()
    for levels in all_nodes(problem):
        kept, dropped = [], []
        for members in classes_at(problem, levels):
            enough = sum(counts[at] for at in members) >= k
            (kept if enough and good(members) else dropped).append(members)
        rows = sum(counts[at] for members in dropped for at in members)
        if rows <= Fraction(suppression) * problem.rows:
            loss = exact_loss(problem, k, objective, costs, levels, kept, dropped)
            keys.append((loss, -len(kept), levels, sorted(at for m in dropped for at in m)))
    return min(keys) if keys else None


def assert_best(problem, found, best):
    assert found.levels == best[2]
    assert found.loss == pytest.approx(float(best[0]), abs=1e-9)
    assert found.classes == -best[1]
    assert np.flatnonzero(found.suppressed).tolist() == best[3]


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_equals_exhaustive_search_on_300_lattices(objective, monkeypatch):
    """The large search has to prove its answer on the way up: it goes down only a few times."""
    monkeypatch.setattr(lattice_large, "IDLE", 10)
    for seed in range(300):
        problem, (k, suppression) = random_problem(seed, columns=3), random_question(seed)
        for share in {0.0, suppression}:
            asked = {"suppression": share, "objective": objective}
            best = exhaustive(problem, k, **asked)
            if best is None:
                with pytest.raises(InputError, match=r"not even \* everywhere"):
                    best_levels(problem, k, **asked)
                continue
            for enumerable in (1 << 20, 0):
                monkeypatch.setattr(lattice, "ENUMERABLE", enumerable)
                found = best_levels(problem, k, **asked)
                assert_best(problem, found, best)
                assert found.optimal
                assert found.bound == found.loss


def test_ties_are_ties_whatever_rounding_says():
    """0.1 + 0.2 is 0.3: raising the last two columns costs what raising the first one does."""
    up = [[range(11), [0] * n + [*range(1, 12 - n)], [0] * 11] for n in (4, 2, 3)]
    codes = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 1, 0], [1, 1, 1, 0]]
    problem = problem_of(codes, [1] * 4, [*up, [range(11), [0] * 11]])
    assert_best(problem, best_levels(problem, 2), exhaustive(problem, 2))
    assert best_levels(problem, 2).levels == (0, 1, 1, 0)


@pytest.mark.parametrize(
    ("monotone", "good"),
    [
        (True, lambda values: len(set(values)) >= 2),
        (False, lambda values: len(set(values)) >= 2),
        (True, lambda values: max(Counter(values).values()) <= 0.7 * len(values)),
        (False, lambda values: len(values) % 2 == 0),
    ],
)
def test_conditions_on_classes(monotone, good):
    for seed in range(80):
        problem, (k, suppression) = random_problem(seed), random_question(seed)
        values = np.random.default_rng([seed, 2]).integers(0, 3, len(problem.codes))

        def allowed(class_of, values=values):
            return np.array(
                [good(values[class_of == c].tolist()) for c in range(class_of.max() + 1)]
            )

        best = exhaustive(
            problem, k, suppression=suppression, good=lambda m, v=values: good(v[m].tolist())
        )
        asked = {"suppression": suppression, "allowed": allowed, "monotone": monotone}
        if best is None:
            with pytest.raises(InputError):
                best_levels(problem, k, **asked)
        else:
            assert_best(problem, best_levels(problem, k, **asked), best)


def test_a_budget_gives_the_best_so_far_and_an_honest_bound():
    proven = 0
    for seed in range(60):
        problem = random_problem(seed, tuples=30)
        best = best_levels(problem, 2, suppression=0.25)
        for budget in (1, 2, 4, 8):
            found = best_levels(problem, 2, suppression=0.25, budget=budget)
            assert found.visited <= budget
            assert found.bound <= best.loss + 1e-9 <= found.loss + 2e-9
            assert not found.optimal or found.levels == best.levels
            proven += found.optimal
    assert 0 < proven < 240


def test_hand_made_example():
    """Two columns of two values: either may go to `*`; more classes decide the tie."""
    up = [[[0, 1], [0, 0]], [[0, 1, 2], [0, 0, 0]]]
    problem = problem_of([[0, 0], [0, 1], [1, 0], [1, 1], [1, 2]], [1, 1, 1, 1, 2], up)
    found = best_levels(problem, 2)
    assert (found.levels, found.loss, found.classes) == ((1, 0), 0.5, 3)
    dropping = best_levels(problem, 2, suppression=4 / 6)
    assert (dropping.levels, dropping.suppressed.any()) == ((1, 0), False)


def test_wrong_calls():
    problem = random_problem(1)
    with pytest.raises(UnknownNameError, match="objective"):
        best_levels(problem, 2, objective="npc")
    never = {"allowed": lambda class_of: np.zeros(class_of.max() + 1, bool), "monotone": False}
    with pytest.raises(UsageError, match="search ended before"):
        best_levels(problem, 2, **never, budget=1)


@pytest.mark.data
def test_adult_levels(real_data):
    problem = adult_problem(real_data / "adult")
    expected = {
        5: ((0, 4, 1, 2, 3, 2, 0, 0), 26),
        10: ((0, 4, 0, 1, 3, 2, 2, 1), 20),
        50: ((0, 4, 1, 1, 3, 2, 2, 0), 8),
    }
    for k, (levels, classes) in expected.items():
        found = best_levels(problem, k)
        assert (found.levels, found.classes, found.optimal) == (levels, classes, True)
    for k, loss in {5: 0.277, 10: 0.309, 50: 0.474}.items():
        found = best_levels(problem, k, suppression=0.02)
        assert round(found.loss, 3) == loss
        assert found.optimal
        assert problem.counts[found.suppressed].sum() <= 603
