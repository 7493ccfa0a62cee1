"""Tests of tokumei.tables.anonymizers.recoding.lattice_task."""

from __future__ import annotations

from collections import Counter

import numpy as np

from support.recoding_problems import problem_of, random_problem, wide_problem
from tables.anonymizers.recoding.lattice_helpers import all_nodes, classes_at
from tokumei.tables.anonymizers.recoding.lattice_task import NodeEvaluator


def test_nodes_grouped_from_others_equal_nodes_grouped_from_tuples():
    for seed in range(60):
        problem = random_problem(seed, tuples=60)
        evaluator = NodeEvaluator(problem, 3)
        nodes = all_nodes(problem)
        for at in np.random.default_rng(seed).permutation(len(nodes)):
            node = evaluator.node(nodes[at])
            members = classes_at(problem, nodes[at])
            sizes = Counter(int(problem.counts[m].sum()) for m in members)
            assert Counter(node.sizes.tolist()) == sizes
            assert node.suppressed == sum(size * n for size, n in sizes.items() if size < 3)
            assert all(len(set(m) & set(node.firsts.tolist())) == 1 for m in members)


def test_more_values_than_a_machine_word_can_number():
    """20 columns of 64 values have 2^120 combinations; all tuples must stay apart."""
    wide = wide_problem(3, columns=20)
    codes = np.zeros((40, 20), dtype=int)
    for j in range(20):
        codes[2 * j : 2 * j + 2, j] = (1, 5)
    problem = problem_of(codes, [1] * 40, wide.up)
    assert NodeEvaluator(problem, 1).node((0,) * 20).classes == 40
    assert NodeEvaluator(problem, 1).node((1,) * 20).classes == 21
