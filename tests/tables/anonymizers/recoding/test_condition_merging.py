"""Merging classes until all hold: against the same greedy in plain Python."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from support.privacy_reference import delta, distinct, equal_distance
from support.recoding_problems import random_problem
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.conditions.guarded_columns import build_guarded_columns
from tokumei.tables.anonymizers.recoding import condition_merging
from tokumei.tables.anonymizers.recoding.condition_merging import (
    merge_until_allowed,
    visible_classes,
)
from tokumei.tables.engines.local import LocalEngine

CONDITIONS = {
    "l=2": lambda counts, totals: distinct(counts, totals, 2),
    "t=0.25": lambda counts, totals: equal_distance(counts, totals) <= 0.25,
    "delta=0.6931471805599453": lambda counts, totals: delta(counts, totals, 2),
}


def guarded(problem, text, seed):
    """Rows with random sensitive values behind the tuples, and their guard."""
    values = np.random.default_rng([seed, 5]).integers(0, 3, problem.rows)
    codes = np.repeat(problem.codes, problem.counts, axis=0)
    names = [f"c{j}" for j in range(problem.columns)]
    frame = pl.DataFrame({name: codes[:, j] for j, name in enumerate(names)})
    frame = frame.with_columns(s=pl.Series(values))
    found = LocalEngine(frame).tuples(names)
    guard = Guard.of(LocalEngine(frame), found, build_guarded_columns(frame["s"], [text], ""))
    kinds = np.unique(values)
    owner = np.repeat(np.arange(len(problem.counts)), problem.counts)
    counts = [[int(((owner == t) & (values == v)).sum()) for v in kinds] for t in range(len(codes))]
    return guard, counts


def box(problem, tuples):
    """The nodes that hold the tuples, and what a row costs in them."""
    nodes, cost = [], 0.0
    for j, up in enumerate(problem.up):
        leaves = problem.codes[tuples, j]
        level = next(lv for lv in range(len(up)) if len(set(up[lv, leaves].tolist())) == 1)
        nodes.append((level, int(up[level, leaves[0]])))
        cost += problem.cost[j][level, leaves[0]]
    return tuple(nodes), cost


def slow_merge(problem, classes, good, budget):
    """The greedy of the page: smallest failing class, cheapest partner that helps, else any."""

    def rows(members):
        return int(problem.counts[members].sum())

    def loss(members):
        return rows(members) * box(problem, members)[1]

    while True:
        same = {}
        for members in classes:
            same.setdefault(box(problem, members)[0], []).extend(members)
        classes = [sorted(members) for _, members in sorted(same.items(), key=by_box(problem))]
        failing = [not good(members) for members in classes]
        if classes and not any(failing):
            return {frozenset(members) for members in classes}
        if len(classes) <= 1:
            return {frozenset(range(len(problem.counts)))}
        while any(failing):
            at = min((i for i, bad in enumerate(failing) if bad), key=lambda i: rows(classes[i]))
            others = [i for i, members in enumerate(classes) if members and i != at]
            cost = {i: loss(classes[at] + classes[i]) - loss(classes[at]) - loss(classes[i])
                    for i in others}  # fmt: skip
            order = sorted(others, key=lambda i: (cost[i], i))
            helping = [i for i in order if good(classes[at] + classes[i])]
            failing[at] = False
            pick = (helping or order or [None])[0]
            lost = rows(classes[at]) * problem.columns - loss(classes[at])
            if rows(classes[at]) <= budget and (pick is None or cost[pick] >= lost):
                budget -= rows(classes[at])
                classes[at] = []
            elif pick is not None:
                classes[pick] = classes[pick] + classes[at]
                classes[at] = []
                failing[pick] = pick not in helping
        classes = [members for members in classes if members]


def by_box(problem):
    """Levels of all columns first, then nodes: the order in which classes are numbered."""
    return lambda item: ([level for level, _ in item[0]], [node for _, node in item[0]])


@pytest.mark.parametrize("text", CONDITIONS)
@pytest.mark.parametrize("share", [0.0, 0.3])
def test_equals_the_slow_greedy(text, share):
    merged = 0
    for seed in range(60):
        problem = random_problem(seed, tuples=12)
        guard, counts = guarded(problem, text, seed)
        totals = np.sum(counts, axis=0).tolist()

        def good(members, counts=counts, totals=totals):
            return CONDITIONS[text](np.sum([counts[t] for t in members], axis=0).tolist(), totals)

        if not good(range(len(problem.counts))):
            continue
        budget = int(share * problem.rows)
        start = np.arange(len(problem.counts))
        found = merge_until_allowed(problem, start, guard, budget)
        classes = {frozenset(np.flatnonzero(found == c).tolist()) for c in range(found.max() + 1)}
        assert classes == slow_merge(problem, [[t] for t in start.tolist()], good, budget)
        assert problem.counts[found < 0].sum() <= budget
        merged += len(classes) < len(start)
    assert merged > 20


@pytest.mark.parametrize("text", CONDITIONS)
def test_in_blocks_all_classes_hold_too(text, monkeypatch):
    monkeypatch.setattr(condition_merging, "BLOCK", 3)
    for seed in range(40):
        problem = random_problem(seed)
        guard, counts = guarded(problem, text, seed)
        totals = np.sum(counts, axis=0).tolist()
        if not CONDITIONS[text](totals, totals):
            continue
        found = merge_until_allowed(problem, np.arange(len(problem.counts)), guard)
        assert (found >= 0).all()
        for number in range(found.max() + 1):
            members = np.flatnonzero(found == number)
            assert CONDITIONS[text](np.sum([counts[t] for t in members], axis=0).tolist(), totals)


def test_classes_as_a_reader_sees_them():
    for seed in range(20):
        problem = random_problem(seed)
        rng = np.random.default_rng(seed)
        levels = rng.integers(0, problem.heights + 1, problem.codes.shape)
        hidden = rng.random(len(levels)) < 0.2
        found = visible_classes(problem, levels, hidden)
        levels[hidden] = problem.heights
        cells = [
            tuple((lv, int(up[lv, leaf])) for up, lv, leaf in zip(problem.up, *row, strict=True))
            for row in zip(levels.tolist(), problem.codes.tolist(), strict=True)
        ]
        numbers = {}
        for cell, number in zip(cells, found.tolist(), strict=True):
            assert numbers.setdefault(cell, number) == number
        assert len(set(numbers.values())) == len(numbers)
