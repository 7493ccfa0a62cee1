"""Clustering and local suppression against plain forms of the same methods."""

from __future__ import annotations

import numpy as np
import pytest

from support.recoding_problems import adult_problem, problem_of, random_problem
from tables.anonymizers.recoding.clustering_helpers import rows_of
from tokumei.tables.anonymizers.recoding.cell_suppression import suppress_locally
from tokumei.tables.anonymizers.recoding.clustering import build_classes, k_member, one_pass

METHODS = [k_member, one_pass, suppress_locally]


def shared(problem, members, j):
    """The lowest level of a column at which all members are one node."""
    up = problem.up[j]
    return next(
        lv for lv in range(len(up)) if len({up[lv, problem.codes[t, j]] for t in members}) == 1
    )


def row_cost(problem, members):
    levels = [shared(problem, members, j) for j in range(problem.columns)]
    return sum(
        problem.cost[j][level, problem.codes[members[0], j]] for j, level in enumerate(levels)
    )


def loss(problem, members):
    return rows_of(problem, members) * row_cost(problem, members)


def added(problem, members, one):
    return loss(problem, [*members, one]) - loss(problem, members)


def frequent(problem, k):
    return [[t] for t in range(len(problem.codes)) if problem.counts[t] >= k]


def rare(problem, k):
    """The other tuples, ordered by the highest level first, the last column before the others."""
    places = [
        (level, j) for level in range(9) for j, up in enumerate(problem.up) if level < len(up) - 1
    ]
    return sorted(
        (t for t in range(len(problem.codes)) if problem.counts[t] < k),
        key=lambda t: [problem.up[j][level, problem.codes[t, j]] for level, j in places[::-1]],
    )


def joined(problem, groups, k):
    """Tuples of groups below k join the others, in the order of tuples."""
    large = sorted((g for g in groups if rows_of(problem, g) >= k), key=lambda g: g[0])
    small = sorted(t for g in groups if rows_of(problem, g) < k for t in g)
    if not large:
        return [small]
    for one in small:
        min(large, key=lambda g: added(problem, g, one)).append(one)
    return large


def slow_k_member(problem, k):
    left = rare(problem, k)
    groups = frequent(problem, k)
    last = int(np.random.default_rng(0).choice(left)) if left else None
    while rows_of(problem, left) >= k:
        last = max(left, key=lambda t: row_cost(problem, [last, t]))
        group = [last]
        left.remove(last)
        while rows_of(problem, group) < k:
            group.append(min(left, key=lambda t: added(problem, group, t)))
            left.remove(group[-1])
        groups.append(group)
    return joined(problem, [*groups, *([t] for t in left)], k)


def slow_one_pass(problem, k):
    block = rare(problem, k)
    many = min(rows_of(problem, block) // k, len(block))
    if not many:
        return joined(problem, [*frequent(problem, k), *([t] for t in block)], k)
    starts = sorted(np.random.default_rng(0).choice(len(block), many, replace=False))
    groups = [[block[at]] for at in starts]
    for one in (t for at, t in enumerate(block) if at not in starts):
        min(groups, key=lambda g: added(problem, g, one)).append(one)
    far = [(-row_cost(problem, [g[0], t]), block.index(t), t, g) for g in groups for t in g[1:]]
    spared = []
    for _, at, one, group in sorted(far, key=lambda entry: entry[:2]):
        if rows_of(problem, group) - problem.counts[one] >= k:
            group.remove(one)
            spared.append((at, one))
    for _, one in sorted(spared):
        hungry = [g for g in groups if rows_of(problem, g) < k]
        min(hungry or groups, key=lambda g: added(problem, g, one)).append(one)
    return joined(problem, [*frequent(problem, k), *groups], k)


def numbered(problem, groups):
    class_of = np.zeros(len(problem.codes), dtype=int)
    for number, group in enumerate(sorted(groups, key=min)):
        class_of[group] = number
    return class_of.tolist()


@pytest.mark.parametrize(("fast", "slow"), [(k_member, slow_k_member), (one_pass, slow_one_pass)])
def test_clusters_equal_the_plain_form(fast, slow):
    for seed in range(150):
        problem, k = random_problem(seed, tuples=18), seed % 6 + 2
        if problem.rows >= k:
            groups = slow(problem, k)
            assert fast(problem, k).class_of.tolist() == numbered(problem, groups), seed


@pytest.mark.parametrize("method", METHODS)
def test_every_class_has_k_rows_and_one_value(method):
    for seed in range(100):
        problem, k = random_problem(seed, tuples=40), seed % 9 + 1
        if problem.rows < k:
            continue
        found = method(problem, k)
        cost = np.zeros(len(problem.codes))
        for number in range(found.class_of.max() + 1):
            members = np.flatnonzero(found.class_of == number)
            assert rows_of(problem, members) >= k
            assert (found.levels[members] == found.levels[members[0]]).all()
            for j, level in enumerate(found.levels[members[0]]):
                assert len(set(problem.up[j][level, problem.codes[members, j]])) == 1
                cost[members] += problem.cost[j][level, problem.codes[members, j]]
        assert found.loss == pytest.approx(cost @ problem.counts / problem.rows / problem.columns)


def test_classes_are_generalized_no_more_than_needed():
    for seed in range(60):
        problem = random_problem(seed)
        drawn = np.random.default_rng(seed).integers(0, 4, len(problem.codes))
        found = build_classes(problem, drawn)
        for t, number in enumerate(drawn):
            members = np.flatnonzero(drawn == number).tolist()
            levels = [shared(problem, members, j) for j in range(problem.columns)]
            assert found.levels[t].tolist() == levels


@pytest.mark.parametrize("method", [k_member, one_pass])
def test_blocks(method, monkeypatch):
    """Large tables are clustered in parts; every tuple still ends in a class of k rows."""
    problem = random_problem(4, tuples=300, columns=4)
    whole = method(problem, 5)
    monkeypatch.setattr("tokumei.tables.anonymizers.recoding.clustering.BLOCK", 20)
    parts = method(problem, 5)
    for found in (whole, parts):
        assert np.bincount(found.class_of, problem.counts).min() >= 5
    assert parts.loss != whole.loss
    assert set(method(problem, problem.rows).class_of) == {0}


@pytest.mark.parametrize("method", METHODS)
def test_all_rows_or_single_rows(method):
    problem = problem_of([[0], [1]], [1, 2], [[[0, 1], [0, 0]]])
    assert method(problem, 3).loss == 1.0
    assert method(problem, 1).loss == 0.0


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(
    ("method", "most"), [(k_member, 0.165), (one_pass, 0.255), (suppress_locally, 0.19)]
)
def test_adult(real_data, method, most):
    problem = adult_problem(real_data / "adult")
    found = method(problem, 50)
    assert np.bincount(found.class_of, problem.counts).min() >= 50
    assert found.loss <= most
