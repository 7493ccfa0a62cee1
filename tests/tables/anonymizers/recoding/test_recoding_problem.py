"""Tests of tokumei.tables.anonymizers.recoding.recoding_problem."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from support.recoding_problems import random_problem, wide_problem
from tables.anonymizers.recoding.weights_helpers import NAMES, table
from tokumei.kernels.local_recoding import anneal
from tokumei.tables.anonymizers.recoding.annealing import build_state
from tokumei.tables.anonymizers.recoding.local_search import place_unclassed_tuples, recode_locally
from tokumei.tables.anonymizers.recoding.recoding_problem import (
    ClassBoxes,
    RecodingProblem,
    renumber_classes,
)
from tokumei.tables.engines.local import engine_for_frame
from tokumei.tables.hierarchies.choose import choose_hierarchies

SEEDS = st.integers(0, 2**32 - 1)


def common_level(up, leaves):
    """The lowest level on which all leaves have one node."""
    return next(level for level, nodes in enumerate(up) if len(set(nodes[leaves])) == 1)


def classes(rng, tuples):
    """Any classes; some tuples are in none."""
    return renumber_classes(rng.integers(-1, max(tuples // 3, 1), tuples))


@given(SEEDS)
def test_boxes_are_the_smallest_around_their_tuples(seed):
    problem = random_problem(seed)
    class_of = classes(np.random.default_rng(seed), len(problem.counts))
    if class_of.max() < 0:
        return
    boxes = ClassBoxes.around(problem, class_of)
    for c in range(class_of.max() + 1):
        members = np.flatnonzero(class_of == c)
        levels = [common_level(up, problem.codes[members, j]) for j, up in enumerate(problem.up)]
        assert boxes.levels[c].tolist() == levels
        assert boxes.rows[c] == problem.counts[members].sum()
        assert boxes.head[c] in members


@given(SEEDS)
def test_a_widened_box_is_the_box_around_one_tuple_more(seed):
    problem = random_problem(seed)
    rng = np.random.default_rng(seed)
    class_of = classes(rng, len(problem.counts))
    outside = np.flatnonzero(class_of < 0)
    if class_of.max() < 0 or not len(outside):
        return
    boxes = ClassBoxes.around(problem, class_of)
    for t in outside:
        class_of[t] = rng.integers(class_of.max() + 1)
        boxes.add(int(class_of[t]), int(t))
        found = ClassBoxes.around(problem, class_of)
        assert np.array_equal(boxes.levels, found.levels)
        assert np.array_equal(boxes.rows, found.rows)
        assert np.array_equal(boxes.cost(), found.cost())


@given(SEEDS, st.integers(0, 6))
def test_leftovers_join_where_it_costs_least(seed, budget):
    problem = random_problem(seed)
    class_of = classes(np.random.default_rng(seed), len(problem.counts))
    if class_of.max() < 0:
        return
    expected, spare = class_of.copy(), budget
    for t in np.flatnonzero(class_of < 0):
        rows = int(problem.counts[t])
        before = ClassBoxes.around(problem, expected).loss()
        here = np.arange(len(expected)) == t
        tried = [np.where(here, c, expected) for c in range(class_of.max() + 1)]
        costs = np.round(
            [ClassBoxes.around(problem, joined).loss() - before for joined in tried], 9
        )
        if rows <= spare and costs.min() >= rows:
            spare -= rows
        else:
            expected = tried[int(costs.argmin())]
    assert place_unclassed_tuples(problem, class_of, budget).tolist() == expected.tolist()


def started(problem, k, seed):
    """A state of all tuples, in the classes of a first recoding."""
    class_of = recode_locally(problem, k, effort=0).class_of
    tuples = np.arange(len(class_of))
    return class_of, build_state(problem, tuples, class_of, k, np.uint64(seed))


def check_state(problem, state, k):
    """Links, rows, boxes, costs and bit sets agree with the slots of the tuples."""
    slots = sorted(set(state.slot.tolist()))
    assert {c for c in range(len(state.rows)) if state.rows[c]} == set(slots)
    boxes = ClassBoxes.around(problem, renumber_classes(state.slot))
    for number, c in enumerate(slots):
        members = np.flatnonzero(state.slot == c).tolist()
        linked, t = [], int(state.first[c])
        while t >= 0:
            linked.append(t)
            t = int(state.after[t])
        assert sorted(linked) == members
        assert state.rows[c] == problem.counts[members].sum() >= k
        assert state.level[c].tolist() == boxes.levels[number].tolist()
        assert state.cost[c] == pytest.approx(boxes.cost()[number], abs=1e-12)
        for t in range(len(state.slot)):
            leaves = state.ancestors[t, :, 0]
            covers = (state.leaf_slots[leaves, c >> 6] >> np.uint64(c & 63)) & np.uint64(1)
            nodes = [state.ancestors[t, j, level] for j, level in enumerate(state.level[c])]
            assert covers.tolist() == (state.node[c] == nodes).astype(int).tolist()
    opened = [
        c for c in range(len(state.rows)) if state.open_slots[c >> 6] >> np.uint64(c & 63) & 1
    ]
    assert opened == slots


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5]), st.sampled_from([0.01, 1.0, 30.0]))
@settings(max_examples=60)
def test_steps_keep_the_state_and_know_its_loss(seed, k, heat):
    problem = random_problem(seed, tuples=30)
    k = min(k, problem.rows)
    before, state = started(problem, k, seed)
    anneal(state, k, 400, heat, heat / 2, 0.1)
    change = state.change[0]
    check_state(problem, state, k)
    losses = [
        ClassBoxes.around(problem, found).loss() for found in (before, renumber_classes(state.slot))
    ]
    assert change == pytest.approx(losses[1] - losses[0], abs=1e-9)


def test_cold_steps_only_improve():
    problem = wide_problem(5, columns=5)
    before, state = started(problem, 8, 1)
    changes = []
    for _ in range(8):
        anneal(state, 8, 300, 1e-12, 1e-12, 0.1)
        changes.append(state.change[0])
    assert max(changes) <= 1e-9
    assert sum(changes) < -0.02 * ClassBoxes.around(problem, before).loss()
    check_state(problem, state, 8)


def weighted_loss(problem: RecodingProblem, levels: tuple[int, ...], shares: list[float]) -> float:
    """Every row, every column: the cost of its cell times the column's share."""
    total = 0.0
    for row, count in zip(problem.codes, problem.counts, strict=True):
        for j, level in enumerate(levels):
            total += count * shares[j] * problem.cost[j][level, row[j]]
    return total / (problem.rows * len(levels))


def holds(problem: RecodingProblem, levels: tuple[int, ...], k: int) -> bool:
    sizes: dict[tuple[int, ...], int] = {}
    for row, count in zip(problem.codes, problem.counts, strict=True):
        cell = tuple(int(problem.up[j][level, row[j]]) for j, level in enumerate(levels))
        sizes[cell] = sizes.get(cell, 0) + int(count)
    return min(sizes.values()) >= k


@pytest.mark.parametrize("heavy", NAMES)
def test_the_weighted_optimum_is_the_least_of_all_levels(heavy: str) -> None:
    frame = table()
    chosen = choose_hierarchies("auto", frame, NAMES)
    problem = RecodingProblem.of(engine_for_frame(frame).tuples(NAMES), chosen)
    shares = [2 * (9.0 if name == heavy else 1.0) / 10.0 for name in NAMES]
    heights = [range(len(up)) for up in problem.up]
    allowed = [levels for levels in product(*heights) if holds(problem, levels, 3)]
    best = min(weighted_loss(problem, levels, shares) for levels in allowed)
    release = tk.anonymize(frame, "flash", k=3, qi=NAMES, weights={heavy: 9.0}, seed=1)
    cells = release.public.frame[np.argsort(release.link)]
    found = [
        levels
        for levels in allowed
        if all(
            (
                chosen[name].labels(level).n_unique() > 1
                and _label(chosen[name], level, frame[name][0]) == str(cells[name][0])
            )
            or (level == len(problem.up[j]) - 1 and cells[name][0] == "*")
            for j, (name, level) in enumerate(zip(NAMES, levels, strict=True))
        )
    ]
    assert best in [pytest.approx(weighted_loss(problem, levels, shares)) for levels in found]


def _label(hierarchy, level: int, value: object) -> str:  # type: ignore[no-untyped-def]
    code = hierarchy.leaf_codes(pl.Series([value]))[0]
    return str(hierarchy.names[level][int(hierarchy.up[level, code])])
