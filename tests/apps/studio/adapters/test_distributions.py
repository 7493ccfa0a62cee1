"""Tests of tokumei.apps.studio.adapters.distributions."""

from __future__ import annotations

import polars as pl

from tokumei.apps.studio.adapters.distributions import compare_distributions, count_values


def test_the_rest_is_one_sum() -> None:
    counted = count_values([*"aaabbcdefgh", None])
    assert counted[:2] == [["a", 3, 0.25], ["b", 2, 2 / 12]]
    assert counted[-1][:2] == [None, 3]
    assert sum(n for _, n, _ in counted) == 12
    assert count_values([]) == []


def test_only_columns_that_leave_and_are_not_masked_are_shown() -> None:
    before = pl.DataFrame({"age": [3, 4], "mail": ["x", "y"], "city": ["p", "q"]})
    after = pl.DataFrame({"age": ["[3;4]", "[3;4]"], "mail": ["x", "y"]})
    (entry,) = compare_distributions(before, after, ["mail"])
    assert entry["name"] == "age"
    assert entry["after"] == [["[3;4]", 2, 1.0]]
