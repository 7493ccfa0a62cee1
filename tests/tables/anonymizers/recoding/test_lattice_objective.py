"""Tests of tokumei.tables.anonymizers.recoding.lattice_objective."""

from __future__ import annotations

import numpy as np
import pytest

from support.recoding_problems import random_problem
from tables.anonymizers.recoding.lattice_helpers import OBJECTIVES, all_nodes, random_question
from tokumei.tables.anonymizers.recoding.lattice_objective import build_objective
from tokumei.tables.anonymizers.recoding.lattice_task import NodeEvaluator


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_bounds_hold_along_every_path(objective):
    for seed in range(40):
        problem, (k, _) = random_problem(seed, columns=3), random_question(seed)
        evaluator = NodeEvaluator(problem, k)
        bounds = build_objective(objective, problem, evaluator.widths(), k)
        nodes = [evaluator.node(levels) for levels in all_nodes(problem)]
        least = bounds.least(np.array([node.levels for node in nodes]))
        for node, low in zip(nodes, least, strict=True):
            assert low <= bounds.loss(node) + 1e-9
            for other in nodes:
                if all(a <= b for a, b in zip(node.levels, other.levels, strict=True)):
                    assert bounds.floor(node) <= bounds.loss(other) + 1e-9
                    paid = bounds.floor(node) + bounds.surcharge(other)
                    assert paid <= bounds.loss(node) + 1e-9
