"""Boxes around classes, against boxes that are found tuple by tuple."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from support.recoding_problems import random_problem
from tokumei.tables.anonymizers.recoding.local_search import place_unclassed_tuples
from tokumei.tables.anonymizers.recoding.recoding_problem import ClassBoxes, renumber_classes

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
