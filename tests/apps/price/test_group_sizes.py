"""Tests of tokumei.apps.price.group_sizes."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from support.price_problems import random_problem
from tokumei.apps.price import group_counts
from tokumei.apps.price import group_sizes as groups_module
from tokumei.apps.price import session as session_module
from tokumei.apps.price.group_sizes import GroupCounter
from tokumei.apps.price.problem import DELETE_INDEX, Candidate, PriceProblem
from tokumei.apps.price.session import recount_groups


def slow_sizes(problem: PriceProblem, candidate: Candidate) -> Counter[int]:
    """How many groups there are of every size, person by person."""
    sizes: Counter[tuple[int, ...]] = Counter()
    for codes, count in zip(problem.codes.tolist(), problem.counts.tolist(), strict=True):
        words = tuple(
            int(one.patterns[p].up[code])
            for one, p, code in zip(problem.attributes, candidate, codes, strict=True)
            if p != DELETE_INDEX
        )
        sizes[words] += count
    return Counter(sizes.values())


WAYS = {
    # which limits are moved, so that small cases take the ways of large ones
    "plain": {},
    "few tables kept": {(groups_module, "MAX_KEPT_GROUPS"): 700},
    "no table kept": {(groups_module, "MAX_KEPT_GROUPS"): 10},
    "few sizes kept": {(groups_module, "MAX_KEPT_SIZES"): 2},
    "steps": {(groups_module, "SMALL_TABLE_ROWS"): 2},
    "wide steps": {
        (groups_module, "SMALL_TABLE_ROWS"): 2,
        (groups_module, "MIN_SHRINK_FACTOR"): 0.2,
    },
    "sorted keys": {(group_counts, "MAX_DENSE_CELLS"): 4},
    "large keys": {(group_counts, "MAX_KEY"): 8, (session_module, "MAX_KEY"): 2},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seed", range(12))
def test_groups_and_recount_against_slow_counts(
    way: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for (module, name), limit in WAYS[way].items():
        monkeypatch.setattr(module, name, limit)
    rng = np.random.default_rng(seed)
    problem = random_problem(rng, attributes=4, rows=60)
    view = GroupCounter(problem).view(problem)
    for _ in range(12):
        candidate = tuple(int(rng.integers(-1, len(one.patterns))) for one in problem.attributes)
        expected = slow_sizes(problem, candidate)
        for found in (view.sizes(candidate), recount_groups(problem, candidate)):
            assert found.sizes.tolist() == sorted(expected)
            rows = [size * expected[size] for size in sorted(expected)]
            assert found.rows.tolist() == np.cumsum(rows).tolist()
