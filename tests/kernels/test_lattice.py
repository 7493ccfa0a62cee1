"""Tuples grouped at a node: against a plain dictionary, and wrong calls refused."""

import numpy as np
import pytest

from support.recoding_problems import random_problem, wide_problem
from tokumei.kernels.lattice import GeneralizedTuples


def plain(problem, levels, some):
    rows, firsts = {}, {}
    for t in some.tolist():
        codes = problem.codes[t]
        cells = tuple(up[level][c] for up, level, c in zip(problem.up, levels, codes, strict=True))
        rows[cells] = rows.get(cells, 0) + int(problem.counts[t])
        firsts.setdefault(cells, t)
    return list(firsts.values()), list(rows.values())


@pytest.mark.parametrize("seed", range(40))
def test_classes_are_those_of_a_plain_dictionary(seed):
    # 40 columns of 64 values: numbers of tuples do not fit into 64 bits at the lowest levels.
    problem = wide_problem(seed, columns=40) if seed % 4 == 0 else random_problem(seed, tuples=60)
    rng = np.random.default_rng(seed)
    some = np.flatnonzero(rng.random(len(problem.codes)) < [1.0, 0.4][seed % 2]).astype(np.int32)
    levels = [int(rng.integers(len(up))) for up in problem.up]
    firsts, sizes = GeneralizedTuples(problem.codes, problem.up).grouped(
        levels, some, problem.counts[some]
    )
    assert (firsts.tolist(), sizes.tolist()) == plain(problem, levels, some)


def test_places_that_do_not_exist_are_refused():
    problem = random_problem(3)
    tuples = GeneralizedTuples(problem.codes, problem.up)
    far = np.array([len(problem.codes)], dtype=np.int32)
    with pytest.raises(ValueError, match="some"):
        tuples.grouped([0] * problem.columns, far, np.ones(1, dtype=np.int64))
    with pytest.raises(ValueError, match="counts"):
        tuples.grouped([0] * problem.columns, far - 1, np.ones(2, dtype=np.int64))
    with pytest.raises(ValueError, match="column"):
        GeneralizedTuples(problem.codes + 100, problem.up)
