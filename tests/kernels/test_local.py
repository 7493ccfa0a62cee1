"""The compiled search of local recoding: equal to its own source run by Python; a closed door."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.both_kernels import both
from support.recoding_problems import random_problem
from tokumei.kernels import local
from tokumei.kernels.loading import load, uncompiled
from tokumei.tables.anonymizers.recoding.local import recode_locally
from tokumei.tables.anonymizers.recoding.local_parts import state_of


def started(seed, k, tuples=30):
    problem = random_problem(seed, tuples=tuples)
    k = min(k, problem.rows)
    class_of = recode_locally(problem, k, effort=0).class_of
    return state_of(problem, np.arange(len(class_of)), class_of, k, np.uint64(seed)), k


def copied(state):
    return local.State(*(array.copy() for array in state))


def bytes_of(arrays):
    return [array.tobytes() for array in arrays]


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5]), st.sampled_from([0.01, 1.0, 30.0]))
@settings(max_examples=25)
def test_annealing_equals_its_source_run_by_python(seed, k, heat):
    state, k = started(seed, k)
    found = []
    for kernel in (load("local"), uncompiled("local")):
        one = copied(state)
        gains = np.full(len(one.slot), -np.inf)
        kernel.anneal(kernel.State(*one), k, 60, heat, heat / 2, 0.1)
        kernel.gain_of_leaving(kernel.State(*one), k, gains)
        found.append(bytes_of([*one, gains]))
    assert found[0] == found[1]


@given(st.integers(0, 10**6), st.integers(1, 6))
@settings(max_examples=25)
def test_starting_equals_its_source_run_by_python(seed, k):
    problem = random_problem(seed, tuples=30)
    k = min(k, problem.rows)
    vectors = np.random.default_rng(seed).permuted(
        np.array(list(np.ndindex(*(problem.heights + 1)))), axis=0
    )

    def found():
        classes = local.cheapest_first(problem.codes, problem.counts, problem.up, vectors, k)
        tuples = np.flatnonzero(classes >= 0)
        return [classes, *state_of(problem, tuples, classes[tuples], k, np.uint64(0))]

    compiled, python = both(found)
    assert compiled == python


WRONG = {
    "type": lambda s: {"slot": s.slot.astype(np.int32)},
    "order": lambda s: {"ancestors": np.asfortranarray(s.ancestors)},
    "length": lambda s: {"counts": s.counts[:-1].copy()},
    "axes": lambda s: {"level": s.level.ravel()},
    "node": lambda s: {"ancestors": s.ancestors + len(s.node_cost)},
    "negative": lambda s: {"under": s.under - len(s.node_cost)},
    "no array": lambda s: {"rows": s.rows.tolist()},
    "no slot": lambda s: {"slot": np.full_like(s.slot, -1)},
    "two tops": lambda s: {"ancestors": np.ascontiguousarray(s.ancestors[:, :, :1])},
    "short log": lambda s: {"log": s.log[:9].copy(), "log_level": s.log_level[:9].copy()},
    "bits": lambda s: {"open_slots": ~np.zeros_like(s.open_slots)},
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_call_raises(what):
    state, k = started(1, 3)
    wrong = state._replace(**WRONG[what](state))
    before = bytes_of(state)
    with pytest.raises(ValueError):  # noqa: PT011
        local.anneal(wrong, k, 10, 1.0, 0.5, 0.1)
    with pytest.raises(ValueError):  # noqa: PT011
        local.gain_of_leaving(wrong, k, np.zeros(len(state.slot)))
    assert bytes_of(state) == before


def test_classes_must_fit():
    state, _ = started(1, 3)
    with pytest.raises(ValueError, match="class_of"):
        local.enter(state, np.full(len(state.slot), 7), np.full(3, -1))
