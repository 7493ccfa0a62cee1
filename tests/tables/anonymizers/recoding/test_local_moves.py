"""Annealing moves: after any steps the state is what a slow reading of its classes says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.recoding_problems import random_problem, wide_problem
from tokumei.kernels.local_recoding import anneal
from tokumei.tables.anonymizers.recoding.annealing import build_state
from tokumei.tables.anonymizers.recoding.local_search import recode_locally
from tokumei.tables.anonymizers.recoding.recoding_problem import ClassBoxes, renumber_classes


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
