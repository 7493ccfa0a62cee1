"""k over every m columns: the levels are feasible and the best of all, by brute force."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from typing import Any

import numpy as np
import polars as pl
import pytest

from tokumei import anonymize
from tokumei.core.errors import UsageError
from tokumei.tables.anonymizers.column_sets import (
    ColumnSets,
    feasible_levels,
    find_column_set_levels,
)
from tokumei.tables.anonymizers.recoding.recoding_problem import RecodingProblem
from tokumei.tables.registry import claim_checks

UP = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=np.int32)
COST = np.array([[0.0] * 4, [1 / 3] * 4, [1.0] * 4])


def random_problem(seed: int) -> RecodingProblem:
    """Up to 12 rows of three columns with four values under two nodes each."""
    chance = random.Random(seed)
    rows = Counter(
        tuple(chance.choice([0, 0, 1, 2, 3]) for _ in range(3))
        for _ in range(chance.randint(2, 12))
    )
    codes = np.array(sorted(rows), dtype=np.int32)
    counts = np.array([rows[row] for row in sorted(rows)], dtype=np.int64)
    return RecodingProblem(codes, counts, (UP,) * 3, (COST,) * 3)


def is_feasible(problem: RecodingProblem, levels: Any, columns: Any, k: int) -> bool:
    counted: Counter[Any] = Counter()
    for row, count in zip(problem.codes.tolist(), problem.counts.tolist(), strict=True):
        counted[tuple(int(UP[levels[j], row[j]]) for j in columns)] += count
    return min(counted.values()) >= k


@pytest.mark.parametrize("m", [1, 2, 3])
def test_the_best_of_all_levels(m: int) -> None:
    for seed in range(170):
        problem, k = random_problem(seed), 2 + seed % 2
        if problem.rows < k:
            continue
        found = find_column_set_levels(problem, k, m)
        candidates = [
            (round(sum(float(COST[level, 0]) for level in levels), 9), levels)
            for levels in product(range(3), repeat=3)
            if all(is_feasible(problem, levels, two, k) for two in combinations(range(3), m))
        ]
        assert tuple(found) == min(candidates)[1]


def test_feasible_levels_of_a_set() -> None:
    problem = random_problem(1)
    feasible = feasible_levels(problem, (0, 2), 2)
    for levels in product(range(3), repeat=2):
        whole = {0: levels[0], 2: levels[1]}
        assert feasible[levels] == is_feasible(problem, whole, (0, 2), 2)


def test_the_release_claims_it_and_keeps_it() -> None:
    chance = random.Random(3)
    rows = [(chance.randrange(4), chance.choice("pqr"), chance.choice("uv")) for _ in range(60)]
    frame = pl.DataFrame(rows, schema=["a", "b", "c"], orient="row")
    for m in (1, 2, 3):
        release = anonymize(frame, "column-sets", qi=["a", "b", "c"], sa=[], k=4, m=m, seed=1)
        (claim,) = release.claims
        assert claim.params == {"k": 4, "m": m, "columns": ["a", "b", "c"]}
        assert claim_checks.build(claim.rule, claim.params).check(release.public) == []
        assert release.provenance.searches[0].optimal
    whole = anonymize(frame, "flash", qi=["a", "b", "c"], sa=[], k=4, seed=1)
    assert release.provenance.searches[0].loss == pytest.approx(whole.provenance.searches[0].loss)


def test_what_cannot_be_asked_for() -> None:
    frame = pl.DataFrame({"a": [1, 2, 1, 2], "b": ["x", "x", "y", "y"]})
    for params, words in (({"m": 0}, "at least 1"), ({"k": 5}, "more than the 4 rows")):
        with pytest.raises(UsageError, match=words):
            anonymize(frame, ColumnSets(**({"k": 2} | params)), qi=["a", "b"], sa=[])
    height = 33
    up = np.zeros((height, 1), dtype=np.int32)
    deep = RecodingProblem(
        np.zeros((1, 5), dtype=np.int32), np.array([3]), (up,) * 5, (np.zeros((height, 1)),) * 5
    )
    with pytest.raises(UsageError, match="combinations of levels"):
        find_column_set_levels(deep, 2, 2)
