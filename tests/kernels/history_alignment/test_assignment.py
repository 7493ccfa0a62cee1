import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from support.small_purchases import random_purchases
from tokumei.kernels.history_alignment.row_aligner import RowAligner
from tokumei.kernels.loading import load

EXACT = 1 << 40


def matrix(seed, rows, more, levels):
    """Random costs; few levels make many ties."""
    rng = np.random.default_rng(seed)
    return rng.integers(levels, size=(rows, rows + more)) / 7.0


costs = st.builds(
    matrix,
    st.integers(0, 10**6),
    st.integers(1, 40),
    st.sampled_from([0, 0, 1, 5, 40]),
    st.sampled_from([1, 2, 5, 100, 10**6]),
)


def assigned(cost, steps):
    rows, size = cost.shape
    room = RowAligner(random_purchases(0, 2, 2))._thread_workspace(size, cost.size, 1)
    np.asarray(room.cost)[: cost.size] = cost.ravel()
    total = load("history_alignment").assign(room, rows, size, steps)
    columns = np.asarray(room.chosen)[:rows]
    assert len(set(columns.tolist())) == len(cost)
    assert total == pytest.approx(cost[np.arange(len(cost)), columns].sum())
    return total


@given(costs)
def test_the_assignment_is_optimal(cost):
    assert assigned(cost, EXACT) == pytest.approx(cost[linear_sum_assignment(cost)].sum())


@given(costs, st.integers(0, 10))
def test_a_hurried_assignment_is_valid_and_not_below_the_optimum(cost, steps):
    assert assigned(cost, steps) >= cost[linear_sum_assignment(cost)].sum() - 1e-6


def test_hurrying_costs_little():
    """Rows and columns as points on a line of two dimensions, as similar rows are."""
    rng = np.random.default_rng(5)
    left, right = rng.random((150, 2)), rng.random((160, 2))
    cost = np.abs(left[:, None] - right[None]).sum(axis=2)
    assert assigned(cost, 20) <= 1.03 * assigned(cost, EXACT)
