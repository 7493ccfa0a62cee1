"""Tests of tokumei.tables.audit.attacks.density."""

from tokumei.tables.audit.attacks.density import forest_options


def test_trees_grow_on_no_more_rows_than_there_is_time_for():
    assert forest_options(30, 1, 10_000)["max_samples"] is None
    assert forest_options(30, 1, 1_000_000)["max_samples"] == 50_000
