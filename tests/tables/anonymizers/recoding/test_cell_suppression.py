"""Tests of tokumei.tables.anonymizers.recoding.cell_suppression."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from support.recoding_problems import problem_of, random_problem
from tables.anonymizers.recoding.clustering_helpers import rows_of
from tokumei.tables.anonymizers.recoding.cell_suppression import suppress_locally


def slow_suppression(problem, k):
    """Hidden columns per tuple."""
    left, hidden = set(range(len(problem.codes))), {}

    def safe(columns):
        groups = {}
        for t in left:
            cells = [x for j, x in enumerate(problem.codes[t].tolist()) if j not in columns]
            groups.setdefault(tuple(cells), []).append(t)
        return [t for g in groups.values() if rows_of(problem, g) >= k for t in g]

    for size in range(problem.columns + 1):
        sets = list(combinations(range(problem.columns), size))
        while sets:
            best = max(sets, key=lambda columns: rows_of(problem, safe(columns)))
            for t in safe(best):
                hidden[t] = set(best)
                left.remove(t)
            sets.remove(best)
    return hidden, left


def test_suppression_equals_the_plain_form():
    whole = 0
    for seed in range(150):
        problem, k = random_problem(seed, tuples=25), seed % 6 + 2
        if problem.rows < k:
            continue
        found = suppress_locally(problem, k)
        hidden, left = slow_suppression(problem, k)
        expected = np.zeros_like(found.levels)
        for t, columns in hidden.items():
            expected[t, sorted(columns)] = problem.heights[sorted(columns)]
        whole += not left
        same = np.array_equal(found.levels, expected)
        assert same or left, seed
        assert (found.levels[sorted(left)] == problem.heights).all()
    assert whole > 30


def test_suppression_of_more_values_than_one_number_holds():
    """How far apart a column's codes are changes nothing."""
    leaves = 2**13
    up = np.array([np.arange(leaves), np.zeros(leaves, dtype=int)])
    for seed in range(10):
        drawn = np.random.default_rng(seed).integers(0, 2, (25, 5))
        codes, counts = np.unique(drawn, axis=0, return_counts=True)
        few = suppress_locally(problem_of(codes, counts, [up[:, :2]] * 5), 4)
        many = suppress_locally(problem_of(codes * (leaves - 1), counts, [up] * 5), 4)
        assert np.array_equal(many.levels, few.levels)
        assert np.array_equal(many.class_of, few.class_of)
