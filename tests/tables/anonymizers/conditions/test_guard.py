"""Tests of tokumei.tables.anonymizers.conditions.guard."""

from __future__ import annotations

import numpy as np
import polars as pl

from support.recoding_problems import problem_of
from tokumei.tables.anonymizers.conditions.guard import Guard
from tokumei.tables.anonymizers.conditions.guarded_columns import build_guarded_columns
from tokumei.tables.anonymizers.recoding.condition_merging import merge_until_allowed
from tokumei.tables.engines.local import LocalEngine


def test_rows_suppressed_before_come_back_if_the_others_cannot_do_without_them():
    problem = problem_of([[0], [1]], [3, 3], [[[0, 1], [0, 0]]])
    frame = pl.DataFrame({"c": [0] * 3 + [1] * 3, "s": [0] * 3 + [1] * 3})
    found = LocalEngine(frame).tuples(["c"])
    guard = Guard.of(LocalEngine(frame), found, build_guarded_columns(frame["s"], ["l=2"], ""))
    for start, budget in (([0, -1], 3), ([0, -1], 6), ([-1, -1], 6)):
        found_classes = merge_until_allowed(problem, np.array(start), guard, budget)
        assert found_classes.tolist() == [0, 0]
