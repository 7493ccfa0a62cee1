"""Local recoding: valid classes, the loss by a slow reference, the optimum of tiny problems."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.recoding_problems import adult_problem, problem_of, random_problem, wide_problem
from tokumei.tables.anonymizers.recoding.local_search import recode_locally


def reference_box(problem, members):
    """The lowest level of every column at which all members have one node, tried one by one."""
    levels = []
    for j, up in enumerate(problem.up):
        level = 0
        while len({int(up[level, problem.codes[t, j]]) for t in members}) > 1:
            level += 1
        levels.append(level)
    return levels


def reference_cost(problem, members):
    """Rows × mean NCP of one class."""
    levels, head = reference_box(problem, members), members[0]
    cells = [cost[levels[j], problem.codes[head, j]] for j, cost in enumerate(problem.cost)]
    return sum(cells) / len(cells) * sum(int(problem.counts[t]) for t in members)


def check(problem, result, k, budget=0):
    """Every class has k rows and one node per column, and the loss is what the levels say."""
    groups, lost, loss = {}, 0, 0.0
    for t, count in enumerate(problem.counts):
        levels = result.levels[t]
        if result.class_of[t] < 0:
            assert (levels == problem.heights).all()
            lost += count
        else:
            cells = [cost[levels[j], problem.codes[t, j]] for j, cost in enumerate(problem.cost)]
            loss += count * np.mean(cells)
            nodes = [int(up[levels[j], problem.codes[t, j]]) for j, up in enumerate(problem.up)]
            groups.setdefault((*levels.tolist(), *nodes), []).append(t)
    assert lost <= budget
    for members in groups.values():
        assert len(set(result.class_of[members].tolist())) == 1
        assert problem.counts[members].sum() >= k
    assert len(groups) == len(set(result.class_of[result.class_of >= 0].tolist()))
    assert result.loss == pytest.approx((loss + lost) / problem.rows, abs=1e-12)


def optimum(problem, k):
    """The least loss over all partitions of the tuples into classes of ≥ k rows."""
    size = len(problem.counts)
    cost = np.full(1 << size, np.inf)
    for subset in range(1, 1 << size):
        members = [t for t in range(size) if subset >> t & 1]
        if problem.counts[members].sum() >= k:
            cost[subset] = reference_cost(problem, members)
    best = np.full(1 << size, np.inf)
    best[0] = 0.0
    for subset in range(1, 1 << size):
        lowest, part = subset & -subset, subset
        while part:
            if part & lowest:
                best[subset] = min(best[subset], cost[part] + best[subset ^ part])
            part = (part - 1) & subset
    return best[-1] / problem.rows


@given(st.integers(0, 10**6), st.sampled_from([1, 2, 3, 5]), st.sampled_from(["normal", 2]))
def test_classes_are_valid(seed, k, effort):
    problem = random_problem(seed, tuples=40)
    k = min(k, problem.rows)
    check(problem, recode_locally(problem, k, effort=effort, seed=seed), k)


@pytest.mark.parametrize(("effort", "seeds"), [(5, range(60)), ("high", range(0, 60, 12))])
def test_tiny_problems_reach_the_optimum(effort, seeds):
    equal = []
    for seed in seeds:
        problem = random_problem(seed, tuples=8)
        k = min(2 + seed % 4, problem.rows)
        found, best = recode_locally(problem, k, effort=effort).loss, optimum(problem, k)
        assert found >= best - 1e-12
        equal.append(found <= best + 1e-12)
    assert np.mean(equal) >= 0.9


@pytest.mark.parametrize("effort", ["normal", 3])
def test_threads_change_nothing(effort):
    problem = wide_problem(1, columns=5)
    one, two = (recode_locally(problem, 4, effort=effort, seed=7, threads=n) for n in (1, 2))
    assert one.loss == two.loss
    assert (one.class_of == two.class_of).all()
    assert (one.levels == two.levels).all()


def test_effort_and_seed():
    problem = wide_problem(2, columns=5)
    losses = [recode_locally(problem, 5, effort=effort).loss for effort in (0, "normal", 10)]
    assert losses[0] > losses[1] > losses[2]
    other = recode_locally(problem, 5, effort=1, seed=1)
    assert (other.class_of != recode_locally(problem, 5, effort=1, seed=2).class_of).any()


@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.05, 0.2]))
def test_suppression_stays_within_its_budget(seed, share):
    problem = random_problem(seed, tuples=40)
    k = min(3, problem.rows)
    result = recode_locally(problem, k, suppression=share, seed=seed)
    check(problem, result, k, budget=int(share * problem.rows))


def test_an_outlier_is_suppressed_where_it_pays():
    leaves = np.arange(9)
    up = [np.array([leaves, leaves // 3, leaves * 0])] * 2
    problem = problem_of([[0, 0], [0, 1], [8, 8]], [3, 4, 1], up)
    assert recode_locally(problem, 5).loss == 1.0
    freed = recode_locally(problem, 5, suppression=0.125)
    assert freed.class_of.tolist() == [0, 0, -1]
    assert freed.loss == pytest.approx(7 / 8 * 0.125 + 1 / 8)


def test_k_may_be_all_rows():
    problem = random_problem(5)
    check(problem, recode_locally(problem, problem.rows), problem.rows)


@pytest.mark.parametrize("columns", [12, 20])
def test_large_lattices_are_sampled_and_say_so(columns):
    problem = wide_problem(4, columns=columns)
    result = recode_locally(problem, 5)
    assert not result.complete
    check(problem, result, 5)
    assert recode_locally(wide_problem(4, columns=4), 5).complete


def test_progress_counts_the_rounds():
    seen = []
    recode_locally(wide_problem(3, columns=4), 3, effort=4, progress=seen.append)
    assert sum(seen) == 4


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(("k", "at_most", "less"), [(5, 0.02835, 0.0277), (10, 0.04325, 0.0425)])
def test_adult(real_data, k, at_most, less):
    problem = adult_problem(real_data / "adult")
    result = recode_locally(problem, k)
    check(problem, result, k)
    assert result.loss <= at_most
    stars = (result.levels == problem.heights).all(axis=1)
    assert problem.counts[stars].sum() <= 0.003 * problem.rows
    assert recode_locally(problem, k, effort=1).loss <= less


@pytest.mark.data
def test_adult_in_large_classes(real_data):
    problem = adult_problem(real_data / "adult")
    result = recode_locally(problem, 50)
    check(problem, result, 50)
    assert result.loss <= 0.0960
    stars = (result.levels == problem.heights).all(axis=1)
    assert problem.counts[stars].sum() <= 0.003 * problem.rows
