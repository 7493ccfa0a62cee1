"""Tests of tokumei.tables.hierarchies.leaf_lookup."""

import polars as pl
import pytest

from tokumei.core.errors import InputError
from tokumei.tables.hierarchies.hierarchy import Hierarchy


def test_numbers_find_their_leaf_however_they_are_written():
    made = Hierarchy.of("x", [["1", "*"], ["2.50", "*"], ["007", "*"]])
    assert made.leaf_codes(pl.Series([2.5, 1.0])).tolist() == [1, 0]
    assert made.leaf_codes(pl.Series([1], dtype=pl.Int64)).tolist() == [0]
    assert made.leaf_codes(pl.Series(["007", "2.5"])).tolist() == [2, 1]
    with pytest.raises(InputError, match="'7' \\(1 row"):
        made.leaf_codes(pl.Series([7]))
