"""Tests of tokumei.apps.papers.response_times."""

import polars as pl

from tokumei.apps.papers.response_times import measure_response_times


def test_both_queries_are_timed_on_any_columns():
    frame = pl.DataFrame({"a b": [1, None, 3], "ö": ["x", "y", "x"]})
    slopes = measure_response_times(frame)
    assert set(slopes) == {"LIKE", "COUNT"}
    assert all(slope > 0 for slope in slopes.values())
