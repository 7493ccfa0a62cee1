"""Compiled code that makes classes: equal to its own source run by Python; a closed door."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.both_kernels import both
from support.recoding_problems import random_problem
from tokumei.kernels.local.merging import Merging, Trees, merge, write_numbers
from tokumei.kernels.mondrian.hierarchical import CHOICES, TIES, Targets, Tree, split_down
from tokumei.kernels.mondrian.kernel import CUTS, Columns, Line, best_cut, cut_up
from tokumei.kernels.verdict import (
    HIERARCHICAL,
    NO_CHECKS,
    Checks,
    Demands,
    classes_hold,
)

seeds = st.integers(0, 10**6)


def random_checks(random, tuples):
    """Up to three conditions of any kind on up to six values."""
    values = int(random.integers(1, 7))
    number = int(random.integers(0, 4))
    each = random.integers(1, 4, tuples)
    starts = np.concatenate([[0], np.cumsum(each)])
    held = random.integers(values, size=starts[-1])
    counts = random.integers(1, 4, len(held))
    totals = np.bincount(held, counts, values).astype(np.int64)
    kinds = random.integers(10, size=number)
    parents = np.array([random.integers(values, size=values), np.zeros(values, int)])
    demands = Demands(
        kinds=kinds,
        limits=np.stack([random.choice([0.3, 0.9, 1.5, 2.0], number), np.full(number, 2.0)], 1),
        first=np.zeros(number, int),
        end=np.full(number, values),
        rows=np.full(number, counts.sum()),
        totals=totals,
        heights=np.where(kinds == HIERARCHICAL, 2, 0),
        trees=np.zeros(number, int),
        parents=parents.ravel(),
    )
    rows = np.add.reduceat(counts, starts[:-1])
    return Checks.of(demands, starts, held, counts, rows)


def random_lines(random, columns, codes):
    return Columns.of(
        [
            Line(
                np.sort(random.random(codes)),
                values=int(random.choice([0, codes])),
                missing=bool(random.integers(2)),
            )
            for _ in range(columns)
        ]
    )


@given(seeds)
def test_conditions_hold_alike(seed):
    random = np.random.default_rng(seed)
    checks = random_checks(random, 12)
    class_of = random.integers(-1, 4, 12)
    compiled, python = both(lambda: classes_hold(checks, class_of))
    assert compiled == python
    assert not checks.table.any()


@given(seeds, st.sampled_from(CUTS), st.integers(1, 5))
def test_cuts_are_alike(seed, cut, k):
    random = np.random.default_rng(seed)
    codes = np.unique(random.integers(5, size=(20, 3)), axis=0)
    counts = random.integers(1, 4, len(codes))
    columns = random_lines(random, 3, 5)
    checks = random_checks(random, len(codes)) if cut != "relaxed" else NO_CHECKS
    compiled, python = both(lambda: cut_up(codes, counts, columns, k=k, cut=cut, checks=checks))
    assert compiled == python
    compiled, python = both(lambda: best_cut(codes, counts, columns, k=k, cut=cut))
    assert compiled == python


@given(seeds, st.sampled_from(CHOICES), st.sampled_from(TIES), st.integers(1, 4))
def test_splits_are_alike(seed, choice, ties, k):
    random = np.random.default_rng(seed)
    problem = random_problem(seed, tuples=20)
    tree = Tree.of(problem.codes, problem.counts, problem.up)
    rules = [
        [[random.random(up.shape[1]) < 0.6 for up in problem.up] for _ in range(2)] for _ in "abc"
    ]
    targets = Targets.of(rules, problem.up)
    checks = random_checks(random, len(problem.counts))
    compiled, python = both(
        lambda: split_down(tree, k=k, choice=choice, targets=targets, ties=ties, checks=checks)
    )
    assert compiled == python


def random_merging(seed):
    """Every tuple a class of its own."""
    problem = random_problem(seed, tuples=12)
    tuples, columns = problem.codes.shape
    alone = np.arange(tuples)
    levels = np.zeros((tuples, columns), np.int64)
    merging = Merging(
        *(problem.codes.astype(np.int64), levels, problem.counts.astype(np.int64)),
        *(np.zeros(tuples), alone.copy(), alone.copy(), np.full(tuples, -1)),
    )
    return Trees.of(problem.up, problem.cost), merging


@given(seeds, st.integers(0, 10))
def test_mergers_are_alike(seed, budget):
    random = np.random.default_rng(seed)
    trees, merging = random_merging(seed)
    tuples = len(merging.rows)
    checks, failing = random_checks(random, tuples), random.random(tuples) < 0.5

    def merged():
        own, class_of = Merging(*(array.copy() for array in merging)), np.full(tuples, -1)
        left = merge(trees, own, checks, failing.copy(), budget)
        write_numbers(trees, own, np.arange(tuples), class_of)
        return [left, class_of, *own]

    compiled, python = both(merged)
    assert compiled == python


def test_wrong_calls_raise():
    random = np.random.default_rng(1)
    checks, columns = random_checks(random, 4), random_lines(random, 2, 3)
    codes, counts = np.array([[0, 0], [1, 2], [2, 1]]), np.ones(3, int)
    with pytest.raises(ValueError, match="codes"):
        cut_up(codes + 1, counts, columns, k=1, cut="gain")
    with pytest.raises(ValueError, match="counts"):
        cut_up(codes, counts[:2], columns, k=1, cut="gain")
    with pytest.raises(ValueError, match="k:"):
        cut_up(codes, counts, columns, k=0, cut="gain")
    with pytest.raises(ValueError, match="values"):
        classes_hold(checks._replace(values=checks.values + 9), np.zeros(4, int))
    with pytest.raises(ValueError, match="table"):
        classes_hold(checks._replace(table=checks.table + 1), np.zeros(4, int))
    tree = Tree.of(codes, counts, [np.array([[0, 1, 2], [0, 0, 0]])] * 2)
    with pytest.raises(ValueError, match="codes"):
        split_down(tree._replace(codes=tree.codes + 1), k=1, choice="ncp")
    with pytest.raises(ValueError, match="up"):
        split_down(tree._replace(up=tree.up[:-1].copy()), k=1, choice="ncp")
    trees, merging = random_merging(1)
    failing = np.ones(len(merging.rows), np.bool_)
    for wrong in ({"first": merging.first + 99}, {"leaf": merging.leaf + 99}):
        with pytest.raises(ValueError):  # noqa: PT011
            merge(trees, merging._replace(**wrong), NO_CHECKS, failing, 0)
