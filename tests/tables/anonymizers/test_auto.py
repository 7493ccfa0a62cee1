"""What `auto` runs in its seconds."""

import numpy as np

from support.recoding_problems import problem_of, random_problem, wide_problem
from tokumei.tables.anonymizers.auto import MIN_NODES, EffortPlan


def flat(tuples, columns, leaves=12):
    rng = np.random.default_rng(1)
    up = [np.array([np.arange(leaves), np.zeros(leaves, dtype=int)])] * columns
    return problem_of(rng.integers(0, leaves, (tuples, columns)), np.ones(tuples), up)


def test_steps_between_the_nodes_of_a_large_lattice_count():
    few = EffortPlan.of(wide_problem(1, columns=12), 5.0)
    assert MIN_NODES <= few.nodes <= 0.15 * 5 / 3e-3


def test_a_table_that_takes_longer_says_so():
    plan = EffortPlan.of(flat(40_000, 12), 3.0)
    assert plan.longer
    assert "may take longer than 3 s" in plan.told("local").show("en")
    assert "3 秒を超える" in plan.told("local").show("ja")
    assert "longer" not in EffortPlan.of(random_problem(1), 3.0).told("local").show("en")
